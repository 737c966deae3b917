import { Controller, Get, Query } from '@nestjs/common';
import {
  type Ctx,
  JobCalls,
  KeyCalls,
  type SpaceUseReport,
  SpaceUseSignals,
  TaskCalls,
  TopSpacesQuery,
  TopSpace,
  listOf,
  serviceCtx,
} from '@switchyard/contracts';
import { Bus, Handles } from '@switchyard/messaging';
import { Logger, TopNCounter } from '@switchyard/service';
import { ok, type Success } from '../../routing/success-response';
import { Endpoint } from '../../routing/endpoint.decorator';
import { TopSpacesByUsage } from './top-spaces-by-usage';

const TOP_SPACES = 10;
const MINUTES = 5;
const TIMEOUT_MS = 5_000;

@Controller('api/operator')
export class OperatorTopController {
  private readonly spaces = new TopSpacesByUsage();

  constructor(
    private readonly bus: Bus,
    private readonly logger: Logger,
  ) {}

  @Handles(SpaceUseSignals.reported)
  onReported(report: SpaceUseReport, _ctx: Ctx): void {
    this.spaces.onReport(report);
  }

  @Get('top')
  @Endpoint({
    operationId: 'listTopSpaces',
    summary: 'The ten Spaces that use most at the moment',
    description:
      'As the processes have counted it in memory; the numbers of a gateway begin with its start, and may be five seconds old. `name` is null while names cannot be read.',
    access: { operator: 'operator:read' },
    reply: listOf(TopSpace),
    tag: 'operator',
  })
  async top(@Query() { by = 'turns', minutes = MINUTES }: TopSpacesQuery): Promise<Success<TopSpace[]>> {
    const largest = by === 'queue' ? await this.queued() : this.spaces.largest(by, minutes, TOP_SPACES);
    const names = await this.namesOf(largest.map(([spaceId]) => spaceId));
    return ok(
      'The largest Spaces.',
      largest.map(([spaceId, value]) => ({ spaceId, name: names.get(spaceId) ?? null, value })),
    );
  }

  /** The two services that have queues in the database. */
  private async queued(): Promise<[spaceId: string, queued: number][]> {
    const ctx = serviceCtx('gateway');
    const replies = await Promise.all([
      this.bus.call(TaskCalls.topQueued, ctx, {}, { timeoutMs: TIMEOUT_MS }),
      this.bus.call(JobCalls.topQueued, ctx, {}, { timeoutMs: TIMEOUT_MS }),
    ]);
    const sums = new TopNCounter(2 * TOP_SPACES);
    for (const { items } of replies) for (const { spaceId, queued } of items) sums.add(spaceId, queued);
    return sums.top(TOP_SPACES);
  }

  /** Without the key service, the list has ids alone: an operator reads it when parts of the platform are in trouble. */
  private async namesOf(ids: string[]): Promise<ReadonlyMap<string, string>> {
    if (ids.length === 0) return new Map();
    try {
      const options = { timeoutMs: TIMEOUT_MS };
      const { items } = await this.bus.call(KeyCalls.nameSpaces, serviceCtx('gateway'), { ids }, options);
      return new Map(items.map(({ id, name }) => [id, name]));
    } catch (error) {
      this.logger.warn({ err: error }, 'failed to read the names of Spaces');
      return new Map();
    }
  }
}
