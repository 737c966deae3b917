import { setTimeout } from 'node:timers/promises';
import { CpuPerOperation, cpuText } from '../cpu';
import type { BenchContext, BenchRow, Measured } from '../row';
import { processesOf } from '../shape';

/**
 * Until what has begun with the start is over: loops that find nothing have become slow, and V8 has collected its
 * garbage.
 */
const SETTLED_MS = 150_000;
const SECONDS = 60;
const TARGET_PERCENT = 1.5;
const US_A_PERCENT = 10_000;

/** Cost of an idle platform: its services and servers. */
export const idle: BenchRow = {
  name: 'idle',
  shapes: ['hosts', 'services'],
  async run({ state, report }: BenchContext): Promise<Measured[]> {
    await setTimeout(SETTLED_MS);
    const cpu = new CpuPerOperation(processesOf(state));
    await cpu.during(SECONDS, () => setTimeout(SECONDS * 1_000));
    const used = cpu.result();
    report(`of each second: ${cpuText(used)}`);
    const percent = Object.values(used).reduce((sum, us) => sum + us, 0) / US_A_PERCENT;
    return [
      {
        what: 'idle, all processes of the platform',
        beside: 'limit',
        ours: percent,
        theirs: TARGET_PERCENT,
        unit: '% of a core',
        ratio: percent / TARGET_PERCENT,
        target: `<= ${TARGET_PERCENT}%`,
        judged: 'ours',
        met: percent <= TARGET_PERCENT,
        cpu: used,
      },
    ];
  },
};
