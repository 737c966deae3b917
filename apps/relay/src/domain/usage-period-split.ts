export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;

/** A day has sums of its hours once it has more calls than these; the edge of another one is read from the ledger. */
export const BUSY_DAY_CALLS = 2_000;

/** In milliseconds since 1970, the end excluded; an open end is infinite. It is empty unless `from` is before `to`. */
export interface Span {
  from: number;
  to: number;
}

export interface UsageParts {
  /** The part of a period covered by sums (`days` and `hours`, without a gap). The ledger covers the rest. */
  summed: Span;
  days: Span;
  hours: Span[];
}

const up = (ms: number, unit: number): number => Math.ceil(ms / unit) * unit;
const down = (ms: number, unit: number): number => Math.floor(ms / unit) * unit;

/** Times may have nine digits behind the second, of which `Date` takes three. */
const isBetweenMs = (time: string): boolean => /\.\d{3}\d*[1-9]/.test(time);

/** The whole hours between two times; an end that is null is open. */
export function wholeHours(from: string | null, to: string | null): Span {
  return {
    from: from === null ? -Infinity : up(Date.parse(from) + (isBetweenMs(from) ? 1 : 0), HOUR_MS),
    to: to === null ? Infinity : down(Date.parse(to), HOUR_MS),
  };
}

/** The days at the edges of whole hours, whose hours are asked for. */
export const edgeDays = ({ from, to }: Span): number[] => [
  ...new Set([from, to].filter((ms) => Number.isFinite(ms) && ms !== down(ms, DAY_MS)).map((ms) => down(ms, DAY_MS))),
];

/** Which sums answer for these hours; `isBusy` says of a day whether it has sums of its hours. */
export function usageParts(hours: Span, isBusy: (day: number) => boolean): UsageParts {
  const days = { from: up(hours.from, DAY_MS), to: down(hours.to, DAY_MS) };
  if (days.from > days.to) {
    // Within one day.
    const within = isBusy(days.to) && isSome(hours) ? hours : { from: days.to, to: days.to };
    return { summed: within, days: { from: days.to, to: days.to }, hours: [within].filter(isSome) };
  }
  const head = { from: isBusy(down(hours.from, DAY_MS)) ? hours.from : days.from, to: days.from };
  const tail = { from: days.to, to: isBusy(days.to) ? hours.to : days.to };
  return { summed: { from: head.from, to: tail.to }, days, hours: [head, tail].filter(isSome) };
}

export const isSome = ({ from, to }: Span): boolean => from < to;
