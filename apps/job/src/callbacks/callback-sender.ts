import { Injectable, type OnModuleInit } from '@nestjs/common';
import { KeyCalls, actAs, serviceCtx } from '@switchyard/contracts';
import { Database } from '@switchyard/database';
import { failpoint, poisonPoint } from '@switchyard/kernel';
import { Bus, type WaitOutside } from '@switchyard/messaging';
import {
  type AfterAttempt,
  type AttemptResult,
  DeliveryRunner,
  Egress,
  Logger,
  Metrics,
  PayerCache,
  PoisonedWork,
  SpaceConcurrencyLimits,
  Workers,
  afterAttempt,
  attempted,
  sendWebhook,
} from '@switchyard/service';
import { type ClaimedCallback, CallbacksRepository } from '../db/callbacks.repository';

/** Deliveries at a time. A payer with addresses that do not answer leaves places for the others. */
const CAPACITY = 16;
/** Of bodies that are being sent. */
const MAX_BYTES = 32 * 1024 * 1024;
/** A longer one is delivered too, and the next ones wait for it. */
const LARGEST_BYTES = MAX_BYTES / 4;
/** An address out of bounds stays out of bounds. */
const FINAL_ERRORS = ['ADDRESS_NOT_ALLOWED'];
const OUTCOMES: Record<AfterAttempt['kind'], string> = { delivered: 'delivered', again: 'failed', ended: 'given_up' };

/** Sends the end of jobs to their callback URLs. */
@Injectable()
export class CallbackSender implements OnModuleInit {
  private readonly runner: DeliveryRunner<ClaimedCallback>;
  private readonly outcomes;

  constructor(
    private readonly database: Database,
    private readonly callbacks: CallbacksRepository,
    private readonly egress: Egress,
    private readonly bus: Bus,
    private readonly poisoned: PoisonedWork,
    private readonly logger: Logger,
    limits: SpaceConcurrencyLimits,
    workers: Workers,
    payers: PayerCache,
    metrics: Metrics,
  ) {
    const mayRun = (spaceId: string): Promise<boolean> => limits.mayRun(spaceId);
    this.runner = new DeliveryRunner(
      { database, workers, poisoned, payers, logger, mayRun },
      {
        rows: callbacks.rows,
        due: (tx, limit, except) => callbacks.due(tx, limit, except),
        claim: (tx, worker, capacities) => callbacks.claim(tx, worker, capacities),
        deliver: (callback, outside) => this.deliver(callback, outside),
      },
      { what: 'callbacks', kind: callbacks.kind, capacity: CAPACITY, maxBytes: MAX_BYTES, largestBytes: LARGEST_BYTES },
    );
    metrics.gauge('switchyard_callbacks_under_way', 'Callbacks that are being delivered.', [], (gauge) => {
      gauge.set(this.runner.used.slots);
    });
    metrics.gauge('switchyard_callbacks_limit', 'Limit of `switchyard_callbacks_under_way`.').set(CAPACITY);
    metrics.bounded(
      {
        name: 'switchyard_callbacks_bytes',
        help: 'Bytes of the callbacks that are being delivered.',
        measures: ['used', 'limit'],
      },
      (set) => {
        set({ used: this.runner.used.bytes, limit: MAX_BYTES });
      },
    );
    this.outcomes = metrics.counter('switchyard_callbacks_total', 'Deliveries of callbacks by outcome.', ['outcome']);
  }

  onModuleInit(): void {
    this.poisoned.add({
      kind: this.callbacks.kind,
      retry: async (tx, { spaceId, id }) => {
        if (spaceId === null) return 'absent';
        tx.afterCommit(() => {
          this.wake(spaceId);
        });
        return this.callbacks.rows.startAgain(tx, spaceId, id);
      },
    });
    this.runner.begin();
  }

  /** There is a new callback in this Space. */
  wake(spaceId: string): void {
    this.runner.wake([{ spaceId, queueId: spaceId }]);
  }

  private async deliver(callback: ClaimedCallback, outside: WaitOutside): Promise<number | null> {
    poisonPoint('job.callback', callback.body);
    const attempt = await attempted(() => this.send(callback, outside));
    await failpoint('job.callback-sent');
    const after = afterAttempt(attempt, {
      failedBefore: callback.attempts,
      finalErrors: FINAL_ERRORS,
    });
    await this.database.inSpace(callback.spaceId, (tx) =>
      this.callbacks.settle(tx, this.poisoned.marks.worker, callback, { attempt, after }),
    );
    this.outcomes.inc({ outcome: OUTCOMES[after.kind] });
    if (after.kind === 'ended')
      this.logger.warn({ jobId: callback.jobId, error: attempt.error?.code }, 'a callback has ended undelivered');
    return after.kind === 'again' ? after.inMs : null;
  }

  private async send({ spaceId, id, url, body }: ClaimedCallback, outside: WaitOutside): Promise<AttemptResult> {
    const ctx = actAs(serviceCtx('job'), { spaceId });
    const { webhookSecret } = await this.bus.call(KeyCalls.getWebhookSecret, ctx, { spaceId });
    const secrets = [webhookSecret];
    return sendWebhook(this.egress, { spaceId, url, id, body, secrets, userAgent: 'Switchyard-Callbacks/1', outside });
  }
}
