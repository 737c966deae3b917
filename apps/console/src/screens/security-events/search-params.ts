import { type Given, id, oneOf, searchOf, text } from '../../api/search-params';

export const PERIODS = { hour: 'Last hour', day: 'Last 24 hours', week: 'Last 7 days', month: 'Last 30 days' } as const;
type Period = keyof typeof PERIODS;

const HOUR_MS = 3_600_000;
const LENGTHS: Record<Period, number> = { hour: HOUR_MS, day: 24 * HOUR_MS, week: 168 * HOUR_MS, month: 720 * HOUR_MS };

/** A person, a key, or the platform itself. */
const actor = (given: Given[string]): string | undefined => (given === 'machine' ? given : id(given));

export const securitySearch = searchOf({
  action: text,
  by: actor,
  period: oneOf(Object.keys(PERIODS) as Period[]),
});

export const beginOf = (period: Period, now: number): string => new Date(now - LENGTHS[period]).toISOString();
