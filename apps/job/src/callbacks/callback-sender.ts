import { Injectable, type OnModuleInit } from '@nestjs/common';
import { KeyCalls, actAs, serviceCtx } from '@switchyard/contracts';
import { Database } from '@switchyard/database';
import { failpoint, poisonPoint, toAppError } from '@switchyard/kernel';
import { Bus } from '@switchyard/messaging';
import {
  Egress,
  type Holding,
  Logger,
  Metrics,
  PayerCache,
  PoisonedWork,
  type Share,
  SpaceConcurrencyLimits,
  FairSpacePicker,
  Workers,
  deliveryDelayMs,
  readRetryAfter,
  shareOf,
} from '@switchyard/service';
import { Webhook } from 'standardwebhooks';
import { type CallbackRow, CallbacksRepository } from '../db/callbacks.repository';
import { JobConfig } from '../job.config';

const POLL_MS = 1_000;
/** Deliveries at a time. A payer with addresses that do not answer leaves places for the others. */
const SHARE = shareOf(16);
const UNWEIGHED: Share = { capacity: Infinity, contended: Infinity, alone: Infinity };
const SPACES_AT_ONCE = 64;
const TIMEOUT_MS = 15_000;
/** Deliveries of a suspended Space wait, and are looked at again after this long. */
const SUSPENDED_PAUSE_MS = 5_000;

const KIND = 'callback';
const slotOf = (id: string): string => `callback ${id}`;

/** Sends the end of jobs to their callback URLs: signed, through the egress guard, with retries. */
@Injectable()
export class CallbackSender implements OnModuleInit {
  private rouse: () => void = () => undefined;
  private readonly underWay = new Map<Promise<unknown>, string>();
  private readonly picker: FairSpacePicker;

  constructor(
    private readonly database: Database,
    private readonly callbacks: CallbacksRepository,
    private readonly egress: Egress,
    private readonly bus: Bus,
    private readonly workers: Workers,
    private readonly config: JobConfig,
    private readonly limits: SpaceConcurrencyLimits,
    payerCache: PayerCache,
    private readonly metrics: Metrics,
    private readonly logger: Logger,
    private readonly poisoned: PoisonedWork,
  ) {
    this.picker = new FairSpacePicker(payerCache, { slots: SHARE, bytes: UNWEIGHED }, () => this.inFlightBySpace());
  }

  onModuleInit(): void {
    const poller = this.database.idlePoller.for(this.callbacks.anyDue);
    this.rouse = this.workers.poll('send callbacks', POLL_MS, () => this.round(), poller);
    this.workers.atStop(async () => {
      await Promise.allSettled(this.underWay.keys());
    });
    this.poisoned.add({
      kind: KIND,
      runAlone: (id) => this.runAlone(id),
      giveUp: async (tx, id) => (await this.callbacks.giveUp(tx, id, 'RUNTIME_UNAVAILABLE')) ?? undefined,
      retry: async (tx, { spaceId, id }) => {
        tx.afterCommit(() => {
          this.wake();
        });
        return spaceId === null ? 'absent' : this.callbacks.startAgain(tx, spaceId, id);
      },
    });
    this.metrics.gauge('switchyard_callbacks_under_way', 'Callbacks that are being delivered.', [], (gauge) => {
      gauge.set(this.underWay.size);
    });
    this.metrics.gauge('switchyard_callbacks_limit', 'How many callbacks are delivered at a time.').set(SHARE.capacity);
  }

  wake(): void {
    this.rouse();
  }

  private async round(): Promise<boolean> {
    const freeSlots = SHARE.capacity - this.underWay.size;
    if (freeSlots <= 0) return false;
    const spaces = await this.database.system('look for callbacks', (tx) =>
      this.callbacks.dueSpaces(tx, SPACES_AT_ONCE, this.picker.excluded),
    );
    const hasMore = spaces.length === SPACES_AT_ONCE;
    const slotsOfSpaces = await this.picker.pick(spaces, freeSlots);
    this.picker.endRound(hasMore);
    if (slotsOfSpaces.size === 0) return hasMore;
    const due = await this.claim(new Map([...slotsOfSpaces].map(([space, { slots: slots }]) => [space, slots])));
    for (const callback of due) this.begin(callback);
    return due.length > 0 || hasMore;
  }

