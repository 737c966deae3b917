import { Injectable } from '@nestjs/common';
import { AgentCalls, type Ctx, DatasetCalls, RelayCalls, type SpaceUsed, TaskCalls } from '@switchyard/contracts';
import { RefreshingCache } from '@switchyard/concurrency';
import { Database } from '@switchyard/database';
import { Bus } from '@switchyard/messaging';
import { ApiKeysRepository } from '../db/api-keys.repository';
import { MembersRepository } from '../db/members.repository';
import { OperatorSpacesRepository } from '../db/operator-spaces.repository';

const AGES = { renewMs: 5_000, freshMs: 10_000, staleMs: 50_000 };
const SOON = { timeoutMs: 2_000 };

type CountedElsewhere = Pick<SpaceUsed, 'dailyTokens' | 'monthlyTokens' | 'agents' | 'tasks' | 'datasets'>;

const orNull = async <T>(request: Promise<T>): Promise<T | null> => {
  try {
    return await request;
  } catch {
    return null;
  }
};

/** Usage of a Space's ceilings, counted here and by other services. */
@Injectable()
export class SpaceUsageReader {
  private readonly counts = new RefreshingCache<CountedElsewhere>(AGES);

  constructor(
    private readonly database: Database,
    private readonly members: MembersRepository,
    private readonly keys: ApiKeysRepository,
    private readonly spaces: OperatorSpacesRepository,
    private readonly bus: Bus,
  ) {}

  async read(ctx: Ctx, spaceId: string): Promise<SpaceUsed> {
    const other = await this.counts.get(spaceId, () => this.ask(ctx, spaceId));
    const own = await this.database.system('count what a Space has', async (tx) => ({
      members: await this.members.countPlaces(tx, spaceId),
      keys: await this.keys.countActiveOfSpace(tx, spaceId),
      stored: await this.spaces.find(tx, spaceId),
    }));
    return {
      ...other,
      members: own.members,
      keys: own.keys,
      records: own.stored?.records ?? 0,
      bytes: own.stored?.bytes ?? 0,
      fileBytes: 0,
    };
  }

  private async ask(ctx: Ctx, spaceId: string): Promise<CountedElsewhere> {
    const [agents, tasks, datasets, totals] = await Promise.all([
      orNull(this.bus.call(AgentCalls.countAgents, ctx, { spaceId }, SOON)),
      orNull(this.bus.call(TaskCalls.countTasks, ctx, { spaceId }, SOON)),
      orNull(this.bus.call(DatasetCalls.countDatasets, ctx, { spaceId }, SOON)),
      orNull(this.bus.call(RelayCalls.spaceTotals, ctx, { spaceIds: [spaceId] }, SOON)),
    ]);
    const [total] = totals?.items ?? [];
    return {
      agents: agents?.count ?? null,
      tasks: tasks?.count ?? null,
      datasets: datasets?.count ?? null,
      dailyTokens: totals === null ? null : Math.max(0, total?.dailyTokens ?? 0),
      monthlyTokens: totals === null ? null : Math.max(0, total?.monthlyTokens ?? 0),
    };
  }
}
