import { setMaxListeners } from 'node:events';
import { AdaptivePollInterval, Ticks, noteActivity } from '@switchyard/concurrency';
import { AppError, backoffMs, failpoint, isTransient, poisonPoint, sleep, traced } from '@switchyard/kernel';
import { EventContract, checkOpen } from '@switchyard/contracts';
import { LRUCache } from 'lru-cache';
import { type ConsumeOptions, ConsumerMessages, JsMsg, type NatsConnection } from 'nats';
import { consumingSpan, inSpan } from '../transport/message-tracing';
import { JetStreamConnection } from '../transport/jetstream-connection';
import { NatsConnectionManager } from '../transport/nats-connection-manager';
import type { Trials } from '../transport/trials';
import { type Envelope, ctxOf, parseEnvelope, senderOf } from '../signing/envelope';
import { MessageSigner } from '../signing/message-signer';
import { NestHandler, invoke } from '../rpc/invoke-handler';
import { Confirmations } from './event-acknowledgements';
import { KeyedQueue, type QueuePosition } from './keyed-queue';
import { KEY_HEADER, SPACE_HEADER } from './outbox-runner';
import { DeferredMessages } from './deferred-messages';
import { InboxMessage, InboxStore } from './outbox-and-inbox-stores';
import { EVENTS_STREAM, durableName, ensureConsumer } from '../transport/stream-and-consumer-definitions';

const SIDE_BY_SIDE = 16;
/** Messages queued in memory for their key, of all Spaces; beyond a Space's share they are parked. */
const WAITING = 128;
const RETRY = { baseMs: 250, maxMs: 30_000 };
/** Extends `ack_wait` of waiting messages, or the server would redeliver them meanwhile. */
const STILL_HERE_MS = 10_000;
/** Parked messages are recalled when work ends, or at this interval. */
const RECALL_MS = 1000;
/** Acknowledgement payloads, as `JsMsg` writes them. The message itself need not be retained. */
const STILL_HERE = '+WPI';
const AGAIN = '-NAK';
const REQUEUE_POLL_MS = 2000;
/** Retry delay of a message that another process is running alone. */
const OTHER_PROCESS_MS = 5000;
const RETURNED_MAX = 20_000;
/** Time limit of the first connection attempt; later ones happen in the background. */
const FIRST_LINE_MS = 5000;
/**
 * In a cluster, a server that ends takes the requests of its consumers with it although the connection to another one
 * stands, and only missing heartbeats say so. A single server says it, or the connection breaks. Each heartbeat of each
 * consumer wakes the process.
 */
const heartbeats = ({ info }: NatsConnection): Pick<ConsumeOptions, 'expires' | 'idle_heartbeat'> =>
  info?.cluster === undefined
    ? { expires: 30_000, idle_heartbeat: 15_000 }
    : { expires: 30_000, idle_heartbeat: 5_000 };

interface Consumed {
  contract: EventContract;
  handler: NestHandler;
  messages?: ConsumerMessages;
}

/** Reply subject of a delivery, which the type of a message lacks. */
const replyOf = (message: JsMsg & { readonly reply?: string }): string => message.reply ?? '';

/** Whether the outbox has sent it before without a confirmation: its stream id ends with the attempt. */
const wasSentBefore = (message: JsMsg): boolean => Number(message.headers?.get('Nats-Msg-Id').split(':')[1] ?? 0) > 0;

const inboxMessage = (contract: EventContract, envelope: Envelope): InboxMessage => ({
  consumer: contract.name,
  id: envelope.id,
  name: envelope.name,
  spaceId: envelope.ctx.spaceId,
  body: JSON.stringify(envelope),
});

/** Without the header, messages are ordered by their key alone. */
const positionOf = (message: JsMsg): QueuePosition => {
  const key = message.headers?.get(KEY_HEADER) || `#${message.seq}`;
  return { space: message.headers?.get(SPACE_HEADER) || key, key, seq: message.seq };
};

/** Durable consumers. A message's effect and its inbox row commit together, so a redelivery has no effect. */
export class EventConsumers {
  private readonly consumed: Consumed[] = [];
  private readonly stopping = new AbortController();
  private readonly parked = new DeferredMessages();
  private readonly queue = new KeyedQueue(SIDE_BY_SIDE, WAITING, () => this.recall());
  private readonly confirmations: Confirmations;
  private readonly loops: Promise<void>[] = [];
  private readonly taken = new Set<JsMsg>();
  /** Stream sequences that this process returned itself: a redelivery of these does not suggest a crash. */
  private readonly returned = new LRUCache<number, true>({ max: RETURNED_MAX });
  /** Messages that may have crashed a process run one at a time. */
  private alone: Promise<unknown> = Promise.resolve();
  private readonly signsOfLife = new Ticks(STILL_HERE_MS, () => this.extendAcks());
  private readonly recalls = new Ticks(RECALL_MS, () => {
    this.recall();
    return !this.parked.isEmpty;
  });

