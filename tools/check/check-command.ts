import { runChecks } from './checks';

void runChecks().then(({ isGreen, unit }) => {
  console.log(`\n${unit.passed} passed, ${unit.failed} failed`);
  process.exit(isGreen ? 0 : 1);
});
