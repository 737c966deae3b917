import { Injectable } from '@nestjs/common';
import { type Ctx, requireSpace, type TurnRecord } from '@switchyard/contracts';
import { Metrics, Workers } from '@switchyard/service';
import type { ResponsesProjection } from './responses-projection';

const MIB = 1024 * 1024;
const MAX_BYTES = 16 * MIB;
/** A quarter: one Space never evicts all entries of others. */
const MAX_BYTES_PER_SPACE = 4 * MIB;
const MAX_BYTES_EACH = MIB / 2;
const CACHE_MS = 60_000;
const SWEEP_MS = 10_000;

/** A partial response and the last frame that it contains. */
export interface PartialResponse {
  projection: ResponsesProjection;
  after: number;
}

interface CachedResponse extends PartialResponse {
  spaceId: string;
  bytes: number;
  until: number;
}

/** One lease of a turn: the next holder may reuse sequence numbers of frames that were lost after sending. */
type TurnVersion = Pick<TurnRecord, 'key' | 'epoch'>;

const keyOf = (ctx: Ctx, { key, epoch }: TurnVersion, segment: number): string =>
  `${requireSpace(ctx)}/${ctx.userId ?? ''}/${key}/${epoch}/${segment}`;

/**
 * Recently read responses: a polling client does not cause a replay from the first frame each time. Access to the turn
 * is checked each time. It may be forgotten at any moment, and is after a minute.
 */
@Injectable()
export class PartialResponseCache {
  /** Least recently used first. */
  private readonly cache = new Map<string, CachedResponse>();
  private readonly bytesOfSpaces = new Map<string, number>();
  private bytes = 0;
  private displaced = 0;

  constructor(workers: Workers, metrics: Metrics) {
    metrics.bounded(
      {
        name: 'switchyard_response_cache_bytes',
        help: 'Bytes of responses that are stored for clients that poll.',
        measures: ['used', 'limit', 'largest', 'largestLimit', 'removed'],
      },
      (set) =>
        set({
          used: this.bytes,
          limit: MAX_BYTES,
          largest: Math.max(0, ...this.bytesOfSpaces.values()),
          largestLimit: MAX_BYTES_PER_SPACE,
          removed: this.displaced,
        }),
    );

    workers.every('remove expired partial responses', SWEEP_MS, () => {
      this.removeOld();
      return Promise.resolve();
    });
  }

  has(ctx: Ctx, turn: TurnVersion, segment: number): boolean {
    return (this.cache.get(keyOf(ctx, turn, segment))?.until ?? 0) > Date.now();
  }

  /** Removes and returns it: a concurrent request starts from the beginning. */
  take(ctx: Ctx, turn: TurnVersion, segment: number): PartialResponse | null {
    const cached = this.remove(keyOf(ctx, turn, segment));
    return cached && cached.until > Date.now() ? cached : null;
  }

  keep(ctx: Ctx, turn: TurnVersion, segment: number, { projection, after }: PartialResponse): void {
    const { bytes } = projection;
    if (!projection.hasBegun || bytes > MAX_BYTES_EACH) return;
    const key = keyOf(ctx, turn, segment);
    const spaceId = requireSpace(ctx);
    this.remove(key);
    this.cache.set(key, { projection, after, spaceId, bytes, until: Date.now() + CACHE_MS });
    this.count(spaceId, bytes);
    while ((this.bytesOfSpaces.get(spaceId) ?? 0) > MAX_BYTES_PER_SPACE)
      this.removeFirst((cached) => cached.spaceId === spaceId);
    while (this.bytes > MAX_BYTES) this.removeFirst(() => true);
  }

  private removeOld(): void {
    for (const [key, { until }] of this.cache) {
      if (until > Date.now()) return;
      this.remove(key);
    }
  }

  private removeFirst(matches: (cached: CachedResponse) => boolean): void {
    for (const [key, cached] of this.cache) {
      if (!matches(cached)) continue;
      this.displaced += 1;
      this.remove(key);
      return;
    }
  }

  private remove(key: string): CachedResponse | undefined {
    const cached = this.cache.get(key);
    if (cached && this.cache.delete(key)) this.count(cached.spaceId, -cached.bytes);
    return cached;
  }

  private count(spaceId: string, bytes: number): void {
    const own = (this.bytesOfSpaces.get(spaceId) ?? 0) + bytes;
    if (own > 0) this.bytesOfSpaces.set(spaceId, own);
    else this.bytesOfSpaces.delete(spaceId);
    this.bytes += bytes;
  }
}
