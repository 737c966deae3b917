import { CustomTransportStrategy, Server } from '@nestjs/microservices';
import {
  AppError,
  LARGE_CONTENT_BYTES,
  type Span,
  yieldToEventLoop,
  sleep,
  traceIdOf,
  traced,
  waitUntil,
  within,
} from '@switchyard/kernel';
import {
  CallContract,
  type Ctx,
  SignalContract,
  StreamContract,
  checkAccess,
  checkOpen,
  checkReceived,
  natsSubject,
} from '@switchyard/contracts';
import { Msg, SubscriptionOptions } from 'nats';
import { answeringSpan, inSpan } from '../transport/message-tracing';
import { RECEIPT_HEADER } from '../transport/interrupted-calls';
import { packError, packReply } from '../transport/reply';
import { NatsConnectionManager } from '../transport/nats-connection-manager';
import { logHandlerErrors } from '../transport/log-handler-errors';
import { type Packed, ChunkedPayloads } from '../transport/chunked-payloads';
import { plainHeaders } from '../transport/serialize-headers';
import { EventConsumers } from '../events/event-consumers';
import { type SealedEnvelope, ctxOf, parseEnvelope, senderOf } from '../signing/envelope';
import { invalidSignature } from '../signing/invalid-signature';
import { MessageSigner } from '../signing/message-signer';
import { bodyOfReply, openRequest } from '../signing/encrypt-secret-fields';
import { HandlerExtras } from './handles.decorator';
import { type Repeat, Trials } from '../transport/trials';
import { MUX_HEADER, startSubject } from '../transport/frame-encoding';
import { StreamServer, type StreamTarget } from '../streams/stream-server';
import { NestHandler, invoke, isOurFault } from '../rpc/invoke-handler';
import { UndeclaredErrors } from '../transport/undeclared-errors';

/** Time for a round trip to NATS; without an answer, no messages are pending there. */
const HANDED_OVER_WITHIN_MS = 2_000;

interface Routed<C> {
  contract: C;
  handler: NestHandler;
}

/** Nest transport for the bus: binds every `@Handles` method to its subject. */
export class BusServer extends Server implements CustomTransportStrategy {
  private readonly calls = new Map<string, Routed<CallContract>>();
  private readonly taking: (() => Promise<void>)[] = [];
  private readonly undeclared: UndeclaredErrors;
  private running = 0;
  /** Stream requests that are not registered yet. */
  private reading = 0;

  constructor(
    private readonly link: NatsConnectionManager,
    private readonly chunkedPayloads: ChunkedPayloads,
    private readonly encrypter: MessageSigner,
    private readonly streams: StreamServer,
    private readonly events: EventConsumers,
    private readonly trials: Trials,
  ) {
    super();
    this.undeclared = new UndeclaredErrors(link.options);
  }

  /** Collects the handlers. Nothing arrives before `open`. */
  listen(callback: (error?: unknown) => void): void {
    for (const handler of this.messageHandlers.values()) {
      const contract = (handler.extras as HandlerExtras | undefined)?.contract;
      const routed = handler as unknown as NestHandler;
      if (contract?.kind === 'call') this.calls.set(contract.subject, { contract, handler: routed });
    }
    callback();
  }

  /** Subscribes once connected: the service also starts without NATS. */
  open(): void {
    void this.link.ready().then(() => {
      this.watchReplicas();
      this.chunkedPayloads.serve();
      this.streams.serve();
      for (const handler of this.messageHandlers.values()) {
        const contract = (handler.extras as HandlerExtras | undefined)?.contract;
        if (contract) this.bind(contract, handler);
      }
      this.events.start();
    });
  }

  /** Each replica knows when one of them started: the last one may have ended because of a request. */
  private watchReplicas(): void {
    const { service, log } = this.link.options;
    const callback = logHandlerErrors(log, 'the start of a replica', () => {
      this.trials.replicaStarted();
    });
    this.link.subscriptions.add(startSubject(service), { callback });
    this.link.nc.publish(startSubject(service));
  }

  private bind(contract: HandlerExtras['contract'], handler: NestHandler): void {
    const { service, log } = this.link.options;
    const subject = natsSubject(contract);
    switch (contract.kind) {
      case 'call':
        this.take(subject, {
          queue: service,
          callback: logHandlerErrors(log, contract.subject, (message) => this.onCall(contract, handler, message)),
        });
        return;
      case 'stream':
        this.take(subject, {
          queue: service,
          callback: logHandlerErrors(log, contract.subject, (message) => this.onStream(contract, handler, message)),
        });
        return;
      case 'signal':
        this.link.subscriptions.add(subject, {
          callback: logHandlerErrors(log, contract.name, (message) => this.onSignal(contract, handler, message)),
        });
        return;
      case 'event':
        this.events.add(contract, handler);
    }
  }

  private take(subject: string, options: SubscriptionOptions): void {
    this.taking.push(this.link.subscriptions.add(subject, options));
  }

