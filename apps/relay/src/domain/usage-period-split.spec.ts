import { DAY_MS, HOUR_MS, type Span, edgeDays, isSome, usageParts, wholeHours } from './usage-period-split';

const at = (time: string): number => Date.parse(time);
const spanOf = (from: string, to: string): Span => ({ from: at(from), to: at(to) });
const always = (): boolean => true;
const never = (): boolean => false;
const partsOf = (from: string | null, to: string | null, isBusy = always) => usageParts(wholeHours(from, to), isBusy);

describe('the whole hours of a range', () => {
  it.each([
    ['2026-11-05T10:00:00Z', '2026-11-05T12:00:00Z', '2026-11-05T10:00:00Z', '2026-11-05T12:00:00Z'],
    ['2026-11-05T10:00:00.001Z', '2026-11-05T12:59:59.999Z', '2026-11-05T11:00:00Z', '2026-11-05T12:00:00Z'],
    ['2026-11-05T10:30:00+05:30', '2026-11-05T10:30:00-00:30', '2026-11-05T05:00:00Z', '2026-11-05T11:00:00Z'],
    ['2026-11-05T10:30:00+01:00', '2026-11-05T12:10:00Z', '2026-11-05T10:00:00Z', '2026-11-05T12:00:00Z'],
  ])('from %s to %s are those from %s to %s', (from, to, first, end) => {
    expect(wholeHours(from, to)).toEqual(spanOf(first, end));
  });

  it('leave out an hour of which a microsecond is missing, and not one of which nothing is', () => {
    const from = (digits: string): number => wholeHours(`2026-11-05T10:00:00.${digits}Z`, null).from;
    for (const digits of ['000001', '0001', '000000001', '0009']) expect(from(digits)).toBe(at('2026-11-05T11:00:00Z'));
    for (const digits of ['0', '000', '000000000']) expect(from(digits)).toBe(at('2026-11-05T10:00:00Z'));
    expect(wholeHours('2026-11-05T09:59:59.999999Z', null).from).toBe(at('2026-11-05T10:00:00Z'));
    expect(wholeHours(null, '2026-11-05T09:59:59.999999999Z').to).toBe(at('2026-11-05T09:00:00Z'));
  });

  it('have no end where the range has none', () => {
    expect(wholeHours(null, null)).toEqual({ from: -Infinity, to: Infinity });
  });
});

describe('the days at the edges', () => {
  it('are those of which only some hours are asked for', () => {
    const days = (from: string | null, to: string | null) => edgeDays(wholeHours(from, to));
    const [first, second] = [at('2026-11-05T00:00:00Z'), at('2026-11-06T00:00:00Z')];
    expect(days('2026-11-05T01:00:00Z', '2026-11-06T01:00:00Z')).toEqual([first, second]);
    expect(days('2026-11-05T01:00:00Z', '2026-11-05T02:00:00Z')).toEqual([first]);
    expect(days('2026-11-05T00:00:00Z', '2026-11-06T02:00:00Z')).toEqual([second]);
    expect(days(null, '2026-11-06T02:00:00Z')).toEqual([second]);
    expect(days('2026-11-05T00:00:00Z', '2026-11-07T00:00:00Z')).toEqual([]);
    expect(days(null, null)).toEqual([]);
  });
});

