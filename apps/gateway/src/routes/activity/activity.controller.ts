import { Controller, Get, Param, Query, Res } from '@nestjs/common';
import {
  ACTIVITY_KINDS,
  ActivityCount,
  ActivityFilter,
  ActivityRange,
  ActivityRow,
  ActivityStreamFilter,
  type Ctx,
  listOf,
  pageOf,
  ANY_MEMBER,
} from '@switchyard/contracts';
import { invalid } from '@switchyard/kernel';
import type { FastifyReply } from 'fastify';
import { type PageOfRows, type Success, ok, page } from '../../routing/success-response';
import { Caller } from '../../routing/caller.decorator';
import { Endpoint } from '../../routing/endpoint.decorator';
import { IdPipe } from '../../routing/id.pipe';
import { ActivityReader } from './activity-reader';
import { ActivityStreams } from './activity-streams';
import { CausesReader } from './causes-reader';
import { CauseTree } from './causes.dto';

const SEEN =
  'Turns need `sessions:read`, executions `tasks:read`, jobs `jobs:read`, emissions `events:read`: kinds without their scope are left out. Turns and jobs show to their maker, and to ADMIN and up.';

@Controller('api/activity')
export class ActivityController {
  constructor(
    private readonly reader: ActivityReader,
    private readonly streams: ActivityStreams,
    private readonly causes: CausesReader,
  ) {}

  @Get()
  @Endpoint({
    operationId: 'listActivity',
    summary: 'List the turns, executions, jobs and emissions of the Space, newest first',
    description: SEEN,
    access: ANY_MEMBER,
    reply: pageOf(ActivityRow),
  })
  async list(
    @Caller() ctx: Ctx,
    @Query() query: ActivityFilter,
  ): Promise<Success<ActivityRow[]> & { page: PageOfRows }> {
    return page('Activity.', await this.reader.list(ctx, query), query.limit);
  }

  @Get('stream')
  @Endpoint({
    operationId: 'streamActivity',
    summary: 'Follow the activity of the Space',
    description: `Each changed row as an event \`activity\`, at most twice a second for a row. Nothing is replayed: after a reconnect the list tells. ${SEEN}`,
    access: ANY_MEMBER,
    sse: true,
  })
  stream(@Caller() ctx: Ctx, @Query() query: ActivityStreamFilter, @Res() reply: FastifyReply): Promise<void> {
    return this.streams.send(ctx, reply, query);
  }

  @Get('counts')
  @Endpoint({
    operationId: 'countActivity',
    summary: 'Count the activity of the Space by kind and status',
    description: `Over the rows that the list shows the caller, in whole hours. States without rows are left out. ${SEEN}`,
    access: ANY_MEMBER,
    reply: listOf(ActivityCount),
  })
  async counts(@Caller() ctx: Ctx, @Query() query: ActivityRange): Promise<Success<ActivityCount[]>> {
    return ok('Counts.', await this.reader.counts(ctx, query));
  }

  @Get('causes/:kind/:id')
  @Endpoint({
    operationId: 'getCauseTree',
    summary: 'Read the whole tree of causes that a record belongs to',
    description:
      'The record is a turn, an execution, a job or an emission, and its kind needs its read scope. What the caller may not see of the tree is a node with `hidden`. At most 1,000 nodes, from the root down; `totals` are those of the ledger.',
    access: ANY_MEMBER,
    reply: CauseTree,
    errors: ['NOT_FOUND', 'FORBIDDEN'],
  })
  async tree(
    @Caller() ctx: Ctx,
    @Param('kind') kind: string,
    @Param('id', IdPipe) id: string,
  ): Promise<Success<CauseTree>> {
    const existing = ACTIVITY_KINDS.find((one) => one === kind);
    if (existing === undefined) throw invalid('kind', `must be one of ${ACTIVITY_KINDS.join(', ')}`);
    return ok('Causes.', await this.causes.tree(ctx, existing, id));
  }
}
