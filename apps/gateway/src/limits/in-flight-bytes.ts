/** The payer of bytes: that of the credential's Space, or the address of an unauthenticated request. */
export type ByteOwner = { spaceId: string } | { address: string };

export type ByteBound = 'total' | 'space' | 'anonymous' | 'address';

export type ByteLimits = Record<ByteBound, number>;

const ownBound = (owner: ByteOwner): ByteBound => ('spaceId' in owner ? 'space' : 'address');

const nameOf = (owner: ByteOwner): string =>
  'spaceId' in owner ? `space:${owner.spaceId}` : `address:${owner.address}`;

/** Counts the bytes that a process holds for its callers, and says which bound one more piece would break. */
export class InFlightBytes {
  private readonly shares = new Map<string, number>();
  private readonly sums = { total: 0, anonymous: 0 };

  constructor(readonly limits: ByteLimits) {}

  get total(): number {
    return this.sums.total;
  }

  get anonymous(): number {
    return this.sums.anonymous;
  }

  /** The bytes of the Space, or of the address, that holds most. */
  largest(kind: 'space' | 'address'): number {
    let most = 0;
    for (const [name, bytes] of this.shares) if (name.startsWith(`${kind}:`) && bytes > most) most = bytes;
    return most;
  }

  /** Null when the bytes were taken; otherwise nothing was, and the answer is the bound that they would break. */
  take(owner: ByteOwner, bytes: number): ByteBound | null {
    const name = nameOf(owner);
    const own = (this.shares.get(name) ?? 0) + bytes;
    if (own > this.limits[ownBound(owner)]) return ownBound(owner);
    if ('address' in owner && this.sums.anonymous + bytes > this.limits.anonymous) return 'anonymous';
    if (this.sums.total + bytes > this.limits.total) return 'total';
    this.add(owner, name, own, bytes);
    return null;
  }

  /** For bytes that are there already and cannot be refused any more. */
  takeAnyway(owner: ByteOwner, bytes: number): void {
    const name = nameOf(owner);
    this.add(owner, name, (this.shares.get(name) ?? 0) + bytes, bytes);
  }

  give(owner: ByteOwner, bytes: number): void {
    const name = nameOf(owner);
    this.add(owner, name, (this.shares.get(name) ?? 0) - bytes, -bytes);
  }

  private add(owner: ByteOwner, name: string, own: number, bytes: number): void {
    if (own > 0) this.shares.set(name, own);
    else this.shares.delete(name);
    if ('address' in owner) this.sums.anonymous += bytes;
    this.sums.total += bytes;
  }
}
