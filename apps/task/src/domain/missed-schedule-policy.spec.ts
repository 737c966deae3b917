import { type DueTask, type Firing, firing } from './missed-schedule-policy';

/** How it ended, and after how many pauses. */
function played(...given: Parameters<typeof firing>): { ended: Firing; pauses: number } {
  const slices = firing(...given);
  for (let pauses = 0; ; pauses += 1) {
    const step = slices.next();
    if (step.done === true) return { ended: step.value, pauses };
  }
}

const fire = (task: DueTask, now: Date, graceMs: number, nextAfter: (at: Date) => Date | null): Firing =>
  played(task, now, graceMs, nextAfter).ended;

const at = (time: string): Date => new Date(`2026-01-01T${time}Z`);
const everyMinute = (after: Date): Date => new Date(Math.floor(after.getTime() / 60_000) * 60_000 + 60_000);

describe('a schedule whose time has come', () => {
  it.each(['SKIP', 'RUN_ONCE'] as const)('runs on time (%s)', (misfire) => {
    expect(fire({ slot: at('10:00:00'), misfire }, at('10:00:01'), 60_000, everyMinute)).toEqual({
      run: at('10:00:00'),
      nextRunAt: at('10:01:00'),
      missed: 0,
    });
  });

  it('lets missed times go with SKIP', () => {
    const hourly = (after: Date): Date => new Date(Math.floor(after.getTime() / 3_600_000) * 3_600_000 + 3_600_000);
    expect(fire({ slot: at('10:00:00'), misfire: 'SKIP' }, at('12:30:00'), 60_000, hourly)).toEqual({
      run: null,
      nextRunAt: at('13:00:00'),
      missed: 3,
    });
  });

  it('runs the latest missed time once with RUN_ONCE', () => {
    const hourly = (after: Date): Date => new Date(Math.floor(after.getTime() / 3_600_000) * 3_600_000 + 3_600_000);
    expect(fire({ slot: at('10:00:00'), misfire: 'RUN_ONCE' }, at('12:30:00'), 60_000, hourly)).toEqual({
      run: at('12:00:00'),
      nextRunAt: at('13:00:00'),
      missed: 2,
    });
  });

  it('runs a time that is due now even when earlier ones were missed', () => {
    expect(fire({ slot: at('10:00:00'), misfire: 'SKIP' }, at('10:05:00'), 60_000, everyMinute)).toEqual({
      run: at('10:05:00'),
      nextRunAt: at('10:06:00'),
      missed: 5,
    });
  });

  it('comes to the present after a long pause', () => {
    const ended = fire(
      { slot: new Date('2020-01-01T00:00:00Z'), misfire: 'SKIP' },
      at('10:00:30'),
      60_000,
      everyMinute,
    );
    expect(ended).toMatchObject({ run: at('10:00:00'), nextRunAt: at('10:01:00') });
  });

  it('runs the latest missed time with RUN_ONCE however many were missed', () => {
    const slot = new Date('2025-12-01T00:00:00Z');
    expect(fire({ slot, misfire: 'RUN_ONCE' }, at('10:00:30'), 10_000, everyMinute)).toMatchObject({
      run: at('10:00:00'),
      nextRunAt: at('10:01:00'),
    });
  });

  it('pauses while it counts what was missed, and does not count for long', () => {
    let count = 0;
    const counted = (after: Date): Date => {
      count += 1;
      return everyMinute(after);
    };
    const { pauses } = played({ slot: new Date(0), misfire: 'SKIP' }, at('10:00:30'), 60_000, counted);
    expect(pauses).toBeGreaterThan(5);
    expect(count).toBeLessThan(1_100);
  });

  it('ends with a schedule that has no further time', () => {
    expect(fire({ slot: at('10:00:00'), misfire: 'SKIP' }, at('10:00:00'), 60_000, () => null)).toEqual({
      run: at('10:00:00'),
      nextRunAt: null,
      missed: 0,
    });
  });
});
