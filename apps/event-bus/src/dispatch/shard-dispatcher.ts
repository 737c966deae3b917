import { Injectable } from '@nestjs/common';
import type { EnvelopeError } from '@switchyard/contracts';
import { Database, type Tx, isStatementTimeout } from '@switchyard/database';
import { AppError, failpoint, isTransient, poisonPoint } from '@switchyard/kernel';
import { Logger, Metrics, PoisonedWork } from '@switchyard/service';
import { DeliveriesRepository } from '../db/deliveries.repository';
import { RootBudgetsRepository } from '../db/root-budgets.repository';
import {
  BATCH_BYTES,
  type DispatchDecision,
  type WaitingEmission,
  WaitingEmissionsRepository,
} from '../db/undispatched-emissions.repository';
import { afterFailure } from '../domain/emission-state';
import { overBudget } from '../domain/loop-guard';
import { type Matches, NO_MATCHES, matchCount } from '../domain/matches';
import { SubscriptionMatcher } from './subscription-matcher';
import { EndpointDispatch, type Sending } from './endpoint-dispatch';
import { SpaceBacklogQuota } from './space-backlog-quota';
import type { Triggering } from './trigger-messages';
import { trigger, triggerBytes } from './publish-triggers';

const BATCH = 200;

interface Decided {
  decision: DispatchDecision;
  triggering: Triggering[];
  sending: Sending[];
}

const isTimeout = (error: unknown): boolean =>
  isStatementTimeout(error) || (error instanceof AppError && error.code === 'TIMEOUT');

/** Dispatches the emissions of one lane, oldest first. */
@Injectable()
export class ShardDispatcher {
  private readonly settled;

  constructor(
    private readonly database: Database,
    private readonly waiting: WaitingEmissionsRepository,
    private readonly deliveries: DeliveriesRepository,
    private readonly endpointDispatch: EndpointDispatch,
    private readonly budgets: RootBudgetsRepository,
    private readonly subscriptionMatcher: SubscriptionMatcher,
    private readonly backlog: SpaceBacklogQuota,
    private readonly poisoned: PoisonedWork,
    private readonly logger: Logger,
    metrics: Metrics,
  ) {
    this.settled = metrics.counter(
      'switchyard_emissions_settled_total',
      'Emissions that are no longer `PENDING`, by their final status.',
      ['status'],
    );
  }

  /** One batch: how many there were, and whether more may wait. Throws what keeps the whole lane waiting. */
  run(shard: number): Promise<{ dispatched: number; more: boolean }> {
    return this.poisoned.marks.fresh(() => this.runBatch(shard));
  }

  private async runBatch(shard: number): Promise<{ dispatched: number; more: boolean }> {
    // If triggers of a Space pile up, only its own emissions wait.
    const { marks } = this.poisoned;
    const slot = `lane ${shard}`;
    const params = { lane: shard, limit: BATCH, worker: marks.worker, slot };
    const oldest = this.waiting.oldest(params, this.backlog.spacesOverQuota());
    marks.hold(slot);
    let batch: WaitingEmission[] = [];
    try {
      const [found = []] = await this.database.systemWrite('take waiting emissions', [oldest]);
      batch = found as unknown as WaitingEmission[];
      marks.hold(slot, { kind: 'emission', ids: batch.map(({ id }) => id) });
    } finally {
      if (batch.length === 0) marks.drop(slot);
    }
    const bytes = batch.reduce((sum, { payloadBytes }) => sum + payloadBytes, 0);
    const more = batch.length === BATCH || bytes >= BATCH_BYTES;
    if (batch.length === 0) return { dispatched: 0, more };
    try {
      await this.dispatch(shard, batch, slot);
    } catch (error) {
      if (isTransient(error) && !(await this.isTooHeavy(error))) throw error;
      await this.dispatchSingly(shard, batch);
    } finally {
      await marks.release(slot);
    }
    return { dispatched: batch.length, more };
  }

  /** An emission that was lost once is dispatched alone: if its process dies again, nothing else is lost. */
  async runAlone(id: string): Promise<'ended' | 'later'> {
    const emission = await this.database.system('read a lost emission', (tx) => this.waiting.find(tx, id));
    if (!emission) return 'ended';
    if (!emission.isDue) return 'later';
    try {
      await this.dispatch(emission.lane, [emission]);
      return 'ended';
    } catch (error) {
      if (isTransient(error) && !(await this.isTooHeavy(error))) throw error;
      await this.noteFailure(emission, error);
      return 'later';
    }
  }

  /**
   * A time-out says nothing by itself. With the others at hand, it was the weight of what was asked: it counts, or a
   * heavy emission would hold up its lane for ever.
   */
  private async isTooHeavy(error: unknown): Promise<boolean> {
    if (!isTimeout(error)) return false;
    return (await this.database.isReachable()) && (await this.subscriptionMatcher.isAnswered());
  }

