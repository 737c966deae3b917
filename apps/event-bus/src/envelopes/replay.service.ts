import { Injectable } from '@nestjs/common';
import { type ById, type Ctx, type Replayed, requireSpace } from '@switchyard/contracts';
import { Database } from '@switchyard/database';
import { SecurityEventRecorder } from '../audit/security-event-recorder';
import { DeliveriesRepository } from '../db/deliveries.repository';
import { EnvelopesRepository } from '../db/envelopes.repository';
import { RootBudgetsRepository } from '../db/root-budgets.repository';
import { SpaceBacklogQuota } from '../dispatch/space-backlog-quota';
import { SubscriptionMatcher } from '../dispatch/subscription-matcher';
import { trigger, triggerBytes } from '../dispatch/publish-triggers';
import { afterReplay } from '../domain/emission-state';
import { noEnvelope } from './envelopes.service';

/**
 * Starts the subscriptions of now once more, as often as an operator asks, and also for what has FAILED or was SKIPPED.
 */
@Injectable()
export class ReplayService {
  constructor(
    private readonly database: Database,
    private readonly envelopes: EnvelopesRepository,
    private readonly deliveries: DeliveriesRepository,
    private readonly budgets: RootBudgetsRepository,
    private readonly subscriptionMatcher: SubscriptionMatcher,
    private readonly backlog: SpaceBacklogQuota,
    private readonly securityEventRecorder: SecurityEventRecorder,
  ) {}

  async replay(ctx: Ctx, { id }: ById): Promise<Replayed> {
    const spaceId = requireSpace(ctx);
    const seen = await this.database.transaction(ctx, (tx) => this.envelopes.peek(tx, spaceId, id));
    if (!seen) throw noEnvelope();
    this.backlog.check(spaceId, seen.payloadBytes);
    const matches = (await this.subscriptionMatcher.match([seen])).get(id) ?? [];
    const bytes = triggerBytes(seen.payloadBytes, matches.length);
    const answer = await this.backlog.enter(spaceId, bytes, () =>
      this.database.once(ctx, async (tx) => {
        const envelope = await this.envelopes.lock(tx, spaceId, id);
        if (!envelope) throw noEnvelope();
        const replay = await this.envelopes.noteReplay(tx, spaceId, id, afterReplay(envelope.status), matches.length);
        await trigger(tx, this.deliveries, [{ emission: envelope, matches, replay }]);
        await this.budgets.restart(tx, spaceId, envelope.correlationId, matches.length);
        tx.afterCommit(() => {
          this.backlog.replayed(spaceId, bytes);
        });
        return { envelopeId: id, replay, matchedSubscriptions: matches.length };
      }),
    );
    if (!ctx.answer.replayed)
      this.securityEventRecorder.note(ctx, 'envelope.replayed', id, { event: seen.event, replay: answer.replay });
    return answer;
  }
}
