/** A period up to now, which moves with it. */
export const PERIODS = ['hour', 'today', 'day'] as const;
export type Period = (typeof PERIODS)[number];

export const PERIOD_WORDS: Record<Period, string> = { hour: 'Last hour', today: 'Today', day: 'Last 24 hours' };

const HOUR_MS = 3_600_000;

/** When it began. */
export function beginOf(period: Period, now = Date.now()): string {
  if (period === 'hour') return new Date(now - HOUR_MS).toISOString();
  if (period === 'day') return new Date(now - 24 * HOUR_MS).toISOString();
  const midnight = new Date(now);
  midnight.setHours(0, 0, 0, 0);
  return midnight.toISOString();
}
