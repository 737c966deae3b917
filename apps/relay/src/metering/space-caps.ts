import { Injectable } from '@nestjs/common';
import { type Ctx, EffectiveSettings, KeyCalls } from '@switchyard/contracts';
import { Bus } from '@switchyard/messaging';
import { KnownAnswers } from '@switchyard/service';
import { Caps } from '../domain/admission';
import { RelayConfig } from '../relay.config';

/** While the key service is away, what is known holds for another minute; after that calls are refused. */
const AGES = { renewMs: 25_000, freshMs: 30_000, staleMs: 90_000 };
/** How long a slow key service is waited for: longer where nothing is known to go on with. */
const PATIENCE_MS = { withKnown: 3_000, withoutKnown: 10_000 };

/**
 * What a Space has decided about its spending. A signal makes a change hold at once; should one be lost although the line
 * stood, half a minute passes. Who loses the line asks again.
 */
@Injectable()
export class SpaceCaps {
  private readonly known = new KnownAnswers<Caps>(AGES);

  constructor(
    private readonly bus: Bus,
    private readonly config: RelayConfig,
  ) {
    bus.onDown(() => {
      this.known.doubtAll();
    });
  }

  get(ctx: Ctx, spaceId: string): Caps | Promise<Caps> {
    return this.known.of(spaceId, async (isKnown) => {
      const timeoutMs = isKnown ? PATIENCE_MS.withKnown : PATIENCE_MS.withoutKnown;
      return this.capsOf(
        await this.bus.call(KeyCalls.getSpaceSettings, { ...ctx, deadline: 0 }, { spaceId }, { timeoutMs }),
      );
    });
  }

  /** The Space's settings have changed. */
  forget(spaceId: string): void {
    this.known.forget(spaceId);
  }

  private capsOf(settings: EffectiveSettings): Caps {
    return {
      requestTokenCap: settings.requestTokenCap ?? this.config.REQUEST_TOKEN_CAP,
      minimumBalance: settings.minimumBalance,
      dailyTokenCap: settings.dailyTokenCap ?? (this.config.DAILY_TOKEN_CAP === 0 ? null : this.config.DAILY_TOKEN_CAP),
    };
  }
}
