interface Waiting<Item, Result> {
  owner: string;
  item: Item;
  bytes: number;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

export interface SharedGroupsOptions {
  /** Most items of a batch, of all owners. */
  items: number;
  owners: number;
  bytes: number;
  /** Most concurrent batches. */
  atOnce: number;
  /** How long an isolated owner is batched alone. */
  apartMs: number;
}

/**
 * Batches the work of several owners (Spaces). A single caller runs immediately; callers that arrive meanwhile join the
 * next batch, which takes items in round robin by owner. An owner is in one batch at a time. An owner that delays or
 * fails the batches of others can be isolated: for a while it is batched alone.
 */
export class SharedGroups<Item, Result> {
  /** In round-robin order. */
  private readonly lines = new Map<string, Waiting<Item, Result>[]>();
  private readonly busy = new Set<string>();
  private readonly apartUntil = new Map<string, number>();
  private running = 0;

  constructor(
    /** Returns a result for each item, in order. */
    private readonly work: (items: Item[]) => Promise<Result[]>,
    private readonly options: SharedGroupsOptions,
  ) {}

  add(owner: string, item: Item, bytes = 0): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      const line = this.lines.get(owner) ?? [];
      line.push({ owner, item, bytes, resolve, reject });
      if (line.length === 1) this.lines.set(owner, line);
      this.begin([owner]);
    });
  }

  /** Including the items that already wait. */
  setApart(owner: string): void {
    const now = Date.now();
    for (const [other, until] of this.apartUntil) if (until <= now) this.apartUntil.delete(other);
    this.apartUntil.set(owner, now + this.options.apartMs);
    this.begin([owner]);
  }

  /** Starts the batches that can start after these owners added items or finished. */
  private begin(owners: Iterable<string>): void {
    for (const owner of owners)
      if (this.lines.has(owner) && !this.busy.has(owner) && this.isApart(owner)) void this.runAlone(owner);
    while (this.running < this.options.atOnce) {
      const group = this.takeShared();
      if (group.length === 0) return;
      void this.runShared(group);
    }
  }

  private isApart(owner: string): boolean {
    const until = this.apartUntil.get(owner);
    if (until === undefined) return false;
    if (until > Date.now()) return true;
    this.apartUntil.delete(owner);
    return false;
  }

  private async runAlone(owner: string): Promise<void> {
    const group = this.take([owner]);
    await this.run(group, [owner]);
    this.begin([owner]);
  }

  private async runShared(group: readonly Waiting<Item, Result>[]): Promise<void> {
    const owners = [...new Set(group.map(({ owner }) => owner))];
    this.running += 1;
    await this.run(group, owners);
    this.running -= 1;
    this.begin(owners);
  }

  private async run(group: readonly Waiting<Item, Result>[], owners: readonly string[]): Promise<void> {
    for (const owner of owners) this.busy.add(owner);
    try {
      const results = await this.work(group.map(({ item }) => item));
      for (const [at, { resolve }] of group.entries()) resolve(results[at] as Result);
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
    for (const owner of owners) this.busy.delete(owner);
  }

  private takeShared(): Waiting<Item, Result>[] {
    const owners: string[] = [];
    for (const owner of this.lines.keys()) {
      if (owners.length === this.options.owners) break;
      if (!this.busy.has(owner) && !this.isApart(owner)) owners.push(owner);
    }
    return this.take(owners);
  }

  /** Round robin: one item of each owner until the batch is full; a served owner goes to the end. */
  private take(owners: readonly string[]): Waiting<Item, Result>[] {
    const taken: Waiting<Item, Result>[] = [];
    let bytes = 0;
    for (let rest = owners; rest.length > 0; rest = rest.filter((owner) => this.lines.has(owner)))
      for (const owner of rest) {
        const line = this.lines.get(owner) ?? [];
        const [next] = line;
        if (!next) continue;
        bytes += next.bytes;
        if (taken.length === this.options.items || (taken.length > 0 && bytes > this.options.bytes)) return taken;
        taken.push(next);
        line.shift();
        this.lines.delete(owner);
        if (line.length > 0) this.lines.set(owner, line);
      }
    return taken;
  }
}
