import { AdaptivePollInterval } from '@switchyard/concurrency';
import { failpoint, sleep } from '@switchyard/kernel';
import { CONTRACTS_VERSION, allContracts } from '@switchyard/contracts';
import { ErrorCode, NatsError, headers } from 'nats';
import { inSpan, publishingSpan } from '../transport/message-tracing';
import { JetStreamConnection } from '../transport/jetstream-connection';
import { logHandlerErrors } from '../transport/log-handler-errors';
import { NatsConnectionManager } from '../transport/nats-connection-manager';
import { type Address, type Envelope, sealEnvelope } from '../signing/envelope';
import { MessageSigner } from '../signing/message-signer';
import { OutboxRow, OutboxStore } from './outbox-and-inbox-stores';
import { type PublishOutcome, OrderedEventPublisher } from './ordered-event-publisher';
import { EVENTS_STREAM, FRAMES_STREAM, missingStreams } from '../transport/stream-and-consumer-definitions';

const POLL_MS = 1000;
const BATCH = 200;
const MAX_IN_FLIGHT = 512;
const FULL_PAUSE_MS = 2_000;
const LOG_FULL_EVERY_MS = 60_000;
const EVENT_SEAL_MS = 72 * 3_600_000;
/** Signed for all consumers: an event that one of them has confirmed is sent again for the others. */
const addressOf = ({ name, pending }: OutboxRow): Address => {
  const subject = `event.${name}`;
  return { subject, receivers: consumersOf(name) ?? pending, lifeMs: EVENT_SEAL_MS };
};

const consumers = new Map<string, readonly string[]>();
const consumersOf = (name: string): readonly string[] | undefined => {
  if (consumers.size === 0)
    for (const contract of allContracts())
      if (contract.kind === 'event') consumers.set(contract.name, contract.consumers);
  return consumers.get(name);
};

export const KEY_HEADER = 'Sw-Key';
export const SPACE_HEADER = 'Sw-Space';
export const confirmSubject = (service: string): string => `confirm.${service}`;

/** The stream rejected the message ("maximum bytes exceeded", for instance). Not sent by an unavailable server. */
const STORE_FAILED = 10077;

/** The event may have been stored or not; it is not at fault. */
const NO_ANSWER: readonly string[] = [
  ErrorCode.Timeout,
  ErrorCode.Disconnect,
  ErrorCode.ConnectionClosed,
  ErrorCode.ConnectionDraining,
];

const isStreamFull = (error: unknown): boolean =>
  error instanceof NatsError && error.api_error?.err_code === STORE_FAILED;

const LOOK_FOR_STREAMS_MS = 1_000;

/** The second stream has the frames of turns. */
const streamsOf = (service: string): readonly string[] =>
  service === 'agent' ? [EVENTS_STREAM, FRAMES_STREAM] : [EVENTS_STREAM];

/** How to fix a missing stream: only the migration's login can create it. */
export const MAKE_STREAMS =
  'NATS has no such stream: make it with `node dist/tools/deploy/streams.js` (setup, the Job migrate and npm start do that)';

interface Confirmation {
  consumer: string;
  ids: string[];
}

/**
 * Publishes outbox rows to JetStream. The process that committed a row publishes it at once; unconfirmed rows become
 * due again for any replica. A row is deleted only when every consumer has committed its effect, so JetStream may lose
 * everything.
 */
export class OutboxRunner {
  private readonly stopping = new AbortController();
  private inFlight = 0;
  private loop: Promise<void> | undefined;
  private fullUntil = 0;
  private loggedFullAt = 0;
  private refusals = 0;
  private healing: Promise<void> | undefined;
  private missing: readonly string[] = [];
  /** Rows became due while due ones were read. */
  private isDueAgain = false;
  /** Wakes on commits of this process. */
  private readonly pause: AdaptivePollInterval;
  private readonly queued: OrderedEventPublisher;

