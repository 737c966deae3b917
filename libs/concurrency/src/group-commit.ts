import { AppError } from '@switchyard/kernel';

interface Waiting<Item, Result> {
  item: Item;
  bytes: number;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

/** The queue of a group, and the promise of its last caller. */
interface Line<Item, Result> {
  waiting: Waiting<Item, Result>[];
  last: Promise<Result>;
}

interface Options {
  /** Most items of a batch. */
  items: number;
  bytes?: number;
  /**
   * Sends the next batch before the callers of the last one resume, which takes a while if they go on working. Not for
   * callers that add the next item as soon as they resume: they would miss that batch.
   */
  sendsNextFirst?: boolean;
}

/** The connection pool hands out a connection in the next tick, and the statements are sent right after. */
const TICKS_UNTIL_NEXT_IS_SENT = 2;

const ignore = (): void => undefined;

/**
 * Writes the items of several callers in one transaction, so that they share a commit. A single caller is written
 * immediately; callers that arrive during a write join the next batch. One batch is written at a time.
 */
export class GroupCommit<Item, Result> {
  private readonly groups = new Map<string, Line<Item, Result>>();

  constructor(
    private readonly write: (group: string, items: Item[]) => Promise<(Result | AppError)[]>,
    private readonly options: Options,
  ) {}

  add(group: string, item: Item, bytes = 0): Promise<Result> {
    let entry!: Waiting<Item, Result>;
    const answer = new Promise<Result>((resolve, reject) => {
      entry = { item, bytes, resolve, reject };
    });
    const line = this.groups.get(group);
    if (line) {
      line.waiting.push(entry);
      line.last = answer;
    } else {
      this.groups.set(group, { waiting: [], last: answer });
      void this.drain(group, [entry]);
    }
    return answer;
  }

  /** Resolves when all items of the group are written or have failed; their callers may resume a moment later. */
  async flushed(group: string): Promise<void> {
    await this.groups.get(group)?.last.then(ignore, ignore);
  }

  private async drain(group: string, first: Waiting<Item, Result>[]): Promise<void> {
    for (let batch = first; batch.length > 0; batch = this.take(group)) await this.settle(group, batch);
    this.groups.delete(group);
  }

  private take(group: string): Waiting<Item, Result>[] {
    const waiting = this.groups.get(group)?.waiting ?? [];
    const { bytes: maxBytes = Infinity } = this.options;
    let bytes = 0;
    let count = 0;
    while (count < waiting.length && count < this.options.items) {
      bytes += waiting[count]?.bytes ?? 0;
      if (count > 0 && bytes > maxBytes) break;
      count += 1;
    }
    return waiting.splice(0, count);
  }

  private async settle(group: string, batch: Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await this.write(
        group,
        batch.map((entry) => entry.item),
      );
      if (this.options.sendsNextFirst === true)
        void afterTicks(TICKS_UNTIL_NEXT_IS_SENT, () => resolveAll(batch, results));
      else resolveAll(batch, results);
    } catch (error) {
      const mayBeOneOfThem = batch.length > 1 && !(error instanceof AppError && error.code === 'SERVICE_UNAVAILABLE');
      // Retries one by one, so that an invalid item does not fail the others of its batch.
      if (mayBeOneOfThem) for (const entry of batch) await this.settle(group, [entry]);
      else for (const entry of batch) entry.reject(error);
    }
  }
}

function resolveAll<Item, Result>(
  batch: readonly Waiting<Item, Result>[],
  results: readonly (Result | AppError)[],
): void {
  for (const [index, entry] of batch.entries()) {
    const result = results[index];
    if (result === undefined) entry.reject(new Error('a write answered for fewer items than it was given'));
    else if (result instanceof AppError) entry.reject(result);
    else entry.resolve(result);
  }
}

/** Promises that settle in a tick run before the next tick begins. */
async function afterTicks(ticks: number, then: () => void): Promise<void> {
  for (let tick = 0; tick < ticks; tick += 1) await new Promise<void>((resolve) => process.nextTick(resolve));
  then();
}
