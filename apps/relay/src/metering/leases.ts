import type { Lease } from '../db/books.repository';

/** What a lease says when it is written. */
export interface Said extends Lease {
  ahead: number;
}

/** The calls of one Space and key. */
interface Sum {
  spaceId: string;
  keyId: string;
  /** What its running calls hold. */
  tokens: number;
  /** The same as it was last written. */
  said: number;
  /** What the database surely holds for it: beyond that nothing is let in without being asked for. */
  granted: number;
  /** When what it holds was last begun to be written: long ago, others may have freed it. */
  grantedAt: number;
  /** What a batch that is out says; 0 where none is. */
  saying: number;
  sayingAt: number;
  /** What the last call has asked for, and when. */
  size: number;
  usedAt: number;
}

export interface Ahead {
  /** What the lease holds for calls to come. */
  held: number;
  /** What other leases of the Space add to theirs in the same batch. */
  more: number;
}

const nameOf = ({ spaceId, keyId }: Pick<Lease, 'spaceId' | 'keyId'>): string => `${spaceId} ${keyId}`;

/** When no call has come for so long, what is held for the next ones goes back. */
const IDLE_MS = 5_000;

/** What this relay holds for its running calls, and ahead for those to come: one sum for each Space and key. */
export class Leases {
  private readonly sums = new Map<string, Sum>();
  /** What the next batch is to say, whatever it is about. */
  private readonly due = new Map<string, Sum>();

  /** `aheadFor` says what to hold for further calls of a size; it is asked whenever a lease is written. */
  constructor(
    private readonly aheadFor: (spaceId: string, tokens: number, now: Ahead) => number,
    private readonly now: () => number = Date.now,
  ) {}

  get isEmpty(): boolean {
    return this.sums.size === 0;
  }

  get isDue(): boolean {
    return this.due.size > 0;
  }

  /** Lets a call in by what is held already; false where that is not enough. */
  take(call: Lease): boolean {
    const sum = this.sums.get(nameOf(call));
    if (!sum || this.now() - sum.grantedAt >= IDLE_MS || sum.tokens + call.tokens > sum.granted) return false;
    sum.tokens += call.tokens;
    this.use(sum, call);
    return true;
  }

  /** What is to be written when these calls end and those begin: sums without either, and whatever is due. */
  without(ending: readonly Lease[], beginning: readonly Lease[]): Said[] {
    for (const call of beginning) this.use(this.sumOf(call), call);
    const sums = new Set([...this.due.values(), ...beginning.map(this.sumOf), ...ending.map(this.sumOf)]);
    const left = new Map<Sum, Said>();
    const added = new Map<string, number>();
    for (const sum of sums) {
      const { spaceId, keyId, tokens, size, granted, said } = sum;
      const more = added.get(spaceId) ?? 0;
      const held = Math.max(0, granted - said);
      const ahead = this.isIdle(sum) ? 0 : this.aheadFor(spaceId, size, { held, more });
      added.set(spaceId, more + ahead - held);
      left.set(sum, { spaceId, keyId, tokens, ahead });
    }
    this.due.clear();
    for (const call of ending) {
      const said = left.get(this.sumOf(call));
      if (said) said.tokens -= call.tokens;
    }
    // Whether it will be written is not known: until then no more is taken than is held in either case.
    const at = this.now();
    for (const [sum, { tokens, ahead }] of left) {
      sum.granted = Math.min(sum.granted, tokens + ahead);
      sum.saying = tokens + ahead;
      sum.sayingAt = at;
    }
    return [...left.values()];
  }

  written(leases: readonly Said[], ended: readonly Lease[], begun: readonly Lease[]): void {
    for (const call of ended) this.sumOf(call).tokens -= call.tokens;
    for (const lease of leases) {
      const sum = this.sumOf(lease);
      sum.said = lease.tokens;
      sum.granted = lease.tokens + lease.ahead;
      sum.grantedAt = sum.sayingAt;
      sum.saying = 0;
    }
    for (const call of begun) {
      const sum = this.sumOf(call);
      sum.tokens += call.tokens;
      sum.said += call.tokens;
      sum.granted += call.tokens;
    }
    for (const lease of leases) {
      const { tokens, said, granted } = this.sumOf(lease);
      if (tokens === 0 && said === 0 && granted === 0 && !this.due.has(nameOf(lease))) this.sums.delete(nameOf(lease));
    }
  }

  /** No answer came: the next batch says them again. */
  doubt(leases: readonly Lease[]): void {
    for (const lease of leases) this.due.set(nameOf(lease), this.sumOf(lease));
  }

  /** Makes due what others are to know by now: what was taken, and what nobody takes. */
  look(): void {
    for (const [name, sum] of this.sums)
      if (sum.tokens !== sum.said || (sum.granted > sum.tokens && this.isIdle(sum))) this.due.set(name, sum);
  }

  /** Others may have freed what this relay holds: the next batch says all of it. */
  doubtAll(): void {
    for (const [name, sum] of this.sums) {
      sum.grantedAt = 0;
      this.due.set(name, sum);
    }
  }

  /** Makes everything due that is held ahead in a Space. Whether there is any. */
  giveBack(spaceId: string): boolean {
    let isAny = false;
    for (const [name, sum] of this.sums) {
      if (sum.spaceId !== spaceId || Math.max(sum.granted, sum.saying) <= sum.tokens) continue;
      this.due.set(name, sum);
      isAny = true;
    }
    return isAny;
  }

  private readonly sumOf = (lease: Pick<Lease, 'spaceId' | 'keyId'>): Sum => {
    const name = nameOf(lease);
    const known = this.sums.get(name);
    if (known) return known;
    const { spaceId, keyId } = lease;
    const nothing = { tokens: 0, said: 0, granted: 0, grantedAt: 0, saying: 0, sayingAt: 0, size: 0, usedAt: 0 };
    const sum: Sum = { spaceId, keyId, ...nothing };
    this.sums.set(name, sum);
    return sum;
  };

  private use(sum: Sum, { tokens }: Lease): void {
    sum.size = tokens;
    sum.usedAt = this.now();
  }

  private isIdle({ usedAt }: Sum): boolean {
    return this.now() - usedAt > IDLE_MS;
  }
}