describe('the parts of a range', () => {
  it('are days, and hours at the edges of busy days', () => {
    const [from, to] = ['2026-11-05T22:10:00Z', '2026-11-08T03:50:00Z'];
    const days = spanOf('2026-11-06T00:00:00Z', '2026-11-08T00:00:00Z');
    const [head, tail] = [
      spanOf('2026-11-05T23:00:00Z', '2026-11-06T00:00:00Z'),
      spanOf('2026-11-08T00:00:00Z', '2026-11-08T03:00:00Z'),
    ];
    expect(partsOf(from, to)).toEqual({ summed: { from: head.from, to: tail.to }, days, hours: [head, tail] });
    expect(partsOf(from, to, never)).toEqual({ summed: days, days, hours: [] });
    const isFirst = (day: number): boolean => day === at('2026-11-05T00:00:00Z');
    expect(usageParts(wholeHours(from, to), isFirst)).toEqual({
      summed: { from: head.from, to: days.to },
      days,
      hours: [head],
    });
  });

  it('are days alone where the range has no ends, or ends at midnight', () => {
    const days = { from: -Infinity, to: Infinity };
    expect(partsOf(null, null)).toEqual({ summed: days, days, hours: [] });
    const month = spanOf('2026-11-01T00:00:00Z', '2026-12-01T00:00:00Z');
    expect(partsOf('2026-11-01T00:00:00Z', '2026-12-01T00:00:00Z')).toEqual({ summed: month, days: month, hours: [] });
  });

  it('are hours alone within a busy day, and nothing within another one', () => {
    const [from, to] = ['2026-11-05T10:10:00Z', '2026-11-05T14:50:00Z'];
    const hours = spanOf('2026-11-05T11:00:00Z', '2026-11-05T14:00:00Z');
    expect(partsOf(from, to)).toMatchObject({ summed: hours, hours: [hours] });
    expect(isSome(partsOf(from, to, never).summed)).toBe(false);
  });

  it.each([
    ['2026-11-05T10:10:00Z', '2026-11-05T10:50:00Z'],
    ['2026-11-05T10:50:00Z', '2026-11-05T11:10:00Z'],
    ['2026-11-05T10:00:00Z', '2026-11-05T10:00:00Z'],
    ['2026-11-05T00:00:00Z', '2026-11-05T00:00:00Z'],
    ['2026-11-05T00:00:00Z', '2026-11-05T00:30:00Z'],
    ['2026-11-05T23:30:00Z', '2026-11-05T23:50:00Z'],
    ['2026-11-05T23:30:00Z', '2026-11-06T00:30:00Z'],
  ])('are none where no whole hour is between %s and %s', (from, to) => {
    const { summed, days, hours } = partsOf(from, to);
    expect([isSome(summed), isSome(days), hours]).toEqual([false, false, []]);
  });

  it('are midnight to midnight where only the hours around it are asked for', () => {
    const [head, tail] = [
      spanOf('2026-11-05T23:00:00Z', '2026-11-06T00:00:00Z'),
      spanOf('2026-11-06T00:00:00Z', '2026-11-06T01:00:00Z'),
    ];
    const parts = partsOf('2026-11-05T22:30:00Z', '2026-11-06T01:30:00Z');
    expect(parts).toMatchObject({ summed: { from: head.from, to: tail.to }, hours: [head, tail] });
    expect(isSome(parts.days)).toBe(false);
  });

  it('cover what is summed once, and never more than is asked for', () => {
    const start = at('2026-11-05T00:00:00Z');
    const edges = Array.from({ length: 28 }, (_, n) => n * 7_900_000);
    for (const isBusy of [always, never, (day: number) => day === start])
      for (const from of edges)
        for (const to of edges.filter((edge) => edge >= from)) {
          const [first, end] = [start + from, start + to];
          const { summed, days, hours } = usageParts(
            wholeHours(new Date(first).toISOString(), new Date(end).toISOString()),
            isBusy,
          );
          const covered = [...hours, ...(isSome(days) ? [days] : [])].toSorted((a, b) => a.from - b.from);
          if (!isSome(summed)) {
            expect(covered).toEqual([]);
            continue;
          }
          expect(summed.from).toBeGreaterThanOrEqual(first);
          expect(summed.to).toBeLessThanOrEqual(end);
          expect([covered[0]?.from, covered.at(-1)?.to]).toEqual([summed.from, summed.to]);
          covered.slice(1).forEach((span, n) => expect(span.from).toBe(covered[n]?.to));
          for (const hour of hours) expect([hour.from % HOUR_MS, hour.to % HOUR_MS]).toEqual([0, 0]);
          if (isSome(days)) expect([days.from % DAY_MS, days.to % DAY_MS]).toEqual([0, 0]);
        }
  });
});
