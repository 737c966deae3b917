interface Waiting<Item, Result> {
  owner: string;
  item: Item;
  bytes: number;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

export interface SharedGroupsOptions {
  /** The most that go together, of all owners. */
  items: number;
  owners: number;
  bytes: number;
  /** How many groups run at a time. */
  atOnce: number;
  /** How long an owner that was set apart has groups of its own. */
  apartMs: number;
}

/**
 * Work of several owners (Spaces) that is cheaper together. A lone caller's is done at once; who comes while groups run
 * waits for the next one, into which each owner puts one item in turn. An owner is in one group at a time. An
 * owner that keeps the others waiting, or makes their groups fail, can be set apart: for a while it has groups of its own.
 */
export class SharedGroups<Item, Result> {
  /** In the order of their next turn. */
  private readonly lines = new Map<string, Waiting<Item, Result>[]>();
  private readonly busy = new Set<string>();
  private readonly apartUntil = new Map<string, number>();
  private running = 0;

  constructor(
    /** Answers for each item, in their order. */
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

  /** From now on, and with what it has waiting. */
  setApart(owner: string): void {
    const now = Date.now();
    for (const [other, until] of this.apartUntil) if (until <= now) this.apartUntil.delete(other);
    this.apartUntil.set(owner, now + this.options.apartMs);
    this.begin([owner]);
  }

  /** Begins the groups that may begin now, after something has come or ended for these owners. */
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

  /** One of each owner in turn, until the group is full; who was served goes to the end. */
  private take(owners: readonly string[]): Waiting<Item, Result>[] {
    const taken: Waiting<Item, Result>[] = [];
    let bytes = 0;
    for (let left = owners; left.length > 0; left = left.filter((owner) => this.lines.has(owner)))
      for (const owner of left) {
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
