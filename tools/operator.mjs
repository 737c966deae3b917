// `npm run operator -- COMMAND`: what the operators of the platform do from a shell.
import { enter } from './launcher/bootstrap.mjs';

await enter('tools/operator/operator-command.js');