  private async onCall(contract: CallContract, handler: NestHandler, message: Msg): Promise<void> {
    // Counts from here on: reading a chunked message takes a while.
    this.running += 1;
    const repeat = repeatOf(message, (others) => {
      if (this.link.isUp)
        message.respond(this.streams.subject, { headers: plainHeaders([RECEIPT_HEADER, String(others)]) });
    });
    try {
      const entered = this.trials.enter(repeat);
      if (entered) await entered;
      const isSmall = message.data.length < LARGE_CONTENT_BYTES && !message.headers;
      const received = isSmall ? readEnvelope(message.data) : await this.read(message);
      const reply = await this.answer({ contract, handler }, received);
      const packed = this.packed(reply, spaceOf(received));
      message.respond(packed.payload, { headers: packed.headers });
    } finally {
      this.running -= 1;
      this.trials.leave(repeat);
    }
  }

  /** If the reply cannot be sent, reply with that error, so that the caller does not wait. */
  private packed(reply: Uint8Array, spaceId: string | null): Packed {
    try {
      return this.chunkedPayloads.pack(reply, spaceId);
    } catch (error) {
      return this.chunkedPayloads.pack(packError(error), null);
    }
  }

  /** As `readEnvelope`, for chunked or large messages; yields to the event loop. */
  private async read(message: Msg): Promise<SealedEnvelope | AppError> {
    try {
      const bytes = message.headers ? await this.chunkedPayloads.unpack(message) : message.data;
      const isLarge = bytes.length >= LARGE_CONTENT_BYTES;
      if (isLarge) await yieldToEventLoop();
      const received = readEnvelope(bytes);
      if (isLarge) await yieldToEventLoop();
      return received;
    } catch (error) {
      return notWhole(error);
    }
  }

  /** All calls enter here, over NATS and over the HTTP fallback. */
  private async answer(
    { contract, handler }: Routed<CallContract>,
    received: SealedEnvelope | AppError,
  ): Promise<Uint8Array> {
    this.running += 1;
    try {
      if (received instanceof AppError) throw received;
      const sender = this.admit(received, contract);
      const { envelope } = received;
      if (envelope.deadline > 0 && envelope.deadline < Date.now())
        throw new AppError('TIMEOUT', 'The request took too long.');
      openRequest(this.encrypter, contract, envelope, sender);
      checkReceived(contract.request, envelope.data, envelope.version);
      const span = answeringSpan(contract, envelope.ctx);
      const ctx = inSpan(ctxOf(envelope), span);
      const handled = (): Promise<unknown> => this.handled(contract, handler, envelope.data, ctx);
      const answered = await (span === null ? handled() : traced(span, handled));
      const { data, secret } = bodyOfReply(this.encrypter, contract, { envelope, sender }, answered);
      return packReply(data, ctx.answer.replayed === true, secret);
    } catch (error) {
      this.report(error, contract.subject, received);
      const spaceId = spaceOf(received);
      if (error instanceof AppError && error.limit && spaceId !== null)
        this.link.options.onReachedLimit?.(spaceId, error.limit);
      return packError(error);
    } finally {
      this.running -= 1;
    }
  }

  private async handled(contract: CallContract, handler: NestHandler, data: unknown, ctx: Ctx): Promise<unknown> {
    try {
      return await invoke(handler, data, ctx);
    } catch (error) {
      throw this.undeclared.checked(contract, error);
    }
  }

  /** Calls from the internal HTTP port. */
  async answerOffline(subject: string, body: Buffer): Promise<Uint8Array | null> {
    const routed = this.calls.get(subject);
    if (!routed?.contract.offline) return null;
    await this.trials.enter();
    try {
      return await this.answer(routed, readEnvelope(body));
    } finally {
      this.trials.leave();
    }
  }

  /** Not `async`: that would retain the message and its network buffer as long as the stream. */
  private onStream(contract: StreamContract, handler: NestHandler, message: Msg): Promise<void> | undefined {
    const [stream = '', readerSubject = ''] = (message.headers?.get(MUX_HEADER) ?? '').split(' ');
    if (stream === '' || !readerSubject.startsWith('_INBOX_')) return undefined;
    const repeat = repeatOf(message, (others) => {
      this.streams.reportOthers({ stream, readerSubject }, others);
    });
    const onBegun = (): void => {
      this.trials.leave(repeat);
    };
    this.reading += 1;
    const read = (): Promise<SealedEnvelope | AppError> => this.read(message);
    return (this.trials.enter(repeat)?.then(read) ?? read())
      .finally(() => (this.reading -= 1))
      .then((received) => this.stream({ contract, handler }, { stream, readerSubject, onBegun }, received));
  }

  private async stream(
    { contract, handler }: Routed<StreamContract>,
    target: Omit<StreamTarget, 'spaceId'>,
    received: SealedEnvelope | AppError,
  ): Promise<void> {
    const span = received instanceof AppError ? null : answeringSpan(contract, received.envelope.ctx);
    const failure = await within(span, () =>
      this.streams.run(contract, { ...target, spaceId: spaceOf(received) }, (signal) =>
        this.begin(contract, handler, received, { signal, span }),
      ),
    );
    if (failure) span?.fail(failure);
    span?.end();
  }

