import { Controller, Injectable, type OnModuleInit } from '@nestjs/common';
import { InterruptedCallSignals, type InterruptedCallChange, serviceCtx } from '@switchyard/contracts';
import { newId, sleep } from '@switchyard/kernel';
import { Bus, Handles, type InterruptedCall } from '@switchyard/messaging';
import { RedisCache } from '@switchyard/service';

const STORED = 'unanswered-calls';
/** When each of them ends. */
const ENDS = 'unanswered-calls.ends';
const ALONE = 'unanswered-calls.alone.';
const DAY_MS = 24 * 3_600_000;
/** There is one for each request that got no answer today. */
const STORED_MAX = 10_000;
const ASK_AGAIN_MS = 200;

/** Ended ones make place first. A full store takes no new ones, and changes of those that it has. */
const STORE = `
  local ended = redis.call('zrangebyscore', KEYS[2], '-inf', ARGV[1], 'limit', 0, 1000)
  if #ended > 0 then
    redis.call('hdel', KEYS[1], unpack(ended))
    redis.call('zrem', KEYS[2], unpack(ended))
  end
  if redis.call('hexists', KEYS[1], ARGV[2]) == 0 and redis.call('hlen', KEYS[1]) >= ${STORED_MAX} then return end
  redis.call('hset', KEYS[1], ARGV[2], ARGV[3])
  redis.call('zadd', KEYS[2], ARGV[1] + ${DAY_MS}, ARGV[2])
  redis.call('pexpire', KEYS[1], ${DAY_MS})
  redis.call('pexpire', KEYS[2], ${DAY_MS})`;

const REMOVE = `
  redis.call('hdel', KEYS[1], ARGV[1])
  redis.call('zrem', KEYS[2], ARGV[1])`;

const RELEASE = `if redis.call('get', KEYS[1]) == ARGV[1] then redis.call('del', KEYS[1]) end`;

type StoredCall = InterruptedCall & { at: number };

/**
 * Requests that got no answer, known to all gateways: a client may repeat one at any of them. They report to each other
 * by signals, so that no request has to look; Redis has it for gateways that start later.
 */
@Injectable()
export class InterruptedCallStore implements OnModuleInit {
  constructor(
    private readonly bus: Bus,
    private readonly redis: RedisCache,
  ) {}

  onModuleInit(): void {
    this.bus.onUnanswered((call) => {
      this.share(call);
    });
    this.bus.waitForReplicas((work, limitMs) => this.alone(work, limitMs));
    this.redis.client.on('ready', () => void this.load());
    if (this.redis.isUp) void this.load();
  }

  learn({ work, losses, unexplained, deaths, isAnswered }: InterruptedCallChange): void {
    this.bus.learnUnanswered({ work, silence: isAnswered ? null : { losses, unexplained, deaths } });
  }

  private share(call: InterruptedCall): void {
    const { work, silence } = call;
    const { losses, unexplained, deaths } = silence ?? { losses: 0, unexplained: 0, deaths: [] };
    const change = { work, losses, unexplained, deaths, isAnswered: silence === null };
    this.bus.signal(InterruptedCallSignals.changed, serviceCtx('gateway'), change);
    this.store(call).catch(() => undefined);
  }

  /**
   * One command for each change, so that none overtakes another. Without Redis, a gateway that starts later counts
   * anew.
   */
  private async store(call: InterruptedCall): Promise<void> {
    if (call.silence === null) return this.remove(call.work);
    const at = Date.now();
    const stored: StoredCall = { ...call, at };
    await this.redis.client.eval(STORE, 2, STORED, ENDS, at, call.work, JSON.stringify(stored));
  }

  private async remove(work: string): Promise<void> {
    await this.redis.client.eval(REMOVE, 2, STORED, ENDS, work);
  }

  private async load(): Promise<void> {
    const stored = await this.redis.client.hgetall(STORED).catch(() => ({}));
    const since = Date.now() - DAY_MS;
    for (const [work, text] of Object.entries(stored)) {
      const call = readStored(text);
      if (call && call.at > since) this.bus.learnUnanswered({ work, silence: call.silence });
      else await this.remove(work).catch(() => undefined);
    }
  }

  /** Without Redis, repeats of one request at two gateways do not wait for each other. */
  private async alone(work: string, limitMs: number): Promise<() => void> {
    const { client } = this.redis;
    const [key, token] = [ALONE + work, newId()];
    for (;;) {
      const taken = await client.set(key, token, 'PX', limitMs, 'NX').catch(() => 'away');
      if (taken !== null) break;
      await sleep(ASK_AGAIN_MS);
    }
    // The signal of the gateway that had it may be under way.
    const call = readStored((await client.hget(STORED, work).catch(() => null)) ?? '');
    if (call) this.bus.learnUnanswered({ work, silence: call.silence });
    return () => {
      client.eval(RELEASE, 1, key, token).catch(() => undefined);
    };
  }
}

/** Null if it cannot be read. */
function readStored(text: string): StoredCall | null {
  try {
    const call = JSON.parse(text) as Partial<StoredCall> | null;
    const { losses, unexplained, deaths } = call?.silence ?? {};
    const isWhole = [call?.at, losses, unexplained].every(Number.isFinite) && Array.isArray(deaths);
    return isWhole ? (call as StoredCall) : null;
  } catch {
    return null;
  }
}

@Controller()
export class InterruptedCallsController {
  constructor(private readonly calls: InterruptedCallStore) {}

  @Handles(InterruptedCallSignals.changed)
  onChanged(change: InterruptedCallChange): void {
    this.calls.learn(change);
  }
}
