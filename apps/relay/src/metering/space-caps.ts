import { Inject, Injectable } from '@nestjs/common';
import { type Ctx, EffectiveSettings, KeyCalls } from '@switchyard/contracts';
import { type Clock } from '@switchyard/kernel';
import { Bus } from '@switchyard/messaging';
import { CLOCK } from '@switchyard/service';
import { LRUCache } from 'lru-cache';
import { Caps } from '../domain/admission';
import { RelayConfig } from '../relay.config';

const FRESH_MS = 5_000;
/** While the key service is away, what was known a minute ago still holds; after that calls are refused. */
const STALE_MS = 60_000;
/** How long a slow key service is waited for: longer where nothing is known to go on with. */
const PATIENCE_MS = { withKnown: 3_000, withoutKnown: 10_000 };

interface Known {
  caps: Caps;
  at: number;
}

/** What a Space has decided about its spending, at most five seconds old. */
@Injectable()
export class SpaceCaps {
  private readonly known = new LRUCache<string, Known>({ max: 20_000 });
  private readonly asking = new Map<string, Promise<Caps>>();
  private changes = 0;

  constructor(
    private readonly bus: Bus,
    private readonly config: RelayConfig,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  get(ctx: Ctx, spaceId: string): Caps | Promise<Caps> {
    const known = this.known.get(spaceId);
    const age = known ? this.clock.now().getTime() - known.at : Infinity;
    if (known && age < FRESH_MS) return known.caps;
    let asking = this.asking.get(spaceId);
    if (!asking) {
      const asked = this.ask(ctx, spaceId, known ? PATIENCE_MS.withKnown : PATIENCE_MS.withoutKnown).finally(() => {
        if (this.asking.get(spaceId) === asked) this.asking.delete(spaceId);
      });
      asking = asked;
      this.asking.set(spaceId, asked);
    }
    return known && age < STALE_MS ? asking.catch(() => known.caps) : asking;
  }

  /** The Space's settings have changed: the next call asks, and does not share an answer that may be older. */
  forget(spaceId: string): void {
    this.changes += 1;
    this.known.delete(spaceId);
    this.asking.delete(spaceId);
  }

  private async ask(ctx: Ctx, spaceId: string, timeoutMs: number): Promise<Caps> {
    const { changes } = this;
    const caps = this.capsOf(
      await this.bus.call(KeyCalls.getSpaceSettings, { ...ctx, deadline: 0 }, { spaceId }, { timeoutMs }),
    );
    if (this.changes === changes) this.known.set(spaceId, { caps, at: this.clock.now().getTime() });
    return caps;
  }

  private capsOf(settings: EffectiveSettings): Caps {
    return {
      requestTokenCap: settings.requestTokenCap ?? this.config.REQUEST_TOKEN_CAP,
      minimumBalance: settings.minimumBalance,
      dailyTokenCap: settings.dailyTokenCap ?? (this.config.DAILY_TOKEN_CAP === 0 ? null : this.config.DAILY_TOKEN_CAP),
    };
  }
}