  constructor(
    private readonly link: NatsConnectionManager,
    private readonly line: JetStreamConnection,
    private readonly encrypter: MessageSigner,
    private readonly store: OutboxStore,
  ) {
    this.pause = new AdaptivePollInterval(POLL_MS, store.poller);
    this.queued = new OrderedEventPublisher(
      store,
      (row) => this.publishInTurn(row),
      (error) => {
        link.options.log.warn({ err: error }, 'failed to publish queued events; retrying');
      },
    );
  }

  start(): void {
    this.store.onAnnounced((rows) => {
      if (this.stopping.signal.aborted || !this.mayPublish) return;
      this.pause.resetBackoff();
      if (rows.length > 0) this.publish(rows);
      else this.queued.publishAll();
    });
    this.store.onTriggerWrote?.(() => {
      this.isDueAgain = true;
      this.pause.wake();
    });
    this.line.onUp(() => {
      void this.heal();
    });
    // Confirmations that were missed while disconnected are requested by sending again.
    this.link.onUp(() => {
      void this.heal();
    });
    void this.line.ready();
    this.link.subscriptions.add(confirmSubject(this.link.options.service), {
      queue: this.link.options.service,
      callback: logHandlerErrors(this.link.options.log, 'confirmation of events', (message) =>
        this.confirmed(message.json<Confirmation>()),
      ),
    });
    this.loop = this.poll();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    this.pause.wake();
    await this.loop;
    const end = Date.now() + 2000;
    while ((this.inFlight > 0 || this.queued.isRunning) && Date.now() < end) await sleep(10);
  }

  private async confirmed(confirmation: Confirmation): Promise<void> {
    try {
      await failpoint('outbox.confirming');
      await this.store.confirm(confirmation.consumer, confirmation.ids);
    } catch (error) {
      this.link.options.log.warn({ err: error }, 'failed to store acknowledgements; the events will be sent again');
    }
  }

  /** Streams that this service needs and NATS lacks, at the last check. */
  get missingStreams(): readonly string[] {
    return this.missing;
  }

  private noteMissing(missing: string[]): void {
    const isChanged = missing.join() !== this.missing.join();
    this.missing = missing;
    if (!isChanged) return;
    if (missing.length > 0) this.link.options.log.error({ missing }, MAKE_STREAMS);
    else this.link.options.log.info({}, 'the streams of NATS are available again');
  }

  /** The server may have lost its data before a reconnect: once the streams exist, everything unconfirmed is due. */
  private heal(): Promise<void> {
    this.healing ??= this.doHeal().finally(() => {
      this.healing = undefined;
    });
    return this.healing;
  }

  private async doHeal(): Promise<void> {
    while (this.line.isUp && !this.stopping.signal.aborted) {
      try {
        const jsm = await this.line.nc.jetstreamManager({ checkAPI: false });
        this.noteMissing(await missingStreams(jsm, streamsOf(this.link.options.service)));
        if (this.missing.length > 0) {
          await sleep(LOOK_FOR_STREAMS_MS, this.stopping.signal);
          continue;
        }
        await this.store.unlockAll();
        this.pause.wake();
        return;
      } catch (error) {
        this.link.options.log.warn({ err: error }, 'the streams are not ready yet');
        await sleep(1000, this.stopping.signal);
      }
    }
  }

