/** Waits between deliveries, in multiples of the first: from seconds to half a day, nine deliveries in all. */
const STEPS = [1, 5, 30, 150, 900, 3_600, 9_000, 21_600];

/** How long to wait after so many failed deliveries, or null to give up. With a little jitter. */
export function callbackDelayMs(failed: number, baseMs: number, random = Math.random): number | null {
  const step = STEPS[failed - 1];
  return step === undefined ? null : Math.round(step * baseMs * (0.9 + random() * 0.2));
}