  /** Finds the emission that fails the batch, and lets the others pass. */
  private async dispatchSingly(shard: number, batch: readonly WaitingEmission[]): Promise<void> {
    for (const emission of batch) {
      try {
        await this.dispatch(shard, [emission]);
      } catch (error) {
        if (isTransient(error) && !(await this.isTooHeavy(error))) throw error;
        await this.noteFailure(emission, error);
      }
    }
  }

  private async noteFailure(emission: WaitingEmission, error: unknown): Promise<void> {
    const next = afterFailure(emission.attempts + 1);
    this.logger.warn({ err: error, envelopeId: emission.id, next: next.status }, 'failed to dispatch an emission');
    const shown = {
      code: error instanceof AppError ? error.code : 'SERVER_ERROR',
      message: 'The dispatch failed; the log says why.',
    };
    await this.database.system('note a failed dispatch', (tx) =>
      this.waiting.noteFailure(tx, emission, next.status === 'PENDING' ? next.retryInMs : null, shown),
    );
    if (next.status === 'FAILED') this.settled.inc({ status: 'FAILED' });
  }

  /** The mark in `slot` is removed with the statements that settle the batch. */
  private async dispatch(shard: number, batch: readonly WaitingEmission[], slot?: string): Promise<void> {
    for (const { payload } of batch) poisonPoint('event-bus.dispatching', payload);
    const matches = await this.subscriptionMatcher.match(batch);
    const decisions = await this.database.system('dispatch emissions', async (tx) => {
      // A budget is taken for what certainly waits; where none is, the settling itself tells.
      const isCounted = batch.some(({ depth }) => depth > 0);
      const claimed = isCounted ? await this.waiting.claim(tx, shard, batch) : null;
      const locked = isCounted ? null : this.waiting.lockShard(tx, shard);
      const emissions = claimed ? batch.filter((emission) => claimed.has(emission.id)) : batch;
      const decided = isCounted ? await this.decide(tx, emissions, matches) : decisionsOf(emissions, matches);
      const settling = this.waiting.settle(
        tx,
        decided.map(({ decision }) => decision),
      );
      const ended = slot === undefined ? undefined : this.poisoned.marks.end(tx, slot);
      const [settled] = await Promise.all([settling, locked, ended]);
      const dispatched = decided.filter(({ decision }) => settled.has(decision.id));
      await trigger(
        tx,
        this.deliveries,
        dispatched.flatMap(({ triggering }) => triggering),
      );
      await this.endpointDispatch.add(
        tx,
        dispatched.flatMap(({ sending }) => sending),
      );
      return dispatched;
    });
    await failpoint('event-bus.dispatched');
    for (const { decision } of decisions) this.settled.inc({ status: decision.status });
    this.charge(batch, decisions);
  }

  /** Messages of an emission are charged to its Space, for each subscription that it starts. */
  private charge(batch: readonly WaitingEmission[], dispatched: readonly Decided[]): void {
    const bytes = new Map(batch.map(({ id, payloadBytes }) => [id, payloadBytes]));
    for (const { decision, triggering } of dispatched) {
      const payloadBytes = bytes.get(decision.id) ?? 0;
      const started = triggering.reduce((sum, { matches }) => sum + matches.length, 0);
      this.backlog.dispatched(decision.spaceId, payloadBytes, triggerBytes(payloadBytes, started));
    }
  }

  private async decide(
    tx: Tx,
    emissions: readonly WaitingEmission[],
    matches: ReadonlyMap<string, Matches>,
  ): Promise<Decided[]> {
    const refused = new Map<string, EnvelopeError>();
    // Two lanes may meet at the same roots: they lock them in one order.
    const caused = emissions
      .filter((emission) => emission.depth > 0)
      .sort((a, b) => (a.correlationId < b.correlationId ? -1 : 1));
    for (const { spaceId, id, correlationId, depth } of caused) {
      const needed = matches.get(id)?.tasks.length ?? 0;
      if (needed === 0) continue;
      const { taken, runs } = await this.budgets.take(tx, spaceId, correlationId, needed);
      const error = taken ? null : overBudget(depth, runs, needed);
      if (error) refused.set(id, error);
    }
    return decisionsOf(emissions, matches, refused);
  }
}

function decisionsOf(
  emissions: readonly WaitingEmission[],
  matches: ReadonlyMap<string, Matches>,
  refused: ReadonlyMap<string, EnvelopeError> = new Map(),
): Decided[] {
  return emissions.map((emission) => {
    const { spaceId, id } = emission;
    const error = refused.get(id) ?? null;
    if (error) return { decision: { spaceId, id, status: 'SKIPPED', matched: 0, error }, triggering: [], sending: [] };
    const found = matches.get(id) ?? NO_MATCHES;
    return {
      decision: { spaceId, id, status: 'DISPATCHED', matched: matchCount(found), error: null },
      triggering: found.tasks.length > 0 ? [{ emission, matches: found.tasks, replay: 0 }] : [],
      sending: found.endpoints.length > 0 ? [{ emission, matches: found.endpoints }] : [],
    };
  });
}
