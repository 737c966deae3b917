import { approvalTurns, usePlatform } from '@switchyard/testing';
import { runApprovals } from '../approvals/approval-run';

const platform = usePlatform();
const lines: string[] = [];

/** The short form of `npm run test:faults -- --only approvals`: the same seed each time. */
describe('calls that need an approval, under faults', () => {
  const turns = approvalTurns(32);
  const maxMs = 240_000 + 1_000 * turns;

  it(
    'take effect once they are approved, as they were shown, once, and never otherwise',
    async () => {
      const report = await runApprovals(platform, {
        seed: 7,
        turns,
        faults: 6,
        callers: 6,
        maxMs,
        quietMs: 90_000,
        wires: false,
        replicas: false,
        print: (line) => lines.push(line),
      });
      expect({ violations: report.violations, faults: report.failedFaults }).toEqual({ violations: [], faults: [] });
      expect(report.turns).toBe(turns);
      expect(report.effects).toBeGreaterThan(0);
      expect(report.kills).toBeGreaterThanOrEqual(3);
    },
    2 * maxMs,
  );
});
