import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import {
  type Ctx,
  DeadLetterView,
  DiscardDeadLetterBody,
  ListDeadLetters,
  ListPoisoned,
  PoisonedWorkView,
  pageOf,
} from '@switchyard/contracts';
import { ok, page } from '../../routing/success-response';
import { Caller } from '../../routing/caller.decorator';
import { Endpoint } from '../../routing/endpoint.decorator';
import { IdPipe } from '../../routing/id.pipe';
import { LostWorkReader } from './lost-work-reader';
import { FailedWorkAudit } from './failed-work-audit';

const READS = { operator: 'operator:read' } as const;
const WRITES = { operator: 'operator:write' } as const;

const withSilent = (message: string, silent: readonly string[]): string =>
  silent.length === 0 ? message : `${message} No answer from ${silent.join(', ')}.`;

@Controller('api/operator')
export class LostWorkController {
  constructor(
    private readonly reader: LostWorkReader,
    private readonly audit: FailedWorkAudit,
  ) {}

  @Get('poisoned')
  @Endpoint({
    operationId: 'listPoisonedWork',
    tag: 'operator',
    summary: 'List work that was stopped because its process died twice, newest first',
    description: 'Over all services. Payloads and texts are not shown.',
    access: READS,
    reply: pageOf(PoisonedWorkView),
  })
  async listPoisoned(@Caller() ctx: Ctx, @Query() query: ListPoisoned) {
    const { silent, ...rows } = await this.reader.list<PoisonedWorkView>(ctx, 'poisoned', query, {
      of: ({ listPoisoned }) => listPoisoned,
      at: ({ at }) => at,
    });
    return page(withSilent('Work that was given up.', silent), rows, query.limit);
  }

  @Post('poisoned/:id/retry')
  @Endpoint({
    operationId: 'retryPoisonedWork',
    tag: 'operator',
    summary: 'Retry poisoned work',
    description: 'Its losses are forgotten: where it still ends its process, it does so twice more.',
    access: WRITES,
    reply: PoisonedWorkView,
    errors: ['NOT_FOUND', 'CONFLICT'],
  })
  async retryPoisoned(@Caller() ctx: Ctx, @Param('id', IdPipe) id: string) {
    const row = await this.reader.change(ctx, 'Work', { id }, ({ retryPoisoned }) => retryPoisoned);
    await this.audit.record(ctx, 'work.retried', row.spaceId, id, { kind: row.kind });
    return ok('The work is tried again.', row);
  }

  @Get('dead-letters')
  @Endpoint({
    operationId: 'listDeadLetters',
    tag: 'operator',
    summary: 'List events that a service could not handle, newest first',
    description: 'Over all services. Payloads and texts are not shown.',
    access: READS,
    reply: pageOf(DeadLetterView),
  })
  async listDeadLetters(@Caller() ctx: Ctx, @Query() query: ListDeadLetters) {
    const { silent, ...rows } = await this.reader.list<DeadLetterView>(ctx, 'dead-letters', query, {
      of: ({ listDeadLetters }) => listDeadLetters,
      at: ({ lastAt }) => lastAt,
    });
    return page(withSilent('Dead letters.', silent), rows, query.limit);
  }

  @Post('dead-letters/:id/requeue')
  @Endpoint({
    operationId: 'requeueDeadLetter',
    tag: 'operator',
    summary: 'Requeue a dead letter',
    access: WRITES,
    reply: DeadLetterView,
    errors: ['NOT_FOUND'],
  })
  async requeueDeadLetter(@Caller() ctx: Ctx, @Param('id', IdPipe) id: string) {
    const row = await this.reader.change(ctx, 'Dead letter', { id }, ({ requeueDeadLetter }) => requeueDeadLetter);
    const { service, event } = row;
    await this.audit.record(ctx, 'dead-letter.requeued', row.spaceId, id, { service, event });
    return ok('The event is handled again.', row);
  }

  @Post('dead-letters/:id/discard')
  @Endpoint({
    operationId: 'discardDeadLetter',
    tag: 'operator',
    summary: 'Discard a dead letter',
    access: WRITES,
    reply: DeadLetterView,
    errors: ['NOT_FOUND'],
  })
  async discardDeadLetter(
    @Caller() ctx: Ctx,
    @Param('id', IdPipe) id: string,
    @Body() { reason }: DiscardDeadLetterBody,
  ) {
    const request = { id, reason };
    const row = await this.reader.change(ctx, 'Dead letter', request, ({ discardDeadLetter }) => discardDeadLetter);
    const { service, event } = row;
    await this.audit.record(ctx, 'dead-letter.discarded', row.spaceId, id, { service, event, reason });
    return ok('The event is never handled.', row);
  }
}
