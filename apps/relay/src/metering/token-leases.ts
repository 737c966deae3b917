import type { Lease } from '../db/ledger-batch.repository';

/** A lease as it is written. */
export interface WrittenLease extends Lease {
  ahead: number;
}

/** The calls of one Space and key. */
interface Sum {
  spaceId: string;
  keyId: string;
  /** Tokens reserved by its running calls. */
  tokens: number;
  /** The same as it was last written. */
  written: number;
  /** Tokens confirmed by the database: beyond them, a call needs a write first. */
  granted: number;
  /** When what it holds was last begun to be written: long ago, others may have freed it. */
  grantedAt: number;
  /** The sum in the batch that is being written; 0 if there is none. */
  inFlight: number;
  inFlightSince: number;
  /** Size and time of the last call. */
  size: number;
  usedAt: number;
}

export interface Preleased {
  /** Tokens that this lease has preleased. */
  own: number;
  /** Tokens that other leases of the Space add in the same batch. */
  more: number;
}

const nameOf = ({ spaceId, keyId }: Pick<Lease, 'spaceId' | 'keyId'>): string => `${spaceId} ${keyId}`;

/** If no call arrives for so long, tokens leased for later calls are returned. */
const IDLE_MS = 5_000;

/** This relay's token leases: one sum for each Space and key, for running calls and preleased for future ones. */
export class TokenLeases {
  private readonly sums = new Map<string, Sum>();
  /** Leases to write with the next batch. */
  private readonly due = new Map<string, Sum>();

  /** `leaseSizeFor` returns the tokens to prelease for further calls of a size, for each lease that is written. */
  constructor(
    private readonly leaseSizeFor: (spaceId: string, tokens: number, now: Preleased) => number,
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

  /** Leases to write when these calls end and those begin: sums without either, plus the leases that are due. */
  without(ending: readonly Lease[], beginning: readonly Lease[]): WrittenLease[] {
    for (const call of beginning) this.use(this.sumOf(call), call);
    const sums = new Set([...this.due.values(), ...beginning.map(this.sumOf), ...ending.map(this.sumOf)]);
    const rest = new Map<Sum, WrittenLease>();
    const added = new Map<string, number>();
    for (const sum of sums) {
      const { spaceId, keyId, tokens, size, granted, written } = sum;
      const more = added.get(spaceId) ?? 0;
      const own = Math.max(0, granted - written);
      const preleased = this.isIdle(sum) ? 0 : this.leaseSizeFor(spaceId, size, { own, more });
      added.set(spaceId, more + preleased - own);
      rest.set(sum, { spaceId, keyId, tokens, ahead: preleased });
    }
    this.due.clear();
    for (const call of ending) {
      const lease = rest.get(this.sumOf(call));
      if (lease) lease.tokens -= call.tokens;
    }
    // Whether it will be written is not known: until then no more is taken than is held in either case.
    const at = this.now();
    for (const [sum, { tokens, ahead }] of rest) {
      sum.granted = Math.min(sum.granted, tokens + ahead);
      sum.inFlight = tokens + ahead;
      sum.inFlightSince = at;
    }
    return [...rest.values()];
  }

  written(leases: readonly WrittenLease[], ended: readonly Lease[], begun: readonly Lease[]): void {
    for (const call of ended) this.sumOf(call).tokens -= call.tokens;
    for (const lease of leases) {
      const sum = this.sumOf(lease);
      sum.written = lease.tokens;
      sum.granted = lease.tokens + lease.ahead;
      sum.grantedAt = sum.inFlightSince;
      sum.inFlight = 0;
    }
    for (const call of begun) {
      const sum = this.sumOf(call);
      sum.tokens += call.tokens;
      sum.written += call.tokens;
      sum.granted += call.tokens;
    }
    for (const lease of leases) {
      const { tokens, written, granted } = this.sumOf(lease);
      if (tokens === 0 && written === 0 && granted === 0 && !this.due.has(nameOf(lease)))
        this.sums.delete(nameOf(lease));
    }
  }

  /** No answer came: the next batch says them again. */
  invalidate(leases: readonly Lease[]): void {
    for (const lease of leases) this.due.set(nameOf(lease), this.sumOf(lease));
  }

  /** Makes leases due that others must know: taken and unused tokens. */
  look(): void {
    for (const [name, sum] of this.sums)
      if (sum.tokens !== sum.written || (sum.granted > sum.tokens && this.isIdle(sum))) this.due.set(name, sum);
  }

  /** Others may have freed what this relay holds: the next batch says all of it. */
  invalidateAll(): void {
    for (const [name, sum] of this.sums) {
      sum.grantedAt = 0;
      this.due.set(name, sum);
    }
  }

  /** Makes everything due that is held ahead in a Space. Whether there is any. */
  giveBack(spaceId: string): boolean {
    let isAny = false;
    for (const [name, sum] of this.sums) {
      if (sum.spaceId !== spaceId || Math.max(sum.granted, sum.inFlight) <= sum.tokens) continue;
      this.due.set(name, sum);
      isAny = true;
    }
    return isAny;
  }

  private readonly sumOf = (lease: Pick<Lease, 'spaceId' | 'keyId'>): Sum => {
    const name = nameOf(lease);
    const existing = this.sums.get(name);
    if (existing) return existing;
    const { spaceId, keyId } = lease;
    const nothing = {
      tokens: 0,
      written: 0,
      granted: 0,
      grantedAt: 0,
      inFlight: 0,
      inFlightSince: 0,
      size: 0,
      usedAt: 0,
    };
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
