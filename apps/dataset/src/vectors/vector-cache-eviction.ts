/** Memory of one dataset. */
export interface Resident {
  readonly spaceId: string;
  readonly bytes: number;
  /** Searches and loads that use it right now: as long as there are any, it stays. */
  readonly users: number;
  /** It takes no more searches, and goes when those that use it have ended. */
  readonly isRetired: boolean;
}

export interface MemoryBounds {
  total: number;
  /** Memory that a Space keeps also when others need some. */
  share: number;
}

/**
 * The datasets whose vectors are in memory, the least recently used first. A Space may take what lies idle; when room
 * is needed, a Space that has more than its share gives way before any other, and cannot displace another. It gives way
 * even where it searches without a pause: what it uses then takes no more searches, and goes with the last of them.
 */
export class VectorMemory<T extends Resident> {
  private readonly residents = new Map<string, T>();

  constructor(readonly bounds: MemoryBounds) {}

  find(key: string): T | undefined {
    return this.residents.get(key);
  }

  /** Puts it last in the order of going. */
  use(key: string, resident: T): void {
    this.residents.delete(key);
    this.residents.set(key, resident);
  }

  remove(resident: T): void {
    for (const [key, other] of this.residents) if (other === resident) this.residents.delete(key);
  }

  all(): T[] {
    return [...this.residents.values()];
  }

  get used(): number {
    return this.bytesOf(() => true);
  }

  usedBy(spaceId: string): number {
    return this.bytesOf((resident) => resident.spaceId === spaceId);
  }

  private bytesOf(isCounted: (resident: T) => boolean): number {
    return this.all().reduce((sum, resident) => sum + (isCounted(resident) ? resident.bytes : 0), 0);
  }

  get isOver(): boolean {
    return this.used > this.bounds.total;
  }

  /** Whether it is over even when everything has gone that only waits for the end of its searches. */
  get isOverWithoutRetired(): boolean {
    return this.bytesOf((resident) => !resident.isRetired) > this.bounds.total;
  }

  /**
   * Which dataset in use has to take no more searches so that this one can stay: one of a Space that has more than its
   * share, and only for a Space that has not. Null where there is none.
   */
  nextToRetire(staying: T): T | null {
    const isGreedy = (spaceId: string): boolean =>
      this.bytesOf((other) => other.spaceId === spaceId && !other.isRetired) > this.bounds.share;
    if (isGreedy(staying.spaceId)) return null;
    return this.all().find((other) => other.users > 0 && !other.isRetired && isGreedy(other.spaceId)) ?? null;
  }

  /** Which dataset has to go so that this one can stay; null where none may. */
  nextToGo(staying: T): T | null {
    const idle = this.all().filter((other) => other !== staying && other.users === 0 && other.bytes > 0);
    const isGreedy = (spaceId: string): boolean => this.usedBy(spaceId) > this.bounds.share;
    const own = idle.find((other) => other.spaceId === staying.spaceId);
    if (isGreedy(staying.spaceId)) return own ?? idle.find((other) => isGreedy(other.spaceId)) ?? null;
    return idle.find((other) => isGreedy(other.spaceId)) ?? idle[0] ?? null;
  }
}
