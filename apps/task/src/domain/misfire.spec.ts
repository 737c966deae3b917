import { fire } from './misfire';

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
    const firing = fire(
      { slot: new Date('2020-01-01T00:00:00Z'), misfire: 'SKIP' },
      at('10:00:30'),
      60_000,
      everyMinute,
    );
    expect(firing).toMatchObject({ run: null, nextRunAt: at('10:01:00') });
  });

  it('ends with a schedule that has no further time', () => {
    expect(fire({ slot: at('10:00:00'), misfire: 'SKIP' }, at('10:00:00'), 60_000, () => null)).toEqual({
      run: at('10:00:00'),
      nextRunAt: null,
      missed: 0,
    });
  });
});
