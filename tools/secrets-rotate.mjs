// `npm run secrets:rotate`: encrypts all stored secrets with the first key of DATA_KEY.
import { enter } from './launcher/bootstrap.mjs';

await enter('tools/secrets/rotate-command.js');
