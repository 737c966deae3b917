import { AppError } from '@switchyard/kernel';

/** What waits of each Space: as it was last measured, and what this process has added and taken away since. */
export class Backlog {
  private measured = new Map<string, number>();
  private since = new Map<string, number>();

  of(spaceId: string): number {
    return Math.max(0, (this.measured.get(spaceId) ?? 0) + (this.since.get(spaceId) ?? 0));
  }

  add(spaceId: string, bytes: number): void {
    this.since.set(spaceId, (this.since.get(spaceId) ?? 0) + bytes);
  }

  /** Begins a measurement: what is added from here on may or may not be in it, and counts until the next one. */
  beginMeasuring(): (measured: ReadonlyMap<string, number>) => void {
    for (const [spaceId, bytes] of this.since) this.measured.set(spaceId, (this.measured.get(spaceId) ?? 0) + bytes);
    this.since = new Map();
    return (measured) => {
      this.measured = new Map(measured);
    };
  }

  /** The largest backlog of a Space. */
  get largest(): number {
    let largest = 0;
    for (const spaceId of this.spaces) largest = Math.max(largest, this.of(spaceId));
    return largest;
  }

  /** The Spaces whose backlog is larger than the limit. */
  over(limit: number): string[] {
    return [...this.spaces].filter((spaceId) => this.of(spaceId) > limit);
  }

  private get spaces(): Set<string> {
    return new Set([...this.measured.keys(), ...this.since.keys()]);
  }
}

/** What an emission takes while it waits, beside its payload: many small ones are a backlog, too. */
export const EMISSION_BYTES = 512;

const MEASURE_MS = 2_000;
/** What replicas make wait is known after so long at the latest. */
const MEASURE_WITHIN_MS = 10_000;
const PAUSE_FACTOR = 10;

/** When to measure again, after a measurement that took so long: it reads all that waits, and that may be much. */
export const pauseAfter = (tookMs: number): number =>
  Math.min(MEASURE_WITHIN_MS, Math.max(MEASURE_MS, PAUSE_FACTOR * tookMs));

export const overQuota = (limit: number): AppError =>
  new AppError(
    'RATE_LIMITED',
    `More than ${Math.round(limit / 1024 / 1024)} MiB of this Space's emissions wait to be delivered. Try again later.`,
    { retryAfterSeconds: 5 },
  );
