import { untilSignal } from '../launcher/until-signal';
import { runChangedChecks, runChecks } from './checks';
import { findingsOf, lowerDocumentCeilings } from './documents/check-documents';
import { lowerCeilings } from './words/check-words';

// Ending this process ends the check that runs.
void untilSignal().then(() => process.exit(130));

const page = process.argv[process.argv.indexOf('--page') + 1];
if (process.argv.includes('--lower')) {
  lowerCeilings();
  lowerDocumentCeilings();
} else if (process.argv.includes('--page') && page) {
  for (const finding of findingsOf(page)) console.log(finding);
} else
  void (process.argv.includes('--changed') ? runChangedChecks() : runChecks()).then(({ isGreen, unit, failed }) => {
    console.log(`\n${unit.passed} passed, ${unit.failed} failed`);
    for (const name of failed) console.log(`FAILED: ${name}`);
    process.exit(isGreen ? 0 : 1);
  });
