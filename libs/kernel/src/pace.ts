import { performance } from 'node:perf_hooks';

/** So long a slice of work may hold the event loop. */
const SLICE_MS = 8;

/** From this size on others run between two steps of work, each of which may take tens of milliseconds. */
export const LARGE_CONTENT_BYTES = 1024 * 1024;

/** Resolves after the callbacks that are due now. */
export const letOthersRun = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

/** Lets others run in the middle of long work: ask often whether a rest is due, which costs next to nothing. */
export class Pace {
  private since = performance.now();

  get isDue(): boolean {
    return performance.now() - this.since >= SLICE_MS;
  }

  async rest(): Promise<void> {
    await letOthersRun();
    this.begin();
  }

  /** Others have run. */
  begin(): void {
    this.since = performance.now();
  }
}
