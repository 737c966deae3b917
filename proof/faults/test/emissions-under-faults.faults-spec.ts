import { usePlatform } from '@switchyard/testing';
import { runChaos } from '../chaos-run';

const platform = usePlatform();
const lines: string[] = [];

/** The short form of `npm run test:faults`: the same seed each time, and a rate that a credential may have. */
describe('emissions under faults', () => {
  it('are neither lost nor doubled when processes are killed, cut off, wiped or repeated', async () => {
    const report = await runChaos(platform, {
      seed: 5,
      emissions: 300,
      faults: 8,
      callers: 8,
      perSecond: 40,
      maxMs: 120_000,
      quietMs: 90_000,
      repeats: 200,
      wires: false,
      replicas: false,
      print: (line) => lines.push(line),
    });
    expect({ violations: report.violations, faults: lines.filter((line) => line.includes('did not work')) }).toEqual({
      violations: [],
      faults: [],
    });
    expect(report.accepted).toBe(300);
    expect(report.repeatedDeliveries).toBeGreaterThanOrEqual(200);
  }, 400_000);
});
