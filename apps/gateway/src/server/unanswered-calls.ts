import { Controller, Injectable, type OnModuleInit } from '@nestjs/common';
import { UnansweredCallSignals, type UnansweredCallChange, serviceCtx } from '@switchyard/contracts';
import { Bus, Handles, type UnansweredCall } from '@switchyard/messaging';
import { RedisCache } from '@switchyard/service';

const STORED = 'unanswered-calls';
const DAY_MS = 24 * 3_600_000;
/** There is one for each request that got no answer today. */
const STORED_MAX = 10_000;

type StoredCall = UnansweredCall & { at: number };

/**
 * Requests that got no answer, known to all gateways: a client may repeat one at any of them. They tell each other by
 * signals, so that no request has to look; Redis has it for gateways that start later.
 */
@Injectable()
export class UnansweredCalls implements OnModuleInit {
  constructor(
    private readonly bus: Bus,
    private readonly redis: RedisCache,
  ) {}

  onModuleInit(): void {
    this.bus.onUnanswered((call) => {
      this.share(call);
    });
    this.redis.client.on('ready', () => void this.load());
    if (this.redis.isUp) void this.load();
  }

  learn({ work, losses, unexplained, isAnswered }: UnansweredCallChange): void {
    this.bus.learnUnanswered({ work, silence: isAnswered ? null : { losses, unexplained } });
  }

  private share(call: UnansweredCall): void {
    const { work, silence } = call;
    const { losses, unexplained } = silence ?? { losses: 0, unexplained: 0 };
    const change = { work, losses, unexplained, isAnswered: silence === null };
    this.bus.signal(UnansweredCallSignals.changed, serviceCtx('gateway'), change);
    this.store(call).catch(() => undefined);
  }

  /** Without Redis, a gateway that starts later counts anew. */
  private async store(call: UnansweredCall): Promise<void> {
    const { client } = this.redis;
    if (call.silence === null) {
      await client.hdel(STORED, call.work);
      return;
    }
    if ((await client.hlen(STORED)) >= STORED_MAX) return;
    const stored: StoredCall = { ...call, at: Date.now() };
    await client.hset(STORED, call.work, JSON.stringify(stored));
    await client.pexpire(STORED, DAY_MS);
  }

  private async load(): Promise<void> {
    const stored = await this.redis.client.hvals(STORED).catch(() => []);
    const since = Date.now() - DAY_MS;
    for (const text of stored) {
      const { at, ...call } = JSON.parse(text) as StoredCall;
      if (at > since) this.bus.learnUnanswered(call);
      else await this.redis.client.hdel(STORED, call.work).catch(() => undefined);
    }
  }
}

@Controller()
export class UnansweredCallsController {
  constructor(private readonly calls: UnansweredCalls) {}

  @Handles(UnansweredCallSignals.changed)
  onChanged(change: UnansweredCallChange): void {
    this.calls.learn(change);
  }
}
