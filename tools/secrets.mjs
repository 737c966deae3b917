// `npm run secrets`: changes a secret in secrets.json, one step of a rotation.
import { enter } from './launcher/bootstrap.mjs';

await enter('tools/secrets/change-command.js');
