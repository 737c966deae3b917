/** What a check may cost, in units of about ten nanoseconds: 50 ms of an event loop on a busy machine. */
export const CHECK_BUDGET = 2_500_000;

/** The check costs more than its budget. Nothing is known about the value. */
export class TooExpensive extends Error {}

let left = 0;
let checks = 0;

/** Begins a check. Checks never overlap: none of them waits for anything. */
export const startMeter = (): void => {
  left = CHECK_BUDGET;
  checks += 1;
};

/** The number of the check that runs. */
export const currentCheck = (): number => checks;

/** Called before the work is done, with its size; throws TooExpensive where the budget does not cover it. */
export function spend(units: number): void {
  left -= units;
  if (left < 0) throw new TooExpensive();
}

/** What is left of the budget, for loops that count by themselves. They give back what they leave by `spend`. */
export const unitsLeft = (): number => left;

/** What the latest check has cost. */
export const unitsSpent = (): number => CHECK_BUDGET - left;
