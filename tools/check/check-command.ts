import { untilSignal } from '../launcher/until-signal';
import { runChecks } from './checks';

// Ending this process ends the check that runs.
void untilSignal().then(() => process.exit(130));

void runChecks().then(({ isGreen, unit }) => {
  console.log(`\n${unit.passed} passed, ${unit.failed} failed`);
  process.exit(isGreen ? 0 : 1);
});
