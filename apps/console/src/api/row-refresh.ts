import type { QueryClient, QueryKey } from '@tanstack/react-query';

/** Between two rows: at most 30 of them are read in a minute, however many change. */
export const ROW_PAUSE_MS = 2_000;

/**
 * Refreshes the queries of a table's rows as their records change, one row at a time: each row has requests of its own,
 * and together they would use up the rate limit of the person who looks at them. The queries of a row have a key of
 * `lists` with the row's id behind it. A row that is out of view is read when it is shown again.
 */
export class RowRefresh {
  private readonly waiting = new Set<string>();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private isReading = false;
  private notBefore = 0;

  constructor(
    private readonly queries: QueryClient,
    private readonly lists: readonly QueryKey[],
  ) {}

  /** A row that waits already keeps its place. */
  changed(id: string): void {
    if (this.isShown(id)) {
      this.waiting.add(id);
      this.schedule();
    } else this.markStale(this.keysOf(id));
  }

  /** Changes of any row may have been missed. */
  missed(): void {
    const ids = this.lists.flatMap((queryKey) =>
      this.queries
        .getQueryCache()
        .findAll({ queryKey })
        .map((query) => query.queryKey[queryKey.length]),
    );
    for (const id of new Set(ids)) if (typeof id === 'string') this.changed(id);
  }

  /** Changes from now on are not seen: a row that is shown again is read. */
  stop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.waiting.clear();
    this.markStale(this.lists);
  }

  private keysOf(id: string): QueryKey[] {
    return this.lists.map((list) => [...list, id]);
  }

  private isShown(id: string): boolean {
    const cache = this.queries.getQueryCache();
    return this.keysOf(id).some((queryKey) => cache.find({ queryKey, type: 'active', exact: false }) !== undefined);
  }

  private markStale(keys: readonly QueryKey[]): void {
    for (const queryKey of keys) void this.queries.invalidateQueries({ queryKey, refetchType: 'none' });
  }

  /** The first row that waits. Those that have left the view meanwhile take no turn. */
  private takeShown(): string | undefined {
    for (const id of this.waiting) {
      this.waiting.delete(id);
      if (this.isShown(id)) return id;
      this.markStale(this.keysOf(id));
    }
    return undefined;
  }

  private schedule(): void {
    if (this.isReading || this.timer !== undefined || this.waiting.size === 0) return;
    this.timer = setTimeout(() => void this.next(), Math.max(0, this.notBefore - Date.now()));
  }

  private async next(): Promise<void> {
    this.timer = undefined;
    const id = this.takeShown();
    if (id === undefined) return;
    const start = Date.now();
    const keys = this.keysOf(id);
    if (keys.some((queryKey) => this.queries.isFetching({ queryKey }) > 0)) {
      // A reading under way may have begun before the change: it does not count as the one after it.
      this.waiting.add(id);
      this.notBefore = start + ROW_PAUSE_MS;
    } else {
      this.isReading = true;
      await Promise.all(keys.map((queryKey) => this.queries.invalidateQueries({ queryKey })));
      this.isReading = false;
      const end = Date.now();
      this.notBefore = end + Math.max(ROW_PAUSE_MS - (end - start), end - start);
    }
    this.schedule();
  }
}
