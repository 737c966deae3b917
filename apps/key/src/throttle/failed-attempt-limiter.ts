import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { AppError, type Clock } from '@switchyard/kernel';
import { CLOCK, RedisCache } from '@switchyard/service';

const WINDOW_MS = 60_000;
const MAX_NAMES = 10_000;

export interface AttemptCount {
  attempts: number;
  /** Until the oldest attempt of the window is forgotten. */
  retryAfterSeconds: number;
}

/**
 * Counts attempts of the last minute by name, for all replicas in Redis; while Redis is away, by each process
 * for itself. Names are hashed before they become keys.
 */
@Injectable()
export class FailedAttemptLimiter {
  private readonly local = new Map<string, number[]>();

  constructor(
    private readonly redis: RedisCache,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  count(area: string, name: string): Promise<AttemptCount> {
    return this.measure(area, name, false);
  }

  /** Counts this attempt too. */
  record(area: string, name: string): Promise<AttemptCount> {
    return this.measure(area, name, true);
  }

  private async measure(area: string, name: string, isNew: boolean): Promise<AttemptCount> {
    const key = `attempts:${area}:${createHash('sha256').update(name).digest('base64url')}`;
    const now = this.clock.now().getTime();
    const times = (await this.inRedis(key, now, isNew)) ?? this.inProcess(key, now, isNew);
    const oldest = times[0] ?? now;
    return { attempts: times.length, retryAfterSeconds: Math.max(1, Math.ceil((oldest + WINDOW_MS - now) / 1000)) };
  }

  private async inRedis(key: string, now: number, isNew: boolean): Promise<number[] | null> {
    try {
      const batch = this.redis.client.multi().zremrangebyscore(key, '-inf', now - WINDOW_MS);
      if (isNew) batch.zadd(key, now, `${now}:${Math.random()}`).pexpire(key, WINDOW_MS);
      const replies = await batch.zrange(key, 0, -1, 'WITHSCORES').exec();
      const [error, members] = replies?.at(-1) ?? [new Error('no reply'), []];
      if (error) return null;
      return (members as string[]).filter((_, i) => i % 2 === 1).map(Number);
    } catch {
      return null;
    }
  }

  private inProcess(key: string, now: number, isNew: boolean): number[] {
    const times = (this.local.get(key) ?? []).filter((time) => time > now - WINDOW_MS);
    if (isNew) times.push(now);
    this.local.delete(key);
    if (times.length > 0) this.local.set(key, times);
    // The name that was quiet longest goes first: a flood of names must not grow the process.
    for (const quiet of this.local.keys()) {
      if (this.local.size <= MAX_NAMES) break;
      this.local.delete(quiet);
    }
    return times;
  }
}

export const tooManyAttempts = (message: string, { retryAfterSeconds }: AttemptCount): AppError =>
  new AppError('RATE_LIMITED', message, { retryAfterSeconds });
