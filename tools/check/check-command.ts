import { untilSignal } from '../launcher/until-signal';
import { runChangedChecks, runChecks } from './checks';
import { lowerCeilings } from './words/check-words';

// Ending this process ends the check that runs.
void untilSignal().then(() => process.exit(130));

if (process.argv.includes('--lower')) lowerCeilings();
else
  void (process.argv.includes('--changed') ? runChangedChecks() : runChecks()).then(({ isGreen, unit }) => {
    console.log(`\n${unit.passed} passed, ${unit.failed} failed`);
    process.exit(isGreen ? 0 : 1);
  });
