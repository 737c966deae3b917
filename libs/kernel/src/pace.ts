import { performance } from 'node:perf_hooks';

/** So long a slice of work may hold the event loop. */
const SLICE_MS = 8;

/** Lets others run in the middle of long work: ask often whether a rest is due, which costs next to nothing. */
export class Pace {
  private since = performance.now();

  get isDue(): boolean {
    return performance.now() - this.since >= SLICE_MS;
  }

  async rest(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    this.since = performance.now();
  }
}
