import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { AppError } from '@switchyard/kernel';
import type { CountedLimits, Identity, MakerLimits, SpaceStanding } from '@switchyard/contracts';
import { ReachedLimitReports, RedisCache, Workers } from '@switchyard/service';
import { GatewayConfig } from '../gateway.config';
import { clientNetwork } from './client-network';
import { SlidingWindowCounter, Taken } from './sliding-window-counter';

const SHARE_EVERY_MS = 100;
const KEEP_SECONDS = 130;

const CLEANUP_EVERY_MS = 60_000;

/** Takes the headers that tell a caller where it stands. */
export interface RateHeaders {
  header(name: string, value: number): unknown;
}

type LimitedCaller = Identity & { limits: CountedLimits; space?: SpaceStanding };

const overCeiling = ({ limit, resetSeconds }: Taken): AppError =>
  new AppError(
    'RATE_LIMITED',
    `The Space has reached its ceiling requestsPerMinute (${limit}), which an operator of the platform has set.`,
    { retryAfterSeconds: resetSeconds },
  );

const limitKey = (identity: Identity): string =>
  identity.credentialType === 'jwt' ? `user:${identity.spaceId}:${identity.userId}` : `key:${identity.credentialId}`;

/** The credential that a limit of requests is for. */
function ownerOf({ credentialType, credentialId, userId }: Identity): string {
  if (credentialType === 'jwt') return `users/${userId}`;
  return `${credentialType === 'nats_account' ? 'accounts' : 'keys'}/${credentialId}`;
}

/**
 * Request limits. Each process decides by itself at once, and shares its counts with the other replicas
 * through Redis ten times a second at most; without Redis the limits hold per process.
 */
@Injectable()
export class RateLimiter implements OnModuleDestroy {
  private readonly window = new SlidingWindowCounter();
  /** While there is something to share. */
  private sharing: NodeJS.Timeout | undefined;

  constructor(
    private readonly config: GatewayConfig,
    private readonly redis: RedisCache,
    private readonly limits: ReachedLimitReports,
    workers: Workers,
  ) {
    workers.every('forget old rate limits', CLEANUP_EVERY_MS, () => {
      this.window.removeOld(Date.now());
      return Promise.resolve();
    });
  }

  /** Counts a request of a known caller; throws RATE_LIMITED when it is one too many. */
  takeCaller(identity: LimitedCaller, reply: RateHeaders, isForOperators: boolean): void {
    const now = Date.now();
    const most = identity.limits.requestsPerMinute ?? Infinity;
    // An account of a service has a limit of its own, which the bound of the Space alone restricts.
    const isAccount = identity.credentialType === 'nats_account';
    const limit = isAccount ? most : Math.min(most, this.config.RATE_LIMIT_PER_MINUTE);
    const own = this.take(limitKey(identity), limit, now);
    this.show(own, reply);
    if (!own.allowed) throw this.refused(identity.spaceId, `${ownerOf(identity)}/`, own);
    const { makers } = identity.limits;
    if (makers) this.takeMakers(identity.spaceId, makers, now, reply);
    // Operator requests do not count for the Space of the sign-in: its ceiling may be what the operator wants to
    // change.
    if (identity.spaceId === null || isForOperators) return;
    const ceiling = identity.space?.requestsPerMinute ?? null;
    const space = this.take(`space:${identity.spaceId}`, ceiling ?? this.config.SPACE_RATE_LIMIT_PER_MINUTE, now);
    if (space.allowed) return;
    this.show(space, reply);
    const refused = this.refused(identity.spaceId, '', space);
    throw ceiling === null ? refused : overCeiling(space);
  }

  /** Requests of a key also count for the keys that created it, so creating keys does not evade a limit. */
  private takeMakers(spaceId: string | null, makers: readonly MakerLimits[], now: number, reply: RateHeaders): void {
    for (const { keyId, requestsPerMinute } of makers) {
      if (requestsPerMinute === undefined) continue;
      const taken = this.take(`key:${keyId}`, requestsPerMinute, now);
      if (taken.allowed) continue;
      this.show(taken, reply);
      throw this.refused(spaceId, `keys/${keyId}/`, taken);
    }
  }

  /** Counts a request without a caller, by its address. */
  takeAddress(address: string, reply: RateHeaders): void {
    const taken = this.take(`address:${clientNetwork(address)}`, this.config.ADDRESS_RATE_LIMIT_PER_MINUTE, Date.now());
    this.show(taken, reply);
    if (!taken.allowed) throw this.refusal(taken);
  }

  /**
   * For work that counts against an address when it has failed: throws RATE_LIMITED where the address has nothing left,
   * should what is `pending` for it fail as well.
   */
  checkAddress(address: string, pending: number, reply: RateHeaders): void {
    const limit = this.config.ADDRESS_RATE_LIMIT_PER_MINUTE;
    const found = this.window.look(`address:${clientNetwork(address)}`, { limit, pending, now: Date.now() });
    if (found.allowed) return;
    this.show(found, reply);
    throw this.refusal(found);
  }

  onModuleDestroy(): void {
    clearTimeout(this.sharing);
  }

  private take(key: string, limit: number, now: number): Taken {
    this.sharing ??= this.shareSoon();
    return this.window.take(key, limit, now);
  }

  /** One round at a time: requests counted during a round are reported in the next one. */
  private shareSoon(): NodeJS.Timeout {
    return setTimeout(() => {
      void this.share().finally(() => {
        this.sharing = this.redis.isUp && this.window.hasUntold ? this.shareSoon() : undefined;
      });
    }, SHARE_EVERY_MS).unref();
  }

  private show(taken: Taken, reply: RateHeaders): void {
    reply.header('ratelimit-limit', taken.limit);
    reply.header('ratelimit-remaining', taken.remaining);
    reply.header('ratelimit-reset', taken.resetSeconds);
  }

  /** The refusal by a limit of a Space or of one of its credentials, which is reported. */
  private refused(spaceId: string | null, owner: string, taken: Taken): AppError {
    const until = new Date(Date.now() + 1000 * taken.resetSeconds).toISOString();
    if (spaceId !== null)
      this.limits.report(spaceId, { limit: `${owner}requestsPerMinute`, value: taken.limit, until });
    return this.refusal(taken);
  }

  private refusal(taken: Taken): AppError {
    return new AppError('RATE_LIMITED', `Only ${taken.limit} requests a minute are allowed. Slow down.`, {
      retryAfterSeconds: taken.resetSeconds,
    });
  }

  private async share(): Promise<void> {
    const untold = this.window.untold();
    if (untold.length === 0 || !this.redis.isUp) return;
    await Promise.all(
      untold.map(async ({ key, index, count }) => {
        const name = `gateway:rate:${key}:${index}`;
        try {
          const total = await this.redis.client.incrby(name, count);
          if (total === count) await this.redis.client.expire(name, KEEP_SECONDS);
          this.window.learn(key, index, total);
        } catch {
          // Lost counts only make the limit a little more generous.
        }
      }),
    );
  }
}
