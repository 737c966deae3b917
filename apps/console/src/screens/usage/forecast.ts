const DAY_MS = 86_400_000;
/** The burn of these days, today included, is what goes on. */
export const FORECAST_DAYS = 7;

export interface Burn {
  /** `2026-11-22`, a day of UTC. */
  day: string;
  tokens: number;
}

export interface Forecast {
  /** Tokens a day. */
  rate: number;
  /** When calls stop, in milliseconds since 1970; null where nothing burns. */
  endsAt: number | null;
}

export const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** One entry for each day of UTC up to today: days without a call burn nothing. */
export function everyDay(burns: readonly Burn[], days: number, now: number): Burn[] {
  const byId = new Map(burns.map(({ day, tokens }) => [day, tokens]));
  return Array.from({ length: days }, (_, index) => {
    const day = dayOf(now - (days - 1 - index) * DAY_MS);
    return { day, tokens: byId.get(day) ?? 0 };
  });
}

/** `left`: what may still burn. A Space that began yesterday is judged by its own days, not by those before it. */
export function forecastOf(burns: readonly Burn[], left: number, now: number): Forecast {
  const last = everyDay(burns, FORECAST_DAYS, now);
  const first = last.find(({ tokens }) => tokens > 0);
  if (first === undefined) return { rate: 0, endsAt: left <= 0 ? now : null };
  const days = Math.max(1, (now - Date.parse(first.day)) / DAY_MS);
  const rate = last.reduce((sum, { tokens }) => sum + tokens, 0) / days;
  return { rate, endsAt: now + (Math.max(0, left) / rate) * DAY_MS };
}

/** Remaining balance at noon of each day, at most `days` days. */
export function balanceAhead(balance: number, { rate, endsAt }: Forecast, days: number, now: number): Burn[] {
  const length = endsAt === null ? days : Math.min(days, Math.ceil((endsAt - now) / DAY_MS) + 1);
  return Array.from({ length: Math.max(2, length) }, (_, index) => ({
    day: dayOf(now + index * DAY_MS),
    tokens: Math.max(0, Math.round(balance - rate * index)),
  }));
}
