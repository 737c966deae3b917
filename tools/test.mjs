// `npm test`: everything that CI runs, on a platform of its own in a temporary folder.
import { enter } from './launcher/bootstrap.mjs';

await enter('tools/test/test-command.js', { showsConsole: true });
