import { Injectable } from '@nestjs/common';
import { type Ctx, requireSpace, type TurnRecord } from '@switchyard/contracts';
import { Metrics, Workers } from '@switchyard/service';
import type { ResponsesProjection } from './responses-projection';

const MIB = 1024 * 1024;
const MAX_BYTES = 16 * MIB;
/** A quarter: one Space never displaces what all others have. */
const MAX_BYTES_PER_SPACE = 4 * MIB;
const MAX_BYTES_EACH = MIB / 2;
const KEPT_MS = 60_000;
const SWEEP_MS = 10_000;

/** A response as far as it was told, and the last frame that was read for it. */
export interface Told {
  projection: ResponsesProjection;
  after: number;
}

interface Kept extends Told {
  spaceId: string;
  bytes: number;
  until: number;
}

/** A turn as it is held now: the next holder may give numbers of lost frames, which were told, to other frames. */
type HeldTurn = Pick<TurnRecord, 'key' | 'epoch'>;

const keyOf = (ctx: Ctx, { key, epoch }: HeldTurn, stretch: number): string =>
  `${requireSpace(ctx)}/${ctx.userId ?? ''}/${key}/${epoch}/${stretch}`;

/**
 * Responses that were asked for a moment ago: a client that polls is not told the turn from its first frame each time.
 * Whether it may read the turn is asked each time all the same. It may be forgotten at any moment, and is after a minute.
 */
@Injectable()
export class ToldSoFar {
  /** The one that was asked for last is the last. */
  private readonly kept = new Map<string, Kept>();
  private readonly bytesOfSpaces = new Map<string, number>();
  private bytes = 0;
  private displaced = 0;

  constructor(workers: Workers, metrics: Metrics) {
    metrics.gauge(
      'switchyard_response_cache_bytes',
      'Responses kept for clients that poll: used, the Space that has most, their limits, and how many were displaced.',
      ['measure'],
      (gauge) => {
        gauge.set({ measure: 'used' }, this.bytes);
        gauge.set({ measure: 'limit' }, MAX_BYTES);
        gauge.set({ measure: 'space' }, Math.max(0, ...this.bytesOfSpaces.values()));
        gauge.set({ measure: 'space_limit' }, MAX_BYTES_PER_SPACE);
        gauge.set({ measure: 'displaced' }, this.displaced);
      },
    );

    workers.every('forget responses that nobody asks for again', SWEEP_MS, () => {
      this.forgetOld();
      return Promise.resolve();
    });
  }

  has(ctx: Ctx, turn: HeldTurn, stretch: number): boolean {
    return (this.kept.get(keyOf(ctx, turn, stretch))?.until ?? 0) > Date.now();
  }

  /** Gives it away: whoever asks at the same moment begins anew. */
  take(ctx: Ctx, turn: HeldTurn, stretch: number): Told | null {
    const told = this.forget(keyOf(ctx, turn, stretch));
    return told && told.until > Date.now() ? told : null;
  }

  keep(ctx: Ctx, turn: HeldTurn, stretch: number, { projection, after }: Told): void {
    const { bytes } = projection;
    if (!projection.hasBegun || bytes > MAX_BYTES_EACH) return;
    const key = keyOf(ctx, turn, stretch);
    const spaceId = requireSpace(ctx);
    this.forget(key);
    this.kept.set(key, { projection, after, spaceId, bytes, until: Date.now() + KEPT_MS });
    this.count(spaceId, bytes);
    while ((this.bytesOfSpaces.get(spaceId) ?? 0) > MAX_BYTES_PER_SPACE)
      this.forgetFirst((told) => told.spaceId === spaceId);
    while (this.bytes > MAX_BYTES) this.forgetFirst(() => true);
  }

  private forgetOld(): void {
    for (const [key, { until }] of this.kept) {
      if (until > Date.now()) return;
      this.forget(key);
    }
  }

  private forgetFirst(matches: (told: Kept) => boolean): void {
    for (const [key, told] of this.kept) {
      if (!matches(told)) continue;
      this.displaced += 1;
      this.forget(key);
      return;
    }
  }

  private forget(key: string): Kept | undefined {
    const told = this.kept.get(key);
    if (told && this.kept.delete(key)) this.count(told.spaceId, -told.bytes);
    return told;
  }

  private count(spaceId: string, bytes: number): void {
    const own = (this.bytesOfSpaces.get(spaceId) ?? 0) + bytes;
    if (own > 0) this.bytesOfSpaces.set(spaceId, own);
    else this.bytesOfSpaces.delete(spaceId);
    this.bytes += bytes;
  }
}
