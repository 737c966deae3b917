import type { Lease } from '../db/books.repository';

const nameOf = ({ spaceId, keyId }: Pick<Lease, 'spaceId' | 'keyId'>): string => `${spaceId} ${keyId}`;

/** What this relay holds for its running calls: one sum for each Space and key. */
export class Leases {
  private readonly sums = new Map<string, Lease>();
  /** Leases of which nobody knows whether they were written. */
  private readonly doubtful = new Map<string, Lease>();

  get isDoubtful(): boolean {
    return this.doubtful.size > 0;
  }

  /** What is to be written when these calls end and those begin: sums without either, and those that are in doubt. */
  without(ending: readonly Lease[], beginning: readonly Lease[]): Lease[] {
    const left = new Map<string, Lease>();
    const note = (call: Lease): Lease => {
      const name = nameOf(call);
      const known = left.get(name);
      if (known) return known;
      const sum = { spaceId: call.spaceId, keyId: call.keyId, tokens: this.sums.get(name)?.tokens ?? 0 };
      left.set(name, sum);
      return sum;
    };
    for (const lease of this.doubtful.values()) note(lease);
    for (const call of beginning) note(call);
    for (const call of ending) note(call).tokens -= call.tokens;
    return [...left.values()];
  }

  written(leases: readonly Lease[], begun: readonly Lease[]): void {
    for (const lease of leases) {
      const name = nameOf(lease);
      this.doubtful.delete(name);
      if (lease.tokens > 0) this.sums.set(name, lease);
      else this.sums.delete(name);
    }
    for (const call of begun) {
      const name = nameOf(call);
      this.sums.set(name, { ...call, tokens: call.tokens + (this.sums.get(name)?.tokens ?? 0) });
    }
  }

  /** No answer came: the next writing says them again. */
  doubt(leases: readonly Lease[]): void {
    for (const lease of leases) this.doubtful.set(nameOf(lease), lease);
  }
}
