// `npm run test:faults`: the platform under seeded faults, and what must hold afterwards.
import { enter } from './launcher/bootstrap.mjs';

await enter('proof/faults/chaos-command.js');
