import { Inject, Injectable } from '@nestjs/common';
import { type Ctx, type EmitByHand, type EmitEvent, type Emitted, requireSpace } from '@switchyard/contracts';
import {
  jsonBytes,
  AppError,
  type Clock,
  checkIdempotencyKey,
  checkJson,
  fingerprint,
  newId,
} from '@switchyard/kernel';
import { Database } from '@switchyard/database';
import { CLOCK, KeyLimitsCache } from '@switchyard/service';
import { RegisteredEventsRepository } from '../db/registered-events.repository';
import { requireApplication, requireSystemKey } from '../domain/emission-admission';
import { type EmissionCause, runCause, writeCause } from '../domain/emission-cause';
import { refusePlatform } from '../domain/platform-application';
import { isPlatformId } from '../domain/platform-ids';
import type { EmissionRequest } from './emission-validator';
import { EmissionRecorder } from './emission-recorder';

@Injectable()
export class EmissionsService {
  constructor(
    private readonly database: Database,
    private readonly events: RegisteredEventsRepository,
    private readonly recorder: EmissionRecorder,
    private readonly limits: KeyLimitsCache,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** From outside: an application speaks for itself, and begins a chain of its own unless its request names a cause. */
  async emit(ctx: Ctx, data: EmitEvent): Promise<Emitted> {
    const byAccount = ctx.credentialType === 'nats_account';
    if (byAccount) requireApplication((await this.limits.of(ctx)).applications, data.appIdentifier);
    const keyOf = byAccount ? null : requireSystemKey(ctx.credentialType, ctx.applicationId);
    // A call that follows by the other road, because no answer came by the first, is the same emission.
    const id = ctx.messageId ?? newId();
    return this.record(ctx, { source: 'app', keyOf, byAccount, ...this.requestOf(ctx, data, id, writeCause(id, ctx)) });
  }

  /** By a person, in the name of the application that declares the event: the beginning of a chain, as from outside. */
  async emitByHand(ctx: Ctx, { id: eventId, payload, idempotencyKey }: EmitByHand): Promise<Emitted> {
    if (isPlatformId(eventId)) throw refusePlatform();
    const event = await this.database.transaction(ctx, (tx) =>
      this.events.findActive(tx, requireSpace(ctx), { id: eventId }),
    );
    if (!event) throw new AppError('NOT_FOUND', 'Event not found: no installed application declares it.');
    const id = newId();
    const data = { appIdentifier: event.appIdentifier, event: event.name, payload, idempotencyKey };
    return this.record(ctx, { source: 'user', keyOf: null, ...this.requestOf(ctx, data, id, writeCause(id, ctx)) });
  }

  /** From a task's step or an agent's tool: one deeper than the run. */
  async emitFromRun(ctx: Ctx, data: EmitEvent): Promise<Emitted> {
    const id = newId();
    return this.record(ctx, { source: 'system', keyOf: null, ...this.requestOf(ctx, data, id, runCause(id, ctx)) });
  }

  private async record(ctx: Ctx, request: EmissionRequest): Promise<Emitted> {
    const emitted = await this.recorder.record(requireSpace(ctx), request);
    ctx.answer.replayed = emitted.duplicate;
    return emitted;
  }

  private requestOf(
    ctx: Ctx,
    data: EmitEvent,
    id: string,
    cause: EmissionCause,
  ): Omit<EmissionRequest, 'source' | 'keyOf' | 'byAccount'> {
    checkJson(data.payload);
    const idempotencyKey = data.idempotencyKey ?? ctx.idempotency?.key ?? null;
    if (idempotencyKey !== null) checkIdempotencyKey(idempotencyKey);
    return {
      id,
      cause,
      appIdentifier: data.appIdentifier,
      event: data.event,
      payload: data.payload,
      bytes: jsonBytes(data.payload),
      fingerprint: idempotencyKey === null ? '' : fingerprint(data.payload),
      idempotencyKey,
      actorUserId: ctx.userId,
      emittedAt: this.clock.now().toISOString(),
      traceparent: ctx.traceparent,
    };
  }
}
