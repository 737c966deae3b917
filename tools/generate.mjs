// `npm run generate`: the files that follow from the contracts, without servers.
import { enter } from './launcher/bootstrap.mjs';

await enter('tools/generate/generate-command.js');
