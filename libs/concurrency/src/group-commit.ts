import { AppError } from '@switchyard/kernel';

interface Waiting<Item, Result> {
  item: Item;
  bytes: number;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

/** What waits in a group, and the answer to who came last. */
interface Line<Item, Result> {
  waiting: Waiting<Item, Result>[];
  last: Promise<Result>;
}

interface Options {
  /** The most that go together. */
  items: number;
  bytes?: number;
  /**
   * The next group is sent before the callers of the last one are answered, which takes a while if each of them goes on
   * working. Not for callers that come again as soon as they are answered: they would miss the group that is sent.
   */
  sendsNextFirst?: boolean;
}

/** The pool of connections gives one out in the next tick, and the statements are sent right after that. */
const TICKS_UNTIL_NEXT_IS_SENT = 2;

const ignore = (): void => undefined;

/**
 * Writes what several callers bring in one transaction, so that they pay for one commit together. A lone caller is
 * written at once; who comes while a write runs waits for the next one. One group is written at a time.
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

  /** Resolves when everything in the group has been written or has failed; its callers may hear of it a moment later. */
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
      // One item that cannot be stored must not refuse those that happened to come with it.
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

/** Promises that are settled in a tick run before the next one begins. */
async function afterTicks(ticks: number, then: () => void): Promise<void> {
  for (let tick = 0; tick < ticks; tick += 1) await new Promise<void>((resolve) => process.nextTick(resolve));
  then();
}
