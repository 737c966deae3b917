import type { Redis } from 'ioredis';
import { traceCommands } from './tracing/redis-spans';
import type { Logger } from './logger';

/**
 * Redis, for what may be lost. Commands fail fast while it is unavailable: callers must work without it.
 */
export class RedisCache {
  private constructor(
    readonly client: Redis,
    logger: Logger,
    isTraced: boolean,
  ) {
    if (isTraced) traceCommands(this.client);
    let unavailable = false;
    this.client.on('error', (error: Error) => {
      if (!unavailable) logger.warn({ err: error }, 'disconnected from Redis');
      unavailable = true;
    });
    this.client.on('ready', () => {
      if (unavailable) logger.info({}, 'reconnected to Redis');
      unavailable = false;
    });
  }

  /** Loads ioredis only here: seven of the nine services do not use Redis. */
  static async at(url: string, logger: Logger, isTraced = false): Promise<RedisCache> {
    const { Redis: Client } = await import('ioredis');
    const client = new Client(url, {
      lazyConnect: true,
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      commandTimeout: 500,
      connectTimeout: 2000,
      // A pipeline mixes the commands of many requests: while traces are on, each goes with its own.
      enableAutoPipelining: !isTraced,
      retryStrategy: (times) => Math.min(times * 100, 2000),
    });
    return new RedisCache(client, logger, isTraced);
  }

  connect(): void {
    this.client.connect().catch(() => undefined);
  }

  get isUp(): boolean {
    return this.client.status === 'ready';
  }

  close(): void {
    this.client.disconnect();
  }
}