  private async poll(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      await this.pause.wait();
      try {
        // oxlint-disable-next-line typescript/no-unnecessary-condition -- it changes while we wait
        while (this.mayPublish && !signal.aborted) {
          // In the background, so that a long queue does not delay events that are due.
          this.queued.publishAll();
          this.isDueAgain = false;
          const { rows, hasMore } = await this.store.claimDue(BATCH);
          this.pause.looked((rows.length > 0 || this.queued.hasDeferred) && 'soon');
          if (rows.length > 0) await this.publishAll(rows);
          // oxlint-disable-next-line typescript/no-unnecessary-condition -- it changes while we wait
          if (!hasMore && !this.isDueAgain) break;
        }
      } catch (error) {
        this.link.options.log.warn({ err: error }, 'failed to read the outbox');
      }
    }
  }

  private get mayPublish(): boolean {
    return this.line.isUp && this.inFlight < MAX_IN_FLIGHT && Date.now() >= this.fullUntil;
  }

  private publish(rows: OutboxRow[]): void {
    void this.publishAll(rows);
  }

  private async publishAll(rows: OutboxRow[]): Promise<void> {
    this.inFlight += rows.length;
    try {
      await failpoint('outbox.committed');
      const results = await Promise.all(rows.map((row) => this.publishOne(row)));
      await failpoint('outbox.published');
      const unheard = rows.filter((row, index) => results[index] === true && row.pending.length === 0);
      if (unheard.length > 0) await this.store.settle(unheard.map((row) => row.id));
      if (results.includes('stream gone')) void this.heal();
      const refused = rows.filter((_, index) => results[index] === 'stream full');
      if (refused.length > 0) {
        this.waitForSpace(refused.length);
        await this.store.postpone(
          refused.map(({ id }) => id),
          FULL_PAUSE_MS,
        );
      }
    } catch (error) {
      this.link.options.log.warn({ err: error }, 'failed to mark events as sent; they will be sent again');
    } finally {
      this.inFlight -= rows.length;
    }
  }

  /** The stream is full. The rows wait until consumers have freed space. */
  private waitForSpace(refused: number): void {
    this.fullUntil = Date.now() + FULL_PAUSE_MS;
    this.refusals += refused;
    if (Date.now() > this.loggedFullAt + LOG_FULL_EVERY_MS) {
      this.loggedFullAt = Date.now();
      this.link.options.log.error({}, 'the event stream is full; events wait in the outbox');
    }
  }

  /** A queued event. Shutdown waits for the current one, not for the queue. */
  private async publishInTurn(row: OutboxRow): Promise<PublishOutcome> {
    if (!this.mayPublish || this.stopping.signal.aborted) return 'put off';
    const result = await this.publishOne(row);
    if (result === true) return 'published';
    if (result === 'refused') return 'refused';
    if (result === 'unknown') return 'put off';
    // Retried when there is a stream with free space. `heal` makes refused events due at once, which would retry
    // without a pause if the stream were still missing.
    if (result === 'stream gone') void this.heal();
    else this.waitForSpace(1);
    return 'put off';
  }

  /** Metric: events refused by a full stream. */
  get refusedByFullStream(): number {
    return this.refusals;
  }

  /** After a failure or time-out the outcome is unknown: the row stays, and the consumers' inboxes drop duplicates. */
  private async publishOne(row: OutboxRow): Promise<true | 'refused' | 'unknown' | 'stream gone' | 'stream full'> {
    const { service, log } = this.link.options;
    const span = publishingSpan(row.name, row.ctx);
    const envelope: Envelope = {
      id: row.id,
      name: row.name,
      version: CONTRACTS_VERSION,
      source: service,
      at: row.at,
      deadline: 0,
      ctx: inSpan(row.ctx, span),
      data: row.data,
    };
    const head = headers();
    if (row.orderKey !== null) head.set(KEY_HEADER, row.orderKey);
    if (row.ctx.spaceId !== null) head.set(SPACE_HEADER, row.ctx.spaceId);
    try {
      await this.line.nc
        .jetstream()
        .publish(`event.${row.name}`, sealEnvelope(this.encrypter, addressOf(row), envelope), {
          // A queued event keeps its message id during retries, so that a repeat cannot overtake the events behind it.
          msgID: `${row.id}:${Math.max(row.epoch, -1)}`,
          headers: head,
          timeout: 5000,
        });
      return true;
    } catch (error) {
      span?.fail(error);
      log.debug({ err: error, event: row.name }, 'NATS rejected an event; it stays in the outbox');
      if (isStreamFull(error)) return 'stream full';
      const code = String((error as { code?: unknown }).code);
      if (/503/.test(code)) return 'stream gone';
      return NO_ANSWER.includes(code) ? 'unknown' : 'refused';
    } finally {
      span?.end();
    }
  }
}
