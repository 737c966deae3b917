import { Injectable } from '@nestjs/common';
import { type Ctx, requireSpace } from '@switchyard/contracts';
import type { StretchName } from '../projections/call-names';
import type { ResponsesProjection } from '../projections/openai/responses-projection';

const MOST = 256;
const MOST_CHARS = 256 * 1024;
const KEPT_MS = 60_000;

/** A response as far as it was told, and the last frame that was read for it. */
export interface Told {
  projection: ResponsesProjection;
  after: number;
}

const keyOf = (ctx: Ctx, { turnId, stretch }: StretchName): string =>
  `${requireSpace(ctx)}/${ctx.userId ?? ''}/${turnId}/${stretch}`;

/**
 * Responses that were asked for a moment ago: a client that polls is not told the turn from its first frame each time.
 * Whether it may read the turn is asked each time all the same. It may be forgotten at any moment.
 */
@Injectable()
export class ToldSoFar {
  /** The one that was asked for last is the last. */
  private readonly kept = new Map<string, Told & { until: number }>();

  has(ctx: Ctx, name: StretchName): boolean {
    return (this.kept.get(keyOf(ctx, name))?.until ?? 0) > Date.now();
  }

  /** Gives it away: whoever asks at the same moment begins anew. */
  take(ctx: Ctx, name: StretchName): Told | null {
    const key = keyOf(ctx, name);
    const told = this.kept.get(key);
    this.kept.delete(key);
    return told && told.until > Date.now() ? told : null;
  }

  keep(ctx: Ctx, name: StretchName, told: Told): void {
    if (!told.projection.hasBegun || told.projection.size > MOST_CHARS) return;
    const key = keyOf(ctx, name);
    this.kept.delete(key);
    this.kept.set(key, { ...told, until: Date.now() + KEPT_MS });
    const [oldest] = this.kept.keys();
    if (this.kept.size > MOST && oldest !== undefined) this.kept.delete(oldest);
  }
}