  /** Each has a mark of its own, which ends when its delivery does. */
  private async claim(slotsOfSpaces: ReadonlyMap<string, number>): Promise<CallbackRow[]> {
    const { marks } = this.poisoned;
    let claimed: CallbackRow[] = [];
    try {
      return await this.database.system('claim callbacks', async (tx) => {
        claimed = await this.callbacks.claim(tx, slotsOfSpaces);
        for (const { id } of claimed) await tx.statement(marks.begin({ slot: slotOf(id), kind: KIND, ids: [id] }));
        return claimed;
      });
    } catch (error) {
      for (const { id } of claimed) marks.drop(slotOf(id));
      throw error;
    }
  }

  private begin(callback: CallbackRow): void {
    const delivery: Promise<unknown> = this.poisoned.marks
      .fresh(() => this.deliver(callback))
      .catch((error: unknown) => {
        this.logger.warn({ err: error, jobId: callback.jobId }, 'failed to record the outcome of a callback');
      })
      .finally(async () => {
        await this.poisoned.marks.release(slotOf(callback.id));
        this.underWay.delete(delivery);
        this.wake();
      });
    this.underWay.set(delivery, callback.spaceId);
  }

  /** One that lost its process. */
  private async runAlone(id: string): Promise<'ended' | 'later'> {
    const callback = await this.database.system('take a lost callback', (tx) => this.callbacks.take(tx, id));
    if (callback === null) return 'ended';
    return (await this.deliver(callback)) ? 'ended' : 'later';
  }

  private inFlightBySpace(): ReadonlyMap<string, Holding> {
    const inFlight = new Map<string, Holding>();
    for (const spaceId of this.underWay.values())
      inFlight.set(spaceId, { slots: (inFlight.get(spaceId)?.slots ?? 0) + 1, bytes: 0 });
    return inFlight;
  }

  /** True if it was sent, also if the receiver refused it. */
  private async deliver(callback: CallbackRow): Promise<boolean> {
    if (!(await this.limits.mayRun(callback.spaceId))) {
      await this.database.inSpace(callback.spaceId, (tx) => this.callbacks.putOff(tx, callback, SUSPENDED_PAUSE_MS));
      return false;
    }
    poisonPoint('job.callback', callback.body);
    let result: string;
    let final = false;
    let retryAfterMs: number | null = null;
    try {
      const { status, retryAfter } = await this.post(callback);
      retryAfterMs = readRetryAfter(retryAfter);
      await failpoint('job.callback-sent');
      result = String(status);
      if (status >= 200 && status < 300) {
        await this.database.inSpace(callback.spaceId, (tx) => this.callbacks.delivered(tx, callback, result));
        this.count('delivered');
        return true;
      }
      final = status === 410;
    } catch (error) {
      const { code } = toAppError(error);
      result = code;
      // An address out of bounds stays out of bounds.
      final = code === 'VALIDATION_ERROR';
    }
    const delayMs = final
      ? null
      : deliveryDelayMs({ failed: callback.attempts, retryAfterMs, baseMs: this.config.JOB_CALLBACK_BASE_MS });
    await this.database.inSpace(callback.spaceId, (tx) => this.callbacks.failed(tx, callback, result, delayMs));
    this.count(delayMs === null ? 'given_up' : 'failed');
    if (delayMs === null) this.logger.warn({ jobId: callback.jobId, result }, 'a callback failed after its last retry');
    else if (delayMs < 60_000)
      setTimeout(() => {
        this.wake();
      }, delayMs + 5).unref();
    return true;
  }

  private async post({ spaceId, id, url, body }: CallbackRow): Promise<{ status: number; retryAfter?: string }> {
    const ctx = actAs(serviceCtx('job'), { spaceId });
    const { webhookSecret } = await this.bus.call(KeyCalls.getWebhookSecret, ctx, { spaceId });
    const at = new Date();
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'Switchyard-Callbacks/1',
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': new Webhook(webhookSecret).sign(id, at, body),
    };
    const { status, headers: answered } = await this.egress.request({
      spaceId,
      url,
      method: 'POST',
      headers,
      body,
      timeoutMs: TIMEOUT_MS,
      redirects: 0,
      statusOnly: true,
    });
    const retryAfter = answered['retry-after'];
    return { status, ...(retryAfter === undefined ? {} : { retryAfter }) };
  }

  private count(outcome: 'delivered' | 'failed' | 'given_up'): void {
    this.metrics
      .counter('switchyard_callbacks_total', 'Deliveries of callbacks by outcome.', ['outcome'])
      .inc({ outcome });
  }
}
