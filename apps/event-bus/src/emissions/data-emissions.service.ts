import { Inject, Injectable } from '@nestjs/common';
import {
  type Ctx,
  type EnvelopeError,
  type RecordsWritten,
  type WrittenRow,
  requireSpace,
} from '@switchyard/contracts';
import type { Tx } from '@switchyard/database';
import { type Clock, type JsonObject, jsonBytes, newId } from '@switchyard/kernel';
import { CLOCK, Logger } from '@switchyard/service';
import { EmissionsRepository } from '../db/emissions.repository';
import { RegistrationsRepository, type WatchingEvent } from '../db/registrations.repository';
import { SpaceBacklogQuota } from '../dispatch/space-backlog-quota';
import { Dispatcher } from '../dispatch/dispatcher';
import { writeCause } from '../domain/emission-cause';
import { shardOf } from '../domain/event-shard';
import { tooDeep } from '../domain/loop-guard';
import { type RowResult, rowMatcher } from '../domain/row-matcher';
import { EventBusConfig } from '../event-bus.config';
import { PayloadSchemas } from '../schemas/payload-schemas';
import type { NewEmission } from '../domain/new-emission';

/** Turns announced writes into emissions: one a row, in the order of the rows. */
@Injectable()
export class DataEmissionsService {
  constructor(
    private readonly registrations: RegistrationsRepository,
    private readonly emissions: EmissionsRepository,
    private readonly schemas: PayloadSchemas,
    private readonly dispatcher: Dispatcher,
    private readonly backlog: SpaceBacklogQuota,
    private readonly config: EventBusConfig,
    private readonly logger: Logger,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async record(tx: Tx, ctx: Ctx, written: RecordsWritten): Promise<void> {
    const spaceId = requireSpace(ctx);
    const events = await this.registrations.watching(tx, spaceId, written.datasetId, written.operation);
    const emissions: NewEmission[] = [];
    for (const event of events) {
      const judge = await this.judgeOf(tx, spaceId, event);
      for (const row of written.rows) {
        const { payload, match } = judged(row, judge);
        if (!match.isMatch) continue;
        if (match.cause)
          this.logger.error({ err: match.cause, eventId: event.id }, 'failed to match a row against subscriptions');
        emissions.push(this.emissionOf(ctx, spaceId, event, payload, match.error));
      }
    }
    if (emissions.length === 0) return;
    await this.emissions.record(tx, emissions);
    tx.afterCommit(() => {
      for (const { spaceId, status, bytes } of emissions)
        if (status === 'PENDING') this.backlog.recorded(spaceId, bytes);
      this.dispatcher.wake(emissions.map(({ lane: shard }) => shard));
    });
  }

  private async judgeOf(tx: Tx, spaceId: string, event: WatchingEvent): Promise<(row: JsonObject) => RowResult> {
    const check = await this.schemas.checkOf(event.schemaFingerprint, () =>
      this.registrations.schemaOf(tx, spaceId, event.id),
    );
    const { emitOn, emitTypes: types } = event;
    return rowMatcher({ filter: emitOn.filter, types, check, maxBytes: this.config.EVENT_PAYLOAD_MAX_BYTES });
  }

  private emissionOf(
    ctx: Ctx,
    spaceId: string,
    event: WatchingEvent,
    payload: JsonObject,
    misfit: EnvelopeError | null,
  ): NewEmission {
    const id = newId();
    const cause = writeCause(id, ctx);
    const loop = tooDeep(cause.depth, this.config.EVENT_MAX_DEPTH);
    return {
      id,
      spaceId,
      eventId: event.id,
      appIdentifier: event.appIdentifier,
      event: event.name,
      payload,
      bytes: jsonBytes(payload),
      source: 'datasource',
      // No caller waits: an emission that cannot be dispatched stays in the log with its error.
      status: misfit ? 'FAILED' : loop ? 'SKIPPED' : 'PENDING',
      error: misfit ?? loop,
      idempotencyKey: null,
      fingerprint: null,
      actorUserId: ctx.userId,
      causationId: cause.causationId,
      correlationId: cause.correlationId,
      depth: cause.depth,
      parent: cause.parent,
      root: cause.root,
      lane: shardOf(event.id),
      emittedAt: this.clock.now().toISOString(),
      traceparent: ctx.traceparent,
    };
  }
}

const TOO_LARGE = { code: 'PAYLOAD_TOO_LARGE', message: 'The row is too large to be carried; read it by its id.' };

/** By the row as it is, or as it was before it was deleted. */
function judged(
  { id, before, after }: WrittenRow,
  judge: (row: JsonObject) => RowResult,
): { payload: JsonObject; match: RowResult } {
  const payload = after ?? before;
  return payload ? { payload, match: judge(payload) } : { payload: { id }, match: { isMatch: true, error: TOO_LARGE } };
}
