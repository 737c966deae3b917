import { Inject, Injectable } from '@nestjs/common';
import { type Ctx, type PlatformChange, isOfTask, requireSpace } from '@switchyard/contracts';
import type { Tx } from '@switchyard/database';
import { type Clock, jsonBytes, newId } from '@switchyard/kernel';
import { CLOCK } from '@switchyard/service';
import { EmissionsRepository } from '../db/emissions.repository';
import { PlatformApplicationRepository } from '../db/platform-application.repository';
import { SpaceBacklogQuota } from '../dispatch/space-backlog-quota';
import { Dispatcher } from '../dispatch/dispatcher';
import { SubscriptionIndexes } from '../dispatch/subscription-indexes';
import { runCause, writeCause } from '../domain/emission-cause';
import { audienceOf } from '../domain/envelope-audience';
import { shardOf } from '../domain/event-shard';
import { tooDeep } from '../domain/loop-guard';
import type { NewEmission } from '../domain/new-emission';
import { platformPayload } from '../domain/platform-payload';
import { EventBusConfig } from '../event-bus.config';
import { PlatformEventWatcher } from './platform-event-watcher';

/** Makes envelopes of what services tell, where a subscription matches. */
@Injectable()
export class PlatformEmissions {
  constructor(
    private readonly application: PlatformApplicationRepository,
    private readonly emissions: EmissionsRepository,
    private readonly indexes: SubscriptionIndexes,
    private readonly watcher: PlatformEventWatcher,
    private readonly dispatcher: Dispatcher,
    private readonly backlog: SpaceBacklogQuota,
    private readonly config: EventBusConfig,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async record(tx: Tx, ctx: Ctx, change: PlatformChange): Promise<void> {
    const spaceId = requireSpace(ctx);
    const registration = await this.application.find(tx, spaceId, change.event);
    if (!registration?.hasSubscriptions) {
      tx.afterCommit(() => {
        this.watcher.unwatch(spaceId, change.event);
      });
      return;
    }
    const payload = platformPayload(change);
    const { eventId, appIdentifier, subscriptionsRevision } = registration;
    const index = await this.indexes.of({ spaceId, eventId, subscriptionsRevision });
    if (!index.match(payload).some(({ taskId }) => !isOfTask(payload, taskId))) return;
    const id = newId();
    const cause = ctx.lineage ? runCause(id, ctx) : writeCause(id, ctx);
    const loop = tooDeep(cause.depth, this.config.EVENT_MAX_DEPTH);
    const emission: NewEmission = {
      id,
      spaceId,
      eventId,
      appIdentifier,
      event: change.event,
      payload,
      bytes: jsonBytes(payload),
      source: 'system',
      status: loop ? 'SKIPPED' : 'PENDING',
      error: loop,
      idempotencyKey: null,
      fingerprint: null,
      actorUserId: change.actorType === 'user' ? (change.actorId ?? null) : null,
      causationId: cause.causationId,
      correlationId: cause.correlationId,
      depth: cause.depth,
      parent: cause.parent,
      root: cause.root,
      lane: shardOf(eventId),
      emittedAt: this.clock.now().toISOString(),
      audience: audienceOf(change.event, change.userId ?? null),
      traceparent: ctx.traceparent,
    };
    await this.emissions.record(tx, [emission]);
    tx.afterCommit(() => {
      if (loop) return;
      this.backlog.recorded(spaceId, emission.bytes);
      this.dispatcher.wake([emission.lane]);
    });
  }
}
