/** Budget of a check, in units of about ten nanoseconds: 50 ms of the event loop on a busy machine. */
export const CHECK_BUDGET = 2_500_000;

/** The check exceeded its budget. The value may be valid or not. */
export class TooExpensive extends Error {}

let remaining = 0;
let checks = 0;

/** Starts a check. Checks are synchronous, so they never overlap. */
export const startMeter = (): void => {
  remaining = CHECK_BUDGET;
  checks += 1;
};

/** Id of the running check. */
export const currentCheck = (): number => checks;

/** Call before the work, with its size; throws TooExpensive if the budget does not cover it. */
export function spend(units: number): void {
  remaining -= units;
  if (remaining < 0) throw new TooExpensive();
}

/** Remaining budget, for loops that count by themselves and `spend` the total. */
export const unitsRemaining = (): number => remaining;

/** Cost of the latest check. */
export const unitsSpent = (): number => CHECK_BUDGET - remaining;
