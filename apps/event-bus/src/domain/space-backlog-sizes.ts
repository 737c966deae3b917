import { AppError } from '@switchyard/kernel';

/** Backlog of each Space: the last measurement, plus changes by this process since. */
export class SpaceBacklogSizes {
  private readonly measured = new Map<string, number>();
  private readonly since = new Map<string, number>();

  of(spaceId: string): number {
    return Math.max(0, (this.measured.get(spaceId) ?? 0) + (this.since.get(spaceId) ?? 0));
  }

  add(spaceId: string, bytes: number): void {
    this.since.set(spaceId, (this.since.get(spaceId) ?? 0) + bytes);
  }

  /**
   * Begins to measure these Spaces: what is added to them from here on may or may not be in it, and counts until the
   * next measurement.
   */
  beginMeasuring(spaceIds: readonly string[]): (measured: ReadonlyMap<string, number>) => void {
    for (const spaceId of spaceIds) {
      this.measured.set(spaceId, (this.measured.get(spaceId) ?? 0) + (this.since.get(spaceId) ?? 0));
      this.since.delete(spaceId);
    }
    return (measured) => {
      for (const spaceId of [...spaceIds, ...measured.keys()]) {
        const bytes = measured.get(spaceId) ?? 0;
        if (bytes === 0) this.measured.delete(spaceId);
        else this.measured.set(spaceId, bytes);
      }
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

  /** Those of which something waits, as far as this process knows. */
  get spaces(): Set<string> {
    return new Set([...this.measured.keys(), ...this.since.keys()]);
  }
}

/** Overhead of a waiting emission in addition to its payload, so that many small ones count. */
export const EMISSION_BYTES = 512;

export const overQuota = (limit: number): AppError =>
  new AppError(
    'RATE_LIMITED',
    `More than ${Math.round(limit / 1024 / 1024)} MiB of this Space's emissions wait to be delivered. Try again later.`,
    { retryAfterSeconds: 5, limit: { limit: 'eventBacklogBytes', value: limit, until: null } },
  );
