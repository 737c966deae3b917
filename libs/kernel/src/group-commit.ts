import { AppError } from './errors';

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

interface Limits {
  items: number;
  bytes?: number;
}

const ignore = (): void => undefined;

/**
 * Writes what several callers bring in one transaction, so that they pay for one commit together. A lone caller is
 * written at once; who comes while a write runs waits for the next one. One group is written at a time.
 */
export class GroupCommit<Item, Result> {
  private readonly groups = new Map<string, Line<Item, Result>>();

  constructor(
    private readonly write: (group: string, items: Item[]) => Promise<(Result | AppError)[]>,
    private readonly limits: Limits,
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

  /** Resolves when everything that is in the group now has been written or has failed. */
  async flushed(group: string): Promise<void> {
    await this.groups.get(group)?.last.then(ignore, ignore);
  }

  private async drain(group: string, first: Waiting<Item, Result>[]): Promise<void> {
    for (let batch = first; batch.length > 0; batch = this.take(group)) await this.settle(group, batch);
    this.groups.delete(group);
  }

  private take(group: string): Waiting<Item, Result>[] {
    const waiting = this.groups.get(group)?.waiting ?? [];
    const { bytes: maxBytes = Infinity } = this.limits;
    let bytes = 0;
    let count = 0;
    while (count < waiting.length && count < this.limits.items) {
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
      batch.forEach((entry, index) => {
        const result = results[index];
        if (result === undefined) entry.reject(new Error('a write answered for fewer items than it was given'));
        else if (result instanceof AppError) entry.reject(result);
        else entry.resolve(result);
      });
    } catch (error) {
      const mayBeOneOfThem = batch.length > 1 && !(error instanceof AppError && error.code === 'SERVICE_UNAVAILABLE');
      // One item that cannot be stored must not refuse those that happened to come with it.
      if (mayBeOneOfThem) for (const entry of batch) await this.settle(group, [entry]);
      else for (const entry of batch) entry.reject(error);
    }
  }
}
