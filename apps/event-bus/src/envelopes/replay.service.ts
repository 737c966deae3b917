import { Injectable } from '@nestjs/common';
import { type Ctx, type ReplayEnvelope, type Replayed, requireSpace, roleAtLeast } from '@switchyard/contracts';
import { Database } from '@switchyard/database';
import { AppError } from '@switchyard/kernel';
import { SecurityEventRecorder } from '../audit/security-event-recorder';
import { DeliveriesRepository } from '../db/deliveries.repository';
import { EndpointsRepository } from '../db/endpoints.repository';
import { EnvelopesRepository } from '../db/envelopes.repository';
import { RootBudgetsRepository } from '../db/root-budgets.repository';
import { SpaceBacklogQuota } from '../dispatch/space-backlog-quota';
import { SubscriptionMatcher } from '../dispatch/subscription-matcher';
import { trigger, triggerBytes } from '../dispatch/publish-triggers';
import { EndpointDispatch } from '../dispatch/endpoint-dispatch';
import { viewerOf } from '../domain/envelope-audience';
import { afterReplay } from '../domain/emission-state';
import { NO_MATCHES, matchCount } from '../domain/matches';
import { noEndpoint } from '../endpoints/endpoints.service';
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
    private readonly endpoints: EndpointsRepository,
    private readonly endpointDispatch: EndpointDispatch,
    private readonly budgets: RootBudgetsRepository,
    private readonly subscriptionMatcher: SubscriptionMatcher,
    private readonly backlog: SpaceBacklogQuota,
    private readonly securityEventRecorder: SecurityEventRecorder,
  ) {}

  async replay(ctx: Ctx, { id, endpointId }: ReplayEnvelope): Promise<Replayed> {
    if (endpointId !== undefined) return this.replayTo(ctx, id, endpointId);
    const spaceId = requireSpace(ctx);
    const seen = await this.database.transaction(ctx, (tx) => this.envelopes.peek(tx, spaceId, id, viewerOf(ctx)));
    if (!seen) throw noEnvelope();
    this.backlog.check(spaceId, seen.payloadBytes);
    const matches = (await this.subscriptionMatcher.match([seen])).get(id) ?? NO_MATCHES;
    const { tasks, endpoints } = matches;
    const bytes = triggerBytes(seen.payloadBytes, tasks.length);
    const answer = await this.backlog.enter(spaceId, bytes, () =>
      this.database.once(ctx, async (tx) => {
        const envelope = await this.envelopes.lock(tx, spaceId, id);
        if (!envelope) throw noEnvelope();
        const matched = matchCount(matches);
        const replay = await this.envelopes.noteReplay(tx, spaceId, id, afterReplay(envelope.status), matched);
        await trigger(tx, this.deliveries, [{ emission: envelope, matches: tasks, replay }]);
        await this.endpointDispatch.replay(tx, { emission: envelope, matches: endpoints });
        await this.budgets.restart(tx, spaceId, envelope.correlationId, tasks.length);
        tx.afterCommit(() => {
          this.backlog.replayed(spaceId, bytes);
        });
        return { envelopeId: id, replay, matchedSubscriptions: matched };
      }),
    );
    if (!ctx.answer.replayed)
      this.securityEventRecorder.note(ctx, 'envelope.replayed', id, { event: seen.event, replay: answer.replay });
    return answer;
  }

  /** To one endpoint, whether or not a subscription of it matches. Starts no task. */
  private async replayTo(ctx: Ctx, id: string, endpointId: string): Promise<Replayed> {
    if (!roleAtLeast(ctx.role, 'ADMIN'))
      throw new AppError('FORBIDDEN', 'You need the role ADMIN to replay an envelope to an endpoint.');
    const spaceId = requireSpace(ctx);
    const seen = await this.database.transaction(ctx, async (tx) => {
      const envelope = await this.envelopes.peek(tx, spaceId, id, viewerOf(ctx));
      if (!envelope) throw noEnvelope();
      if (!(await this.endpoints.find(tx, spaceId, endpointId))) throw noEndpoint();
      return envelope;
    });
    const matches = (await this.subscriptionMatcher.match([seen])).get(id) ?? NO_MATCHES;
    const own = matches.endpoints.filter((match) => match.endpointId === endpointId);
    const sending = { emission: seen, matches: own.length > 0 ? own : [{ subscriptionId: null, endpointId }] };
    const answer = await this.database.once(ctx, async (tx): Promise<Replayed> => {
      if (!(await this.envelopes.lock(tx, spaceId, id))) throw noEnvelope();
      const replay = await this.endpointDispatch.replay(tx, sending);
      return { envelopeId: id, replay, matchedSubscriptions: own.length };
    });
    if (!ctx.answer.replayed)
      this.securityEventRecorder.note(ctx, 'envelope.replayed', id, { event: seen.event, endpointId });
    return answer;
  }
}
