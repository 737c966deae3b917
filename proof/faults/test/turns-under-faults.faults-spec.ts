import { usePlatform } from '@switchyard/testing';
import { runChat } from '../chat/chat-run';

const platform = usePlatform();
const lines: string[] = [];

/** The short form of `npm run test:faults -- --only chat`: the same seed each time. */
describe('turns under faults', () => {
  it('come to one end each, which is told, stored and paid alike', async () => {
    const report = await runChat(platform, {
      seed: 5,
      turns: 24,
      faults: 6,
      callers: 6,
      maxMs: 300_000,
      quietMs: 90_000,
      wires: false,
      replicas: false,
      print: (line) => lines.push(line),
    });
    expect({ violations: report.violations, faults: report.failedFaults }).toEqual({ violations: [], faults: [] });
    expect(report.turns).toBe(24);
    expect(report.kills).toBeGreaterThanOrEqual(4);
  }, 600_000);
});
