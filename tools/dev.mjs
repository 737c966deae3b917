// `npm run dev -- agent`: one service of the running platform, built and started again whenever a source of it changes.
import { enter } from './launcher/bootstrap.mjs';

await enter('tools/dev/dev-command.js');
