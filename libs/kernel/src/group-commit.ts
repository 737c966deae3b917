import { AppError } from './errors';

interface Waiting<Item, Result> {
  item: Item;
  bytes: number;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

interface Limits {
  items: number;
  bytes: number;
}

/**
 * Writes what several callers bring in one transaction, so that they pay for one commit together. A lone caller is
 * written at once; who comes while a write runs waits for the next one. One group is written at a time.
 */
export class GroupCommit<Item, Result> {
  private readonly groups = new Map<string, Waiting<Item, Result>[]>();

  constructor(
    private readonly write: (group: string, items: Item[]) => Promise<(Result | AppError)[]>,
    private readonly limits: Limits,
  ) {}

  add(group: string, item: Item, bytes: number): Promise<Result> {
    return new Promise((resolve, reject) => {
      const entry = { item, bytes, resolve, reject };
      const waiting = this.groups.get(group);
      if (waiting) {
        waiting.push(entry);
        return;
      }
      this.groups.set(group, []);
      void this.drain(group, [entry]);
    });
  }

  private async drain(group: string, first: Waiting<Item, Result>[]): Promise<void> {
    for (let batch = first; batch.length > 0; batch = this.take(group)) await this.settle(group, batch);
    this.groups.delete(group);
  }

  private take(group: string): Waiting<Item, Result>[] {
    const waiting = this.groups.get(group) ?? [];
    let bytes = 0;
    let count = 0;
    while (count < waiting.length && count < this.limits.items) {
      bytes += waiting[count]?.bytes ?? 0;
      if (count > 0 && bytes > this.limits.bytes) break;
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
