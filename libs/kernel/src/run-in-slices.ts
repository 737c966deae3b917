import { yieldToEventLoop } from './time-slice';

/** Runs a generator, yielding to the event loop after each slice. */
export async function runInSlices<T>(slices: Generator<void, T>): Promise<T> {
  for (;;) {
    const step = slices.next();
    if (step.done === true) return step.value;
    await yieldToEventLoop();
  }
}
