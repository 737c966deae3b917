// `node tools/paths.mjs [--files]`: the source files in which a function runs during a request, by service.
import { enter } from './launcher/bootstrap.mjs';

await enter('proof/paths/paths-command.js');
