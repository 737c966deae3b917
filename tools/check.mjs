// `npm run check`: everything that needs no running platform.
import { enter } from './launcher/bootstrap.mjs';

await enter('tools/check/check-command.js');
