/**
 * Byte quota of a process, shared by Spaces (or payers). `null` is the platform itself, without a share limit. A Space
 * may use two thirds of the limit, or one third while another Space uses some, so that the next one finds room.
 */
export class TenantByteQuota {
  used = 0;
  private readonly usedBytes = new Map<string | null, number>();

  /** `largest`: size of one item; a share fits at least one. */
  constructor(
    readonly limit: number,
    private readonly largest: number,
  ) {}

  usedBy(spaceId: string | null): number {
    return this.usedBytes.get(spaceId) ?? 0;
  }

  add(spaceId: string | null, bytes: number): void {
    this.used += bytes;
    this.usedBytes.set(spaceId, this.usedBy(spaceId) + bytes);
  }

  remove(spaceId: string | null, bytes: number): void {
    this.used -= bytes;
    const remaining = this.usedBy(spaceId) - bytes;
    if (remaining > 0) this.usedBytes.set(spaceId, remaining);
    else this.usedBytes.delete(spaceId);
  }

  /** The bound that the bytes would exceed: the process's limit, the Space's share, or none. */
  boundMetBy(spaceId: string | null, bytes: number): 'limit' | 'share' | null {
    if (this.used + bytes > this.limit) return 'limit';
    if (spaceId === null) return null;
    return this.usedBy(spaceId) + bytes > this.shareOf(spaceId) ? 'share' : null;
  }

  /** The largest user, which is evicted first. */
  get greediest(): string | null {
    let greediest: string | null = null;
    let most = -1;
    for (const [spaceId, bytes] of this.usedBytes)
      if (bytes > most) {
        most = bytes;
        greediest = spaceId;
      }
    return greediest;
  }

  private shareOf(spaceId: string): number {
    const others = [...this.usedBytes.keys()].some((other) => other !== null && other !== spaceId);
    return Math.max(this.largest, (this.limit * (others ? 1 : 2)) / 3);
  }
}
