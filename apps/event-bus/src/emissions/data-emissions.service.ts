import { Inject, Injectable } from '@nestjs/common';
import {
  type Ctx,
  type EnvelopeError,
  type RecordsWritten,
  type WrittenRow,
  requireSpace,
} from '@switchyard/contracts';
import type { Tx } from '@switchyard/database';
import { type Clock, type JsonObject, matchesFilter, newId, parseFilter } from '@switchyard/kernel';
import type { SchemaCheck } from '@switchyard/schemas';
import { CLOCK } from '@switchyard/service';
import { EmissionsRepository } from '../db/emissions.repository';
import { RegistrationsRepository, type WatchingEvent } from '../db/registrations.repository';
import { Dispatcher } from '../dispatch/dispatcher';
import { writeCause } from '../domain/cause';
import { laneOf } from '../domain/lane';
import { tooDeep } from '../domain/loop-guard';
import { EventBusConfig } from '../event-bus.config';
import { PayloadSchemas } from '../schemas/payload-schemas';
import type { NewEmission } from './new-emission';

/** Turns announced writes into emissions: one a row, in the order of the rows. */
@Injectable()
export class DataEmissionsService {
  constructor(
    private readonly registrations: RegistrationsRepository,
    private readonly emissions: EmissionsRepository,
    private readonly schemas: PayloadSchemas,
    private readonly dispatcher: Dispatcher,
    private readonly config: EventBusConfig,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async record(tx: Tx, ctx: Ctx, written: RecordsWritten): Promise<void> {
    const spaceId = requireSpace(ctx);
    const events = await this.registrations.watching(tx, spaceId, written.datasetId, written.operation);
    const emissions: NewEmission[] = [];
    for (const event of events) {
      const check = await this.schemas.checkOf(event.schemaFingerprint, () =>
        this.registrations.schemaOf(tx, spaceId, event.id),
      );
      const filter = parseFilter(event.emitOn.filter);
      for (const payload of written.rows.map(rowOf)) {
        if (payload && matchesFilter(filter, payload))
          emissions.push(this.emissionOf(ctx, spaceId, event, payload, check));
      }
    }
    if (emissions.length === 0) return;
    await this.emissions.record(tx, emissions);
    tx.afterCommit(() => {
      this.dispatcher.wake(emissions.map(({ lane }) => lane));
    });
  }

  private emissionOf(
    ctx: Ctx,
    spaceId: string,
    event: WatchingEvent,
    payload: JsonObject,
    check: SchemaCheck,
  ): NewEmission {
    const id = newId();
    const cause = writeCause(id, ctx);
    const misfit = this.misfitOf(payload, check);
    const loop = tooDeep(cause.depth, this.config.EVENT_MAX_DEPTH);
    return {
      id,
      spaceId,
      eventId: event.id,
      appIdentifier: event.appIdentifier,
      event: event.name,
      payload,
      source: 'datasource',
      // Nobody waits for an answer: what cannot be dispatched stays in the log and says why.
      status: misfit ? 'FAILED' : loop ? 'SKIPPED' : 'PENDING',
      error: misfit ?? loop,
      idempotencyKey: null,
      fingerprint: null,
      actorUserId: ctx.userId,
      causationId: cause.causationId,
      correlationId: cause.correlationId,
      depth: cause.depth,
      lane: laneOf(event.id),
      emittedAt: this.clock.now().toISOString(),
    };
  }

  private misfitOf(payload: JsonObject, check: SchemaCheck): EnvelopeError | null {
    const bytes = Buffer.byteLength(JSON.stringify(payload));
    const max = this.config.EVENT_PAYLOAD_MAX_BYTES;
    if (bytes > max)
      return { code: 'PAYLOAD_TOO_LARGE', message: `The row has ${bytes} bytes of JSON; ${max} are allowed.` };
    const [problem] = check(payload);
    return problem ? { code: 'EVENT_PAYLOAD_INVALID', message: `${problem.path} ${problem.message}.` } : null;
  }
}

/** The row as it is, or as it was before it was deleted. */
const rowOf = ({ before, after }: WrittenRow): JsonObject | null => after ?? before;
