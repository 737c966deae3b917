const MEASURE_MS = 2_000;
/** Maximum age of the measured backlog of other replicas. */
const MEASURE_WITHIN_MS = 10_000;
const PAUSE_FACTOR = 10;

/** When to measure again, after a measurement that took so long: it reads all that waits, and that may be much. */
export const pauseAfter = (tookMs: number): number =>
  Math.min(MEASURE_WITHIN_MS, Math.max(MEASURE_MS, PAUSE_FACTOR * tookMs));

/** When each Space is to be measured again: one whose much takes long waits by itself. */
export class BacklogMeasurementSchedule {
  private readonly dueAt = new Map<string, number>();

  /** Those of the Spaces that are due, longest due first; others are forgotten. */
  due(spaceIds: ReadonlySet<string>, now: number): string[] {
    for (const spaceId of this.dueAt.keys()) if (!spaceIds.has(spaceId)) this.dueAt.delete(spaceId);
    const dueAt = (spaceId: string): number => this.dueAt.get(spaceId) ?? -Infinity;
    return [...spaceIds].filter((spaceId) => dueAt(spaceId) <= now).sort((a, b) => compare(dueAt(a), dueAt(b)));
  }

  took(spaceIds: readonly string[], begunAt: number, now: number): void {
    for (const spaceId of spaceIds) this.dueAt.set(spaceId, now + pauseAfter(now - begunAt));
  }
}

/** Infinite times are equal, too. */
const compare = (a: number, b: number): number => (a < b ? -1 : a > b ? 1 : 0);
