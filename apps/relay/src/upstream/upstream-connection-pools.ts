import { Injectable, OnApplicationShutdown } from '@nestjs/common';
import { FairSemaphore, tooManyWaitFor } from '@switchyard/concurrency';
import { Metrics } from '@switchyard/service';
import { Pool } from 'undici';
import { CircuitBreaker } from '../domain/circuit-breaker';
import { Upstream } from '../domain/catalogue';

/** Connections that a Space over its share leaves free, for a Space that comes next. */
const RESERVE_PERCENT = 10;

export interface PooledUpstream {
  pool: Pool;
  breaker: CircuitBreaker;
  /** The connections of the pool, which itself is first come, first served. */
  slots: FairSemaphore;
}

/** One pool of connections and one breaker per upstream. The breaker counts silence, not answers: a 500 is quick. */
@Injectable()
export class UpstreamConnectionPools implements OnApplicationShutdown {
  private readonly lines = new Map<string, PooledUpstream & { key: string }>();
  /** The last line of an upstream, which is what the catalogue makes of it anew at each change. */
  private readonly latest = new WeakMap<Upstream, PooledUpstream>();

  constructor(metrics: Metrics) {
    metrics.bounded(
      {
        name: 'switchyard_relay_upstream_connections',
        help: 'Connections to a model provider in use.',
        measures: ['used', 'limit', 'waiting'],
        labels: ['upstream'],
      },
      (set) => {
        for (const [upstream, { slots }] of this.lines)
          set({ used: slots.used, limit: slots.slots, waiting: slots.waiting }, { upstream });
      },
    );
  }

  lineOf(upstream: Upstream): PooledUpstream {
    const latest = this.latest.get(upstream);
    if (latest && latest === this.lines.get(upstream.name)) return latest;
    const line = this.findLine(upstream);
    this.latest.set(upstream, line);
    return line;
  }

  private findLine(upstream: Upstream): PooledUpstream {
    const { origin } = new URL(upstream.baseUrl.replaceAll('{model}', 'model'));
    const key = `${origin} ${upstream.connections} ${upstream.connectMs}`;
    const open = this.lines.get(upstream.name);
    if (open?.key === key) return open;
    // The catalogue changed: calls under way end on the old connections.
    if (open) void open.pool.close().catch(() => undefined);
    const pool = new Pool(origin, {
      connections: upstream.connections,
      connect: { timeout: upstream.connectMs },
      pipelining: 1,
      keepAliveTimeout: 30_000,
    });
    const line = {
      key,
      pool,
      slots: sharedSlots(upstream.connections),
      breaker: new CircuitBreaker(),
    };
    this.lines.set(upstream.name, line);
    return line;
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.allSettled([...this.lines.values()].map(({ pool }) => pool.destroy()));
  }
}

/** A Space has a third of them while another one waits: a stream may keep its connection for ten minutes. */
const sharedSlots = (count: number): FairSemaphore =>
  new FairSemaphore({
    slots: count,
    share: Math.max(1, Math.floor(count / 3)),
    reserve: Math.floor((count * RESERVE_PERCENT) / 100),
    // Callers wait until they leave, as the pool has them wait.
    waitMs: 0,
    waiting: { all: 0, each: 0 },
    refusal: tooManyWaitFor('a model'),
  });
