import { performance } from 'node:perf_hooks';

/** Longest time that a slice of work may block the event loop. */
const SLICE_MS = 8;

/** From this size on, work yields between two steps, each of which may take tens of milliseconds. */
export const LARGE_CONTENT_BYTES = 1024 * 1024;

/** Work that waits to go on, oldest first. */
const waiting = new Set<() => void>();

function resumeOne(): void {
  const [resume] = waiting;
  if (resume === undefined) return;
  waiting.delete(resume);
  if (waiting.size > 0) setImmediate(resumeOne);
  resume();
}

/**
 * Resolves after the callbacks that are due now, and for one caller per turn of the event loop: if many bodies are read
 * in slices at once, what arrives meanwhile waits for one slice, not for one of each.
 */
export const yieldToEventLoop = (): Promise<void> =>
  new Promise((resolve) => {
    waiting.add(resolve);
    if (waiting.size === 1) setImmediate(resumeOne);
  });

/** Yields to the event loop during long work; check `isDue` often, it is cheap. */
export class TimeSlice {
  private since = performance.now();

  get isDue(): boolean {
    return performance.now() - this.since >= SLICE_MS;
  }

  async rest(): Promise<void> {
    await yieldToEventLoop();
    this.begin();
  }

  /** Starts a new slice, after a yield. */
  begin(): void {
    this.since = performance.now();
  }
}