  private async begin(
    contract: StreamContract,
    handler: NestHandler,
    received: SealedEnvelope | AppError,
    { signal, span }: { signal: AbortSignal; span: Span | null },
  ): Promise<AsyncIterable<unknown>> {
    if (received instanceof AppError) throw received;
    const sender = this.admit(received, contract);
    const { envelope } = received;
    openRequest(this.encrypter, contract, envelope, sender);
    checkReceived(contract.request, envelope.data, envelope.version);
    const ctx = { ...inSpan(ctxOf(envelope, signal), span), deadline: 0 };
    return (await invoke(handler, envelope.data, ctx)) as AsyncIterable<unknown>;
  }

  private async onSignal(contract: SignalContract, handler: NestHandler, message: Msg): Promise<void> {
    try {
      const received = parseEnvelope(message.data);
      const { envelope } = received;
      const sender: string = senderOf(this.encrypter, contract.name, received);
      if (!contract.senders.some((name) => name === sender))
        throw new AppError('FORBIDDEN', 'Not a sender of this signal.');
      checkOpen(contract.data, envelope.data);
      await invoke(handler, envelope.data, ctxOf(envelope));
    } catch (error) {
      this.link.options.log.error({ err: error, signal: contract.name }, 'failed to handle a signal');
    }
  }

  /** Verifies the sender and enforces the contract's access rule. */
  private admit(received: SealedEnvelope, contract: CallContract | StreamContract): string {
    const sender: string = senderOf(this.encrypter, contract.subject, received);
    if (!contract.callers.some((name) => name === sender)) throw invalidSignature();
    checkAccess(contract.access, received.envelope.ctx, sender);
    return sender;
  }

  private report(error: unknown, subject: string, received: SealedEnvelope | AppError): void {
    const { log } = this.link.options;
    const cause = error instanceof AppError ? error.cause : undefined;
    const where = (): object => ({ contract: subject, ...(received instanceof AppError ? {} : whereabouts(received)) });
    if (isOurFault(error)) log.error({ err: error, ...where() }, 'a call failed');
    else if (cause !== undefined) log.warn({ err: error, cause, ...where() }, 'rejected a call');
  }

  /**
   * Stops accepting work and finishes what NATS has already delivered. Large replies count until their last chunk is
   * fetched. The grace period covers everything.
   */
  async drain(graceMs: number): Promise<void> {
    const end = Date.now() + graceMs;
    const remaining = (): number => Math.max(0, end - Date.now());
    await this.takeNoMore(Math.min(graceMs, HANDED_OVER_WITHIN_MS));
    const drainStreams = async (): Promise<void> => {
      await waitUntil(() => this.reading === 0, remaining(), 20);
      await this.streams.stop(remaining());
    };
    await Promise.all([this.events.stop(remaining()), drainStreams()]);
    await waitUntil(() => this.running === 0 && !this.chunkedPayloads.areFetched, remaining(), 20);
  }

  /** Calls that NATS delivered here are not redelivered: if dropped, their callers would wait until the deadline. */
  private async takeNoMore(withinMs: number): Promise<void> {
    const done = new AbortController();
    const drained = Promise.allSettled(this.taking.map((stopTaking) => stopTaking()));
    await Promise.race([drained, sleep(withinMs, done.signal)]);
    done.abort();
  }

  close(): void {
    // The order of a stop is the service's: see `drain` and the link's `close`.
  }

  on(): void {
    // Nest offers its transports' own events here; the link has a log instead.
  }

  unwrap<T>(): T {
    return this.link.nc as T;
  }
}

/** `report` is sent before the work begins, which may end this process. */
function repeatOf({ headers }: Msg, report: Repeat['report']): Repeat | undefined {
  const ageMs = headers?.get(RECEIPT_HEADER);
  return ageMs ? { ageMs: Number(ageMs), report } : undefined;
}

const notWhole = (error: unknown): AppError =>
  error instanceof AppError
    ? error
    : new AppError('SERVICE_UNAVAILABLE', 'The message did not arrive whole.', { cause: error });

/** Errors of a malformed envelope are returned to the sender. */
function readEnvelope(bytes: Uint8Array): SealedEnvelope | AppError {
  try {
    return parseEnvelope(bytes);
  } catch (error) {
    return notWhole(error);
  }
}

const spaceOf = (received: SealedEnvelope | AppError): string | null =>
  received instanceof AppError ? null : received.envelope.ctx.spaceId;

/** Log fields to find the request by. */
const whereabouts = ({ envelope: { ctx } }: SealedEnvelope): object => ({
  requestId: ctx.requestId,
  traceId: traceIdOf(ctx.traceparent),
  spaceId: ctx.spaceId,
});
