const MAX_SECONDS = 86_400;

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** How long an upstream asks us to wait, in whole seconds; it says so in milliseconds, seconds or as a date. */
export function retryAfterSeconds(headers: Headers, now: Date): number | null {
  const ms = Number(headers['retry-after-ms'] ?? NaN);
  if (Number.isFinite(ms) && ms >= 0) return Math.min(MAX_SECONDS, Math.ceil(ms / 1000));
  const text = headers['retry-after'];
  if (typeof text !== 'string') return null;
  const seconds = Number(text);
  if (Number.isFinite(seconds)) return seconds < 0 ? null : Math.min(MAX_SECONDS, Math.ceil(seconds));
  const date = Date.parse(text);
  return Number.isNaN(date) ? null : Math.min(MAX_SECONDS, Math.max(0, Math.ceil((date - now.getTime()) / 1000)));
}
