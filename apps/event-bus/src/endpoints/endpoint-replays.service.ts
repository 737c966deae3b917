import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type Ctx, type EndpointReplayed, type ReplayEndpoint, requireSpace } from '@switchyard/contracts';
import { FairSemaphore, type Polled, SingleFlight, tooManyWaitFor } from '@switchyard/concurrency';
import { Database } from '@switchyard/database';
import { AppError, failpoint, newId, sleep } from '@switchyard/kernel';
import { Logger, Metrics, PayerCache, Retention, Workers } from '@switchyard/service';
import { SecurityEventRecorder } from '../audit/security-event-recorder';
import { EndpointReplaysRepository, type ReplayProgress, type ReplayRef } from '../db/endpoint-replays.repository';
import { EndpointsRepository } from '../db/endpoints.repository';
import { receiverOf } from '../domain/endpoint-record';
import { EndpointBacklog } from './endpoint-backlog';
import { EndpointEncryption } from './endpoint-encryption';
import { EndpointSender } from './endpoint-sender';
import { noEndpoint } from './endpoints.service';

/** Ended deliveries that one transaction reads, and sends again. */
const PIECE = 2_000;
/** Pieces that this process makes at a time. A payer has one of them while others wait. */
const PIECES_AT_ONCE = 4;
const MOST_UNFINISHED = 8;
/** Less than the gateway waits. */
const WAIT_MS = 20_000;
const LOOK_MS = 250;
const ABANDONED_POLL_MS = 5_000;
const ABANDONED_AT_ONCE = 20;
/** Longer than an idempotency key is good for. */
const RETENTION_DAYS = 2;

/**
 * Replays of ranges to an endpoint. They are recorded first, then made in pieces by this process; the pieces that it
 * leaves behind when it dies are made by another one, or by this one after its restart.
 */
@Injectable()
export class EndpointReplays implements OnModuleInit {
  private readonly stopping = new AbortController();
  private readonly underWay = new SingleFlight<void>();
  private readonly pieces = new FairSemaphore({
    slots: PIECES_AT_ONCE,
    share: 1,
    reserve: 1,
    waitMs: WAIT_MS,
    waiting: { all: Infinity, each: Infinity },
    refusal: tooManyWaitFor('replays to endpoints'),
  });
  private readonly envelopes;
  private readonly refused;

  constructor(
    private readonly database: Database,
    private readonly endpoints: EndpointsRepository,
    private readonly encryption: EndpointEncryption,
    private readonly replays: EndpointReplaysRepository,
    private readonly sender: EndpointSender,
    private readonly backlog: EndpointBacklog,
    private readonly payers: PayerCache,
    private readonly securityEvents: SecurityEventRecorder,
    private readonly retention: Retention,
    private readonly workers: Workers,
    private readonly logger: Logger,
    metrics: Metrics,
  ) {
    metrics.gauge(
      'switchyard_endpoint_replays_running',
      'Replays of ranges to endpoints that have not ended, as the database counts them: the same from each replica, so use their maximum.',
      [],
      async (gauge) => {
        const count = await database.system('count replays', (tx) => replays.countAllUnfinished(tx)).catch(() => null);
        if (count !== null) gauge.set(count);
      },
    );
    this.envelopes = metrics.counter(
      'switchyard_endpoint_replays_envelopes_total',
      'Envelopes that replays of ranges have queued for their endpoints again.',
    );
    this.refused = metrics.counter(
      'switchyard_endpoint_replays_refused_total',
      'Replays that were refused because their endpoint had too many that had not ended.',
    );
    metrics.bounded(
      {
        name: 'switchyard_endpoint_replays_pieces',
        help: 'Pieces of replays to endpoints that this process reads and queues now; each has up to 2,000 deliveries.',
        measures: ['used', 'limit', 'waiting'],
      },
      (set) => {
        set({ used: this.pieces.used, limit: PIECES_AT_ONCE, waiting: this.pieces.waiting });
      },
    );
  }

  onModuleInit(): void {
    const poller = this.database.idlePoller.for(this.replays.anyUnfinished);
    this.workers.poll('continue replays to endpoints', ABANDONED_POLL_MS, () => this.continueAbandoned(), poller);
    this.workers.atStop(() => {
      this.stopping.abort();
      return Promise.resolve();
    });
    this.retention.register('replays to endpoints', (tx, limit) => this.replays.removeOld(tx, RETENTION_DAYS, limit));
  }

