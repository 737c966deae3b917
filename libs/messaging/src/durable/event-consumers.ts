import { AppError, backoffMs, failpoint, sleep, traced } from '@switchyard/kernel';
import { EventContract, checkOpen } from '@switchyard/contracts';
import { ConsumerMessages, JsMsg } from 'nats';
import { consumingSpan, inSpan } from '../bus-spans';
import { CarrierLine } from '../connection/carrier-line';
import { NatsLink } from '../connection/nats-link';
import { type Envelope, ctxOf, parseEnvelope, senderOf } from '../envelope/envelope';
import { Sealer } from '../envelope/seal';
import { NestHandler, invoke } from '../server/invoke';
import { Confirmations } from './confirmations';
import { KeyedQueue } from './keyed-queue';
import { KEY_HEADER } from './outbox-runner';
import { InboxMessage, InboxStore } from './ports';
import { EVENTS_STREAM, durableName, ensureConsumer } from './topology';

const SIDE_BY_SIDE = 16;
/** Messages that wait for others of their key; of more, each event's own durable waits. */
const WAITING_FOR_KEY = 128;
const RETRY = { baseMs: 250, maxMs: 30_000 };
/** A message that waits for longer than its `ack_wait` would be delivered again, beside itself. */
const STILL_HERE_MS = 10_000;
const REQUEUE_POLL_MS = 2000;
/** The first look at the carrier does not wait longer for its line; the next ones come by themselves. */
const FIRST_LINE_MS = 5000;

interface Consumed {
  contract: EventContract;
  handler: NestHandler;
  messages?: ConsumerMessages;
}

/** Failures of the infrastructure say nothing about the message: it is tried again for as long as it takes. */
const isPassing = (error: unknown): boolean =>
  error instanceof AppError && (error.code === 'SERVICE_UNAVAILABLE' || error.code === 'TIMEOUT');

/** Durable consumers: each message's effect and its inbox row commit together, so that a redelivery has no effect. */
export class EventConsumers {
  private readonly consumed: Consumed[] = [];
  private readonly stopping = new AbortController();
  private readonly queue = new KeyedQueue(SIDE_BY_SIDE, WAITING_FOR_KEY);
  private readonly confirmations: Confirmations;
  private readonly loops: Promise<void>[] = [];
  private readonly taken = new Set<JsMsg>();
  private stillHere: NodeJS.Timeout | undefined;

  constructor(
    private readonly link: NatsLink,
    private readonly line: CarrierLine,
    private readonly sealer: Sealer,
    private readonly inbox: InboxStore | null,
  ) {
    this.confirmations = new Confirmations(link);
  }

  add(contract: EventContract, handler: NestHandler): void {
    this.consumed.push({ contract, handler });
  }

  start(): void {
    for (const consumed of this.consumed) this.loops.push(this.run(consumed));
    if (this.consumed.length === 0) return;
    this.loops.push(this.retryRequeued());
    this.stillHere = setInterval(() => {
      for (const message of this.taken) message.working();
    }, STILL_HERE_MS);
    this.stillHere.unref();
  }

  async stop(graceMs: number): Promise<void> {
    this.stopping.abort();
    for (const { messages } of this.consumed) messages?.close().catch(() => undefined);
    const done = new AbortController();
    await Promise.race([Promise.all(this.loops), sleep(graceMs, done.signal)]);
    done.abort();
    await this.queue.idle(Date.now() + graceMs);
    clearInterval(this.stillHere);
    this.confirmations.flush();
  }

  /** Finds (or makes) its durable, reads from it, and starts over whenever the server forgot it. */
  private async run(consumed: Consumed): Promise<void> {
    const { service, log } = this.link.options;
    const name = durableName(service, consumed.contract.name);
    const { signal } = this.stopping;
    await Promise.race([this.line.ready(), sleep(FIRST_LINE_MS, signal)]);
    while (!signal.aborted) {
      try {
        await ensureConsumer(
          await this.line.nc.jetstreamManager({ checkAPI: false }),
          log,
          service,
          consumed.contract.name,
        );
        const consumer = await this.line.nc.jetstream().consumers.get(EVENTS_STREAM, name);
        const messages = await consumer.consume({ max_messages: 64, expires: 30_000, idle_heartbeat: 5000 });
        consumed.messages = messages;
        this.watch(messages).catch((error: unknown) => {
          log.debug({ err: error, consumer: name }, 'a consumer is not watched any more');
        });
        for await (const message of messages) {
          // oxlint-disable-next-line typescript/no-unnecessary-condition -- it changes while we wait
          if (signal.aborted) return;
          this.taken.add(message);
          await this.queue.add(message.headers?.get(KEY_HEADER) || `#${message.seq}`, () =>
            this.handle(consumed, message).finally(() => this.taken.delete(message)),
          );
        }
      } catch (error) {
        log.debug({ err: error, consumer: name }, 'a consumer is not ready');
      }
      await sleep(500, signal);
    }
  }

