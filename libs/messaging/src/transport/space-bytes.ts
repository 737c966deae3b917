/**
 * Bytes that a process holds, and for which Spaces (or payers of Spaces: an id is an id). `null` is the platform itself,
 * which has no share. A Space may hold
 * two thirds of the limit, and a third while another Space holds some: whoever comes next finds room.
 */
export class SpaceBytes {
  used = 0;
  private readonly held = new Map<string | null, number>();

  /** `largest`: what one piece may have; a share has room for one, however small the limit is. */
  constructor(
    readonly limit: number,
    private readonly largest: number,
  ) {}

  heldBy(spaceId: string | null): number {
    return this.held.get(spaceId) ?? 0;
  }

  add(spaceId: string | null, bytes: number): void {
    this.used += bytes;
    this.held.set(spaceId, this.heldBy(spaceId) + bytes);
  }

  remove(spaceId: string | null, bytes: number): void {
    this.used -= bytes;
    const left = this.heldBy(spaceId) - bytes;
    if (left > 0) this.held.set(spaceId, left);
    else this.held.delete(spaceId);
  }

  /** What keeps so many more from being held: the limit of the process, the share of the Space, or nothing. */
  boundMetBy(spaceId: string | null, bytes: number): 'limit' | 'share' | null {
    if (this.used + bytes > this.limit) return 'limit';
    if (spaceId === null) return null;
    return this.heldBy(spaceId) + bytes > this.shareOf(spaceId) ? 'share' : null;
  }

  /** Who holds most, and gives way first. */
  get greediest(): string | null {
    let greediest: string | null = null;
    let most = -1;
    for (const [spaceId, bytes] of this.held)
      if (bytes > most) {
        most = bytes;
        greediest = spaceId;
      }
    return greediest;
  }

  private shareOf(spaceId: string): number {
    const others = [...this.held.keys()].some((other) => other !== null && other !== spaceId);
    return Math.max(this.largest, (this.limit * (others ? 1 : 2)) / 3);
  }
}