  constructor(
    private readonly link: NatsConnectionManager,
    private readonly line: JetStreamConnection,
    private readonly encrypter: MessageSigner,
    private readonly trials: Trials,
    private readonly inbox: InboxStore | null,
  ) {
    this.confirmations = new Confirmations(link);
    // Each consumer listens, and a service may have many.
    setMaxListeners(0, this.stopping.signal);
  }

  add(contract: EventContract, handler: NestHandler): void {
    this.consumed.push({ contract, handler });
  }

  start(): void {
    for (const consumed of this.consumed) this.loops.push(this.run(consumed));
    if (this.consumed.length === 0) return;
    this.loops.push(this.retryRequeued());
  }

  async stop(graceMs: number): Promise<void> {
    const end = Date.now() + graceMs;
    this.stopping.abort();
    for (const { messages } of this.consumed) messages?.close().catch(() => undefined);
    const done = new AbortController();
    await Promise.race([Promise.all(this.loops), sleep(graceMs, done.signal)]);
    done.abort();
    await this.queue.idle(end);
    this.signsOfLife.stop();
    this.recalls.stop();
    this.answer(this.parked.replies, AGAIN);
    this.confirmations.flush();
  }

  private extendAcks(): boolean {
    for (const message of this.taken) message.working();
    this.answer(this.parked.replies, STILL_HERE);
    return this.taken.size > 0 || !this.parked.isEmpty;
  }

  private recall(): void {
    if (this.stopping.signal.aborted) return;
    this.answer(
      this.parked.recall((space, expected) => this.queue.hasCapacity(space, expected)),
      AGAIN,
    );
  }

  /** Skipped while disconnected: the server redelivers unacknowledged messages. */
  private answer(replies: readonly string[], word: string): void {
    if (replies.length === 0 || !this.line.isUp) return;
    for (const reply of replies) this.line.nc.publish(reply, word);
  }