  private async watch(messages: ConsumerMessages): Promise<void> {
    let missed = 0;
    for await (const status of await messages.status()) {
      const type: string = status.type;
      if (type === 'heartbeats_missed') missed += 1;
      if (type === 'stream_not_found' || type === 'consumer_not_found' || type === 'consumer_deleted' || missed > 2) {
        await messages.close();
        return;
      }
    }
  }

  private async handle({ contract, handler }: Consumed, message: JsMsg): Promise<void> {
    let envelope: Envelope;
    try {
      const received = parseEnvelope(message.data);
      envelope = received.envelope;
      const subject = `event.${contract.name}`;
      const sender: string = senderOf(this.sealer, { subject, audience: subject }, received);
      if (sender !== contract.source) throw new AppError('FORBIDDEN', 'Not the source of this event.');
    } catch (error) {
      this.link.options.log.error({ err: error, event: contract.name }, 'a message that no service sent was dropped');
      message.term();
      return;
    }
    const done = await this.effect(contract, handler, envelope, message.info.deliveryCount);
    if (typeof done === 'number') message.nak(done);
    else message.ack();
  }

  /** What became of the message; a number is the wait before it is tried again. */
  private async effect(
    contract: EventContract,
    handler: NestHandler,
    envelope: Envelope,
    attempt: number,
  ): Promise<'handled' | 'dead' | number> {
    const { log, service } = this.link.options;
    if (!this.inbox) throw new Error(`${service} consumes ${contract.name} but has no database for its inbox`);
    const message: InboxMessage = {
      consumer: contract.name,
      id: envelope.id,
      name: envelope.name,
      spaceId: envelope.ctx.spaceId,
      body: JSON.stringify(envelope),
    };
    try {
      checkOpen(contract.data, envelope.data);
      const { inbox } = this;
      const span = consumingSpan(contract, envelope.ctx);
      const ctx = inSpan(ctxOf(envelope), span);
      await traced(span, () =>
        inbox.receive(message, async (tx) => {
          await invoke(handler, envelope.data, ctx, tx);
        }),
      );
      await failpoint('inbox.committed');
      this.confirmations.add(contract.source, envelope.id);
      return 'handled';
    } catch (error) {
      if (isPassing(error) && !(await this.isTooHeavy(error))) return backoffMs(attempt, RETRY);
      log.warn({ err: error, event: contract.name, id: envelope.id, attempt }, 'an event was not handled');
      const { dead } = await this.inbox.fail(message, String(error)).catch(() => ({ dead: false }));
      if (!dead) return backoffMs(attempt, RETRY);
      log.error({ event: contract.name, id: envelope.id }, 'an event was put among the dead letters');
      this.confirmations.add(contract.source, envelope.id);
      return 'dead';
    }
  }

  /**
   * A time-out says nothing by itself. With the database and the bus at hand it was the weight of the message: it
   * counts, or it would be tried for ever.
   */
  private async isTooHeavy(error: unknown): Promise<boolean> {
    const isTimeout = this.inbox?.isTimeout(error) || (error instanceof AppError && error.code === 'TIMEOUT');
    return isTimeout && this.link.isAnswering && (await this.inbox?.isReachable()) === true;
  }

  /** The letter stays until its effect is committed; one that fails for good again is dead again. */
  private async retry({ contract, handler }: Consumed, letter: InboxMessage): Promise<void> {
    try {
      const done = await this.effect(contract, handler, parseEnvelope(Buffer.from(letter.body)).envelope, 1);
      if (done === 'handled') await this.inbox?.dropDead(letter);
    } catch (error) {
      this.link.options.log.error({ err: error, id: letter.id }, 'a dead letter could not be tried again');
    }
  }

  /** Dead letters that an operator sent back go through the same door. */
  private async retryRequeued(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      await sleep(REQUEUE_POLL_MS, signal);
      const letters = await this.inbox?.takeRequeued(20).catch(() => []);
      for (const letter of letters ?? []) {
        const consumed = this.consumed.find(({ contract }) => contract.name === letter.consumer);
        if (consumed) await this.retry(consumed, letter);
      }
    }
  }
}
