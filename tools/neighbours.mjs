// `npm run test:neighbours`: one Space at its worst beside another at work, for each bound.
import { enter } from './launcher/bootstrap.mjs';

await enter('proof/isolation/neighbours-command.js');
