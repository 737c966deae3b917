// `npm run bench [row]`: ours beside the thing itself, in one run.
import { enter } from './launcher/bootstrap.mjs';

await enter('proof/bench/bench-command.js', { showsConsole: true });