  /** A repeat with the same idempotency key waits for the same replay. */
  async replay(ctx: Ctx, { id: endpointId, from, to, status = 'FAILED' }: ReplayEndpoint): Promise<EndpointReplayed> {
    const spaceId = requireSpace(ctx);
    const begun = await this.database.once(ctx, async (tx): Promise<EndpointReplayed> => {
      const endpoint = await this.endpoints.findLocked(tx, spaceId, endpointId);
      if (!endpoint) throw noEndpoint();
      this.encryption.checkReadable(endpoint);
      if ((await this.replays.countUnfinished(tx, spaceId, endpointId)) >= MOST_UNFINISHED) {
        this.refused.inc();
        throw tooManyReplays();
      }
      const id = newId();
      await this.replays.add(tx, { spaceId, id, endpointId, from, to: to ?? null, status });
      tx.afterCommit(() => {
        const details = { name: endpoint.name, ...receiverOf(endpoint), replayId: id, status };
        this.securityEvents.note(ctx, 'endpoint.replayed', endpointId, details);
      });
      return { id, matched: 0 };
    });
    const ref = { spaceId, id: begun.id, endpointId };
    const hasKey = ctx.idempotency !== undefined;
    const progress = await this.waited(ref);
    // An answer that was stored before replays were recorded.
    if (progress === null) return begun;
    if (!progress.isFinished) throw stillRuns(hasKey);
    // A repeat cannot name this replay, so its record has no reader. Each would remain for days.
    if (!hasKey) await this.database.inSpace(spaceId, (tx) => this.replays.remove(tx, ref));
    return { id: begun.id, matched: progress.matched };
  }

  private async waited(ref: ReplayRef): Promise<ReplayProgress | null> {
    await Promise.race([this.run(ref), sleep(WAIT_MS)]);
    return this.database.inSpace(ref.spaceId, (tx) => this.replays.find(tx, ref));
  }

  private run(ref: ReplayRef): Promise<void> {
    return this.underWay.run(ref.id, () => this.make(ref));
  }

  /** All pieces that are left. Returns early when the process stops. */
  private async make(ref: ReplayRef): Promise<void> {
    const { signal } = this.stopping;
    const queue = { spaceId: ref.spaceId, queueId: ref.endpointId };
    for (;;) {
      const progress = await this.database.inSpace(ref.spaceId, (tx) => this.replays.find(tx, ref));
      if (progress === null || progress.isFinished) return;
      const hasAdvanced = await this.piece(ref, signal);
      if (signal.aborted) return this.release(ref);
      if (hasAdvanced) {
        this.backlog.noteReplayed(queue);
        this.sender.wake([queue]);
      } else await sleep(LOOK_MS, signal);
    }
  }

  /** False if it made none: another process does, or this one stops. */
  private async piece(ref: ReplayRef, signal: AbortSignal): Promise<boolean> {
    const payer = this.payers.of(ref.spaceId);
    if ((await this.pieces.acquireInTime(payer, signal)) === 'stopped') return false;
    try {
      const queued = await this.database.inSpace(ref.spaceId, (tx) => this.replays.advance(tx, ref, PIECE));
      this.envelopes.inc(queued ?? 0);
      await failpoint('event-bus.replay-advanced');
      return queued !== null;
    } finally {
      this.pieces.release(payer);
    }
  }

  private async continueAbandoned(): Promise<Polled> {
    const abandoned = await this.database.system('claim abandoned replays', (tx) =>
      this.replays.claimAbandoned(tx, ABANDONED_AT_ONCE),
    );
    await Promise.all(
      abandoned.map(async (ref) => {
        try {
          await this.run(ref);
        } catch (error) {
          this.logger.warn({ err: error, replayId: ref.id }, 'a replay to an endpoint failed; it is tried again');
        }
      }),
    );
    return abandoned.length > 0 && 'soon';
  }

  private async release(ref: ReplayRef): Promise<void> {
    await this.database.inSpace(ref.spaceId, (tx) => this.replays.release(tx, ref));
  }
}

const tooManyReplays = (): AppError =>
  new AppError('RATE_LIMITED', `At most ${MOST_UNFINISHED} replays to an endpoint run at a time.`, {
    retryAfterSeconds: 5,
  });

const stillRuns = (hasKey: boolean): AppError =>
  hasKey
    ? new AppError(
        'REQUEST_IN_PROGRESS',
        'The replay continues. For the number of its envelopes, repeat the request with its idempotency key.',
        { retryAfterSeconds: 5 },
      )
    : new AppError(
        'REQUEST_IN_PROGRESS',
        'The replay continues. Do not repeat the request: without an idempotency key, that begins another replay. The list of deliveries of the endpoint shows what has been queued.',
        { headers: { 'x-should-retry': 'false' } },
      );
