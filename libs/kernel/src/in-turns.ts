import { setImmediate } from 'node:timers/promises';

/** Runs something that pauses after each slice; others have their turn in between. */
export async function inTurns<T>(slices: Generator<void, T>): Promise<T> {
  for (;;) {
    const step = slices.next();
    if (step.done === true) return step.value;
    await setImmediate();
  }
}