  /** Finds or creates its durable, reads from it, and restarts if the server has lost it. */
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
        const messages = await consumer.consume({ max_messages: 64, ...heartbeats(this.line.nc) });
        consumed.messages = messages;
        this.watch(messages).catch((error: unknown) => {
          log.debug({ err: error, consumer: name }, 'stopped watching a consumer');
        });
        for await (const message of messages) {
          // oxlint-disable-next-line typescript/no-unnecessary-condition -- it changes while we wait
          if (signal.aborted) return;
          this.take(consumed, message);
        }
      } catch (error) {
        log.debug({ err: error, consumer: name }, 'a consumer is not ready');
      }
      await sleep(500, signal);
    }
  }

  /** Must not wait: one Space's messages must not block those of others. */
  private take(consumed: Consumed, message: JsMsg): void {
    noteActivity();
    const position = positionOf(message);
    const work = (): Promise<void> => this.handle(consumed, message).finally(() => this.taken.delete(message));
    this.taken.add(message);
    this.signsOfLife.begin();
    if (this.parked.mayPass(position.space, position.seq) && this.queue.offer(position, work)) return;
    this.taken.delete(message);
    this.returned.set(message.seq, true);
    this.parked.park(position.space, position.seq, replyOf(message));
    this.recalls.begin();
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
      const sender: string = senderOf(this.encrypter, subject, received);
      if (sender !== contract.source) throw new AppError('FORBIDDEN', 'Not the source of this event.');
    } catch (error) {
      this.link.options.log.error({ err: error, event: contract.name }, 'dropped a message without a valid signature');
      message.term();
      return;
    }
    const { deliveryCount } = message.info;
    const isRepeat = (deliveryCount > 1 && !this.returned.has(message.seq)) || wasSentBefore(message);
    const found = isRepeat ? await this.inboxState(contract, envelope) : 'new';
    if (found === 'seen') {
      this.confirmations.add(contract.source, envelope.id);
      message.ack();
      return;
    }
    const isSuspect = found === 'suspect';
    const done = await (isSuspect
      ? this.runAlone(contract, handler, envelope, deliveryCount)
      : this.freshEffect(contract, handler, envelope, deliveryCount));
    if (typeof done === 'number') {
      // A suspect stays one until it has been handled.
      if (!isSuspect) this.returned.set(message.seq, true);
      message.nak(done);
    } else message.ack();
  }

  private async inboxState(contract: EventContract, envelope: Envelope): Promise<'new' | 'seen' | 'suspect'> {
    return (await this.inbox?.stateOf(inboxMessage(contract, envelope)).catch(() => 'suspect' as const)) ?? 'new';
  }

  /**
   * A redelivered message that was neither handled nor returned may have crashed its process. It runs alone among such
   * messages, and is not retried after a second crash.
   */
  private runAlone(
    contract: EventContract,
    handler: NestHandler,
    envelope: Envelope,
    attempt: number,
  ): Promise<'handled' | 'dead' | number> {
    const guarded = (): Promise<'handled' | 'dead' | number> => this.guarded(contract, handler, envelope, attempt);
    const run = this.alone.then(() => (this.inbox ? this.inbox.alone(guarded) : guarded()));
    this.alone = run.catch(() => undefined);
    return run;
  }

  private async guarded(
    contract: EventContract,
    handler: NestHandler,
    envelope: Envelope,
    attempt: number,
  ): Promise<'handled' | 'dead' | number> {
    const { inbox } = this;
    const { log } = this.link.options;
    if (!inbox) return this.effect(contract, handler, envelope, attempt);
    const message = inboxMessage(contract, envelope);
    const begun = await inbox.beginAlone(message).catch(() => 'elsewhere' as const);
    switch (begun) {
      case 'elsewhere':
        return OTHER_PROCESS_MS;
      case 'seen':
        this.confirmations.add(contract.source, envelope.id);
        return 'handled';
      case 'lost':
        await inbox.giveUp(message);
        log.error(
          { event: contract.name, id: envelope.id },
          'dead-lettered an event: two processes ended while they handled it',
        );
        this.confirmations.add(contract.source, envelope.id);
        return 'dead';
      case 'alone':
    }
    let done: 'handled' | 'dead' | number = OTHER_PROCESS_MS;
    try {
      done = await this.effect(contract, handler, envelope, attempt);
      return done;
    } finally {
      await inbox.endAlone(message, typeof done !== 'number').catch(() => undefined);
    }
  }

  /** Waits while a suspect runs alone in this process. */
  private async freshEffect(
    contract: EventContract,
    handler: NestHandler,
    envelope: Envelope,
    attempt: number,
  ): Promise<'handled' | 'dead' | number> {
    const entered = this.trials.enter();
    if (entered) await entered;
    try {
      return await this.effect(contract, handler, envelope, attempt);
    } finally {
      this.trials.leave();
    }
  }

  /** Outcome of the message; a number is the delay before its retry. */
  private async effect(
    contract: EventContract,
    handler: NestHandler,
    envelope: Envelope,
    attempt: number,
  ): Promise<'handled' | 'dead' | number> {
    const { log, service } = this.link.options;
    if (!this.inbox) throw new Error(`${service} consumes ${contract.name} but has no database for its inbox`);
    const message = inboxMessage(contract, envelope);
    try {
      poisonPoint('inbox.handling', envelope.data);
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
      if (isTransient(error) && !(await this.isTooHeavy(error))) return backoffMs(attempt, RETRY);
      log.warn({ err: error, event: contract.name, id: envelope.id, attempt }, 'failed to handle an event');
      const { dead } = await this.inbox.fail(message, String(error)).catch(() => ({ dead: false }));
      if (!dead) return backoffMs(attempt, RETRY);
      log.error({ event: contract.name, id: envelope.id }, 'dead-lettered an event');
      this.confirmations.add(contract.source, envelope.id);
      return 'dead';
    }
  }

  /**
   * A time-out while database and bus are available was caused by the message itself. Count it, or it would be retried
   * forever.
   */
  private async isTooHeavy(error: unknown): Promise<boolean> {
    const isTimeout = this.inbox?.isTimeout(error) || (error instanceof AppError && error.code === 'TIMEOUT');
    return isTimeout && this.link.isAnswering && (await this.inbox?.isReachable()) === true;
  }

  /** The dead letter stays until its effect is committed, or its retries fail too. */
  private async retry({ contract, handler }: Consumed, letter: InboxMessage): Promise<void> {
    try {
      const done = await this.runAlone(contract, handler, parseEnvelope(Buffer.from(letter.body)).envelope, 1);
      if (done === 'handled') await this.inbox?.dropDead(letter);
    } catch (error) {
      this.link.options.log.error({ err: error, id: letter.id }, 'failed to retry a dead letter');
    }
  }

  /** Requeued dead letters take the same path. */
  private async retryRequeued(): Promise<void> {
    const { signal } = this.stopping;
    const pause = new AdaptivePollInterval(REQUEUE_POLL_MS, this.inbox?.poller);
    signal.addEventListener(
      'abort',
      () => {
        pause.wake();
      },
      { once: true },
    );
    while (!signal.aborted) {
      await pause.wait();
      // oxlint-disable-next-line typescript/no-unnecessary-condition -- it changes while we wait
      if (signal.aborted) return;
      const letters = (await this.inbox?.takeRequeued(20).catch(() => [])) ?? [];
      pause.looked(letters.length > 0 && 'soon');
      for (const letter of letters) {
        const consumed = this.consumed.find(({ contract }) => contract.name === letter.consumer);
        if (consumed) await this.retry(consumed, letter);
      }
    }
  }
}
