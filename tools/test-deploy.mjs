// `npm run test:deploy`: image, Compose, kills and upgrade in an engine of its own.
import { enter } from './launcher/bootstrap.mjs';

await enter('proof/deploy-trial/trial-command.js');
