import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { AgentCalls, type AgentLatency, type Ctx, type LatencyOfAgent, requireSpace } from '@switchyard/contracts';
import { Database } from '@switchyard/database';
import type { Clock } from '@switchyard/kernel';
import { Bus } from '@switchyard/messaging';
import { CLOCK, Retention, type SpaceInRound, SpaceRoundRobin, Workers } from '@switchyard/service';
import { LatencyRepository } from '../db/latency.repository';
import { latencyOf, latencyWindow, type LatencySum } from '../domain/latency-histogram';
import { SessionConfig } from '../session.config';

const SPACES_AT_ONCE = 500;
const TURNS_AT_ONCE = 1000;

/**
 * How long the turns of agents take. No turn writes it: turns that have ended are summed later, some Spaces at a time,
 * and newer ones are added by each query.
 */
@Injectable()
export class LatencyService implements OnModuleInit {
  private readonly round = new SpaceRoundRobin(
    SPACES_AT_ONCE,
    (after, limit) => this.find(after, limit),
    (spaceId) => this.sumUp(spaceId),
  );

  constructor(
    private readonly database: Database,
    private readonly latency: LatencyRepository,
    private readonly bus: Bus,
    private readonly workers: Workers,
    private readonly retention: Retention,
    private readonly config: SessionConfig,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    const { SESSION_LATENCY_INTERVAL_MS: often, SESSION_LATENCY_RETENTION_DAYS: days } = this.config;
    this.workers.poll('sum up how long turns take', often, (signal) => this.round.next(signal));
    this.retention.register('latency of agents', (tx, limit) => this.latency.forget(tx, days, limit));
  }

  /** Also for agents that the reader may not call: it contains no messages. */
  async ofAgent(ctx: Ctx, { agentId, ...query }: LatencyOfAgent): Promise<AgentLatency> {
    const window = latencyWindow(query, this.clock.now());
    await this.bus.call(AgentCalls.get, ctx, { agentId });
    const [rows = []] = await this.database.read(ctx, [this.latency.read(requireSpace(ctx), agentId, window)]);
    return latencyOf(window, rows as unknown as LatencySum[]);
  }

  private async find(after: string, limit: number): Promise<SpaceInRound[]> {
    const [rows = []] = await this.database.systemRead('find Spaces with turns', [
      this.latency.spacesAfter(after, limit),
    ]);
    return rows as unknown as SpaceInRound[];
  }

  private sumUp(spaceId: string): Promise<boolean> {
    return this.database.system('sum up how long turns take', async (tx) => {
      if (!(await this.latency.lock(tx, spaceId))) return false;
      return this.latency.sumUp(tx, spaceId, TURNS_AT_ONCE);
    });
  }
}
