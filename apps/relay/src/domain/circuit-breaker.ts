/** So many silences, with no answer in between, and an upstream is left alone. */
const SILENCES = 20;
/** The silence of one Space alone says nothing of the upstream to others: it takes three of them. */
const SHARE = Math.ceil(SILENCES / 3);
export const REST_MS = 3_000;

interface Stand {
  silences: number;
  /** When the next attempt finds out whether there are answers again; Infinity while one does. */
  triesAt: number;
}

const newStand = (): Stand => ({ silences: 0, triesAt: 0 });

function silent(stand: Stand, now: number): void {
  stand.silences += 1;
  stand.triesAt = now + REST_MS;
}

/**
 * Circuit breaker of an upstream. A failed connection counts for every Space. A timeout can come from the request
 * itself (a very long prompt, a custom model), so it counts for the Space that sent it, and opens for others only if
 * several Spaces have timed out, they among them. Callers never wait for another one's probe.
 */
export class CircuitBreaker {
  private readonly connection = newStand();
  private readonly spaces = new Map<string | null, Stand>();

  /** Whether an attempt would be made now. */
  admits(spaceId: string | null, now: number): boolean {
    return this.isWell() || this.shut(spaceId).every(({ triesAt }) => now >= triesAt);
  }

  /** Begins an attempt, which ends with `answered`, `unreachable`, `unanswered` or `left`. */
  begin(spaceId: string | null, now: number): boolean {
    if (this.isWell()) return true;
    if (!this.admits(spaceId, now)) return false;
    for (const stand of this.shut(spaceId)) stand.triesAt = Infinity;
    return true;
  }

  /** A request is on a connection. */
  reached(): void {
    this.connection.silences = 0;
  }

  answered(): void {
    this.connection.silences = 0;
    if (this.spaces.size > 0) this.spaces.clear();
  }

  unreachable(spaceId: string | null, now: number): void {
    silent(this.connection, now);
    this.left(spaceId, now);
  }

  unanswered(spaceId: string | null, now: number): void {
    let stand = this.spaces.get(spaceId);
    if (!stand) this.spaces.set(spaceId, (stand = newStand()));
    silent(stand, now);
  }

  /** The attempt has said nothing of the upstream: the next one may. */
  left(spaceId: string | null, now: number): void {
    for (const stand of this.shut(spaceId)) if (stand.triesAt === Infinity) stand.triesAt = now;
  }

  private isWell(): boolean {
    return this.connection.silences === 0 && this.spaces.size === 0;
  }

  private shut(spaceId: string | null): Stand[] {
    const stands: Stand[] = [];
    if (this.connection.silences >= SILENCES) stands.push(this.connection);
    const own = this.spaces.get(spaceId);
    if (own && (own.silences >= SILENCES || this.isSilentForAll())) stands.push(own);
    return stands;
  }

  private isSilentForAll(): boolean {
    let sum = 0;
    for (const { silences } of this.spaces.values()) if ((sum += Math.min(silences, SHARE)) >= SILENCES) return true;
    return false;
  }
}
