import { AppError, LARGE_CONTENT_BYTES, yieldToEventLoop, waitUntil } from '@switchyard/kernel';
import { CallContract, Ctx, DEFAULT_TIMEOUT_MS, checkOpen, checkRequest, natsSubject } from '@switchyard/contracts';
import { ErrorCode as NatsCode, NatsError } from 'nats';
import { NatsConnectionManager } from '../transport/nats-connection-manager';
import { ChunkedPayloads } from '../transport/chunked-payloads';
import { isProcessDead, stateOfProcess } from '../transport/replica-liveness';
import { withHeaders } from '../transport/serialize-headers';
import type { OutgoingRequest, RequestMultiplexer } from '../transport/request-multiplexer';
import { addressOf, packLargeEnvelope } from '../signing/envelope';
import { MessageSigner } from '../signing/message-signer';
import type { RequestBody } from '../signing/request-body';
import { bodyOfRequest, openReply } from '../signing/encrypt-secret-fields';
import { SerializedRetries } from './serialized-retries';
import { jsonOfReply, readReply } from '../transport/reply';
import { Others, RECEIPT_HEADER, RepeatedCallGuard, Stage, workOf } from '../transport/interrupted-calls';
import { HttpFallback } from './http-fallback';

/** A request that crashes its process mostly does so within this time. */
const ALONE_MS = 1_500;
const RECEIPT_POLL_MS = 50;
/** If no process has acknowledged the request by then, none is running it. */
const RECEIPT_WITHIN_MS = 2_000;
/** How long a request that timed out may still be blamed for a crash of its process. */
const DYING_MS = 600_000;

export interface CallOptions {
  timeoutMs?: number;
  /** Identifies the work without an idempotency key or request id: if repeated, it crashes at most two processes. */
  workId?: string;
}

interface Outgoing {
  envelope: Buffer;
  deadline: number;
  spaceId: string | null;
  /** Key of the record that this work got no answer. */
  work: () => string;
  wasSilent: boolean;
}

/** A repeated request that was sent. */
interface Repeat {
  work: string;
  sentAt: number;
  /** See `Others`. */
  others: number;
  takenBy?: string;
  isAnswered?: boolean;
  isTimedOut?: boolean;
}

/** The request may have arrived: only idempotent calls are retried over the fallback. */
class FellSilent extends Error {}

const unavailable = (cause?: unknown): AppError =>
  new AppError('SERVICE_UNAVAILABLE', 'A part of the platform is not available. Try again shortly.', {
    cause,
    retryAfterSeconds: 1,
  });

/** Client side of request and reply. */
export class CallClient {
  constructor(
    private readonly link: NatsConnectionManager,
    private readonly line: RequestMultiplexer,
    private readonly chunkedPayloads: ChunkedPayloads,
    private readonly encrypter: MessageSigner,
    private readonly offline: HttpFallback,
    private readonly repeated: RepeatedCallGuard,
    /** Unanswered requests are retried one at a time. */
    private readonly alone: SerializedRetries,
  ) {}

  /** Subscribes to replies at start, so that missing permissions are found before the first call. */
  serve(): void {
    this.line.listen();
  }

  async call<Req extends object, Rep extends object>(
    contract: CallContract<Req, Rep>,
    ctx: Ctx,
    data: Req,
    options: CallOptions = {},
  ): Promise<Rep> {
    const body = this.bodyOf(contract, data);
    const bytes = await this.exchange(contract, ctx, body, options);
    const reply = readReply(bytes);
    openReply(this.encrypter, contract, body.id, reply);
    if (bytes.length >= LARGE_CONTENT_BYTES) await yieldToEventLoop();
    if (reply.replayed) ctx.answer.replayed = true;
    checkOpen(contract.reply, reply.data);
    return reply.data as Rep;
  }

  /** Returns the reply as raw JSON: neither parsed nor validated here. */
  async callForJson<Req extends object, Rep extends object>(
    contract: CallContract<Req, Rep>,
    ctx: Ctx,
    data: Req,
    options: CallOptions = {},
  ): Promise<Buffer> {
    const body = this.bodyOf(contract, data);
    const bytes = await this.exchange(contract, ctx, body, options);
    const json = jsonOfReply(bytes);
    if (json) return json;
    const reply = readReply(bytes);
    openReply(this.encrypter, contract, body.id, reply);
    if (reply.replayed) ctx.answer.replayed = true;
    return Buffer.from(JSON.stringify(reply.data));
  }

  private bodyOf<Req extends object>(contract: CallContract<Req>, data: Req): RequestBody {
    checkRequest(contract.request, data);
    return bodyOfRequest(this.encrypter, contract, data);
  }

  /** Throws transport errors; the reply itself may still be an error. */
  private exchange(contract: CallContract, ctx: Ctx, body: RequestBody, options: CallOptions): Promise<Uint8Array> {
    const deadline = this.deadlineOf(contract, ctx, options);
    const { spaceId } = ctx;
    const work = (): string => workOf(contract, ctx, options.workId);
    const outgoing = { deadline, spaceId, work, wasSilent: false };
    const send = (): Promise<Uint8Array> => this.packAndSend(contract, ctx, body, outgoing);
    if (this.repeated.isEmpty || !this.repeated.find(work())) return send();
    outgoing.wasSilent = true;
    return Promise.resolve(work()).then((name) => {
      this.repeated.check(name);
      return send();
    });
  }

  private packAndSend(
    contract: CallContract,
    ctx: Ctx,
    body: RequestBody,
    outgoing: Omit<Outgoing, 'envelope'>,
  ): Promise<Uint8Array> {
    const packed = packLargeEnvelope({
      sealer: this.encrypter,
      source: this.link.options.service,
      address: addressOf(contract),
      ctx,
      deadline: outgoing.deadline,
      ...body,
    });
    return packed instanceof Promise
      ? packed.then((envelope) => this.send(contract, { ...outgoing, envelope }))
      : this.send(contract, { ...outgoing, envelope: packed });
  }

  private deadlineOf(contract: CallContract, ctx: Ctx, options: CallOptions): number {
    const own = Date.now() + (options.timeoutMs ?? contract.timeoutMs ?? DEFAULT_TIMEOUT_MS);
    return ctx.deadline > 0 ? Math.min(ctx.deadline, own) : own;
  }

  private async send(contract: CallContract, outgoing: Outgoing): Promise<Uint8Array> {
    const { envelope, deadline, spaceId, work, wasSilent } = outgoing;
    if (contract.offline && !this.link.isAnswering) return this.offline.send(contract, envelope, deadline);
    if (!this.link.isUp) throw unavailable();
    const sentAt = Date.now();
    if (deadline <= sentAt) throw new AppError('TIMEOUT', 'The request took too long.');
    const packed = this.chunkedPayloads.pack(envelope, spaceId);
    try {
      const { payload, headers } = packed;
      const question = { subject: natsSubject(contract), payload, headers, deadline };
      const reply = wasSilent ? this.askAlone(question, work(), spaceId) : this.ask(question);
      return await (contract.offline ? this.whileAnswering(reply) : reply);
    } catch (error) {
      if (error instanceof FellSilent) return await this.offline.send(contract, envelope, deadline);
      if (!(error instanceof NatsError)) throw error;
      if (error.code === (NatsCode.Timeout as string)) {
        this.repeated.silent(work(), sentAt, false);
        throw new AppError('TIMEOUT', 'The request took too long.', { cause: error });
      }
      if (contract.offline) return await this.offline.send(contract, envelope, deadline);
      throw unavailable(error);
    } finally {
      packed.release();
    }
  }

  /**
   * Retries an unanswered request, one at a time for each Space: the next retry waits until this one is answered, its
   * process is known to be alive or has died, no process has acknowledged it, or its time is over. If the process dies
   * and nothing else explains that, it throws RUNTIME_UNAVAILABLE.
   */
  private async askAlone(question: OutgoingRequest, work: string, spaceId: string | null): Promise<Uint8Array> {
    const leave = await this.alone.enter(spaceId, work);
    const repeat: Repeat = { work, sentAt: Date.now(), others: Others.none };
    let isWatched = false;
    try {
      this.repeated.check(work);
      if (question.deadline <= repeat.sentAt) throw new AppError('TIMEOUT', 'The request took too long.');
      const headers = withHeaders(question.headers, [RECEIPT_HEADER, String(this.repeated.ageMs(work))]);
      const onTaken = (server: string, others: number): void => {
        repeat.takenBy = server;
        repeat.others = Math.max(repeat.others, others);
      };
      const answered = this.ask({ ...question, headers, onTaken });
      answered.catch(() => undefined);
      isWatched = true;
      const died = this.watch(repeat, leave).finally(leave);
      const answer = await Promise.race([answered, died.then((hasDied) => (hasDied ? this.refuse(work) : answered))]);
      repeat.isAnswered = true;
      this.repeated.answered(work);
      return answer;
    } catch (error) {
      // Afterwards it may still end its process.
      if (error instanceof NatsError) repeat.isTimedOut = true;
      else repeat.isAnswered = true;
      throw error;
    } finally {
      if (!isWatched || repeat.isAnswered) leave();
    }
  }

  /**
   * Counts the loss and resolves with true if the process of the request dies before the answer; after a time-out, if
   * it dies before its next sign of life.
   */
  private async watch(repeat: Repeat, leave: () => void): Promise<boolean> {
    const end = Date.now() + DYING_MS;
    const isOver = (): boolean => repeat.isAnswered === true || !this.link.isUp || Date.now() > end;
    const isTaken = (): boolean => repeat.takenBy !== undefined || repeat.isTimedOut === true || isOver();
    await waitUntil(isTaken, RECEIPT_WITHIN_MS, RECEIPT_POLL_MS);
    if (!isTaken()) leave();
    await waitUntil(isTaken, DYING_MS, RECEIPT_POLL_MS);
    const { takenBy } = repeat;
    let hasEnded = false;
    const stop = this.repeated.onEnded((server) => (hasEnded ||= server === takenBy));
    try {
      while (takenBy !== undefined && !isOver()) {
        await waitUntil(() => hasEnded || isOver(), ALONE_MS, RECEIPT_POLL_MS);
        hasEnded = false;
        const state = await stateOfProcess(this.line, takenBy);
        if (isOver()) break;
        if (state === 'gone' && this.link.isSettled() && (await isProcessDead(this.line, takenBy))) {
          const { work, sentAt, others } = repeat;
          this.repeated.ended(takenBy, [{ work, stage: Stage.repeat, sentAt, others }]);
          return true;
        }
        if (state !== 'answers') continue;
        if (repeat.isTimedOut) break;
        leave();
      }
      return false;
    } finally {
      stop();
    }
  }

  private refuse(work: string): never {
    this.repeated.check(work);
    throw unavailable();
  }

  private async ask(question: OutgoingRequest): Promise<Uint8Array> {
    const answer = await this.line.ask(question);
    return answer.headers ? this.chunkedPayloads.unpack(answer, question.deadline) : answer.data;
  }

  private async whileAnswering<T>(answer: Promise<T>): Promise<T> {
    const { silent, release } = this.link.untilSilent(() => new FellSilent());
    answer.catch(() => undefined);
    try {
      return await Promise.race([answer, silent]);
    } finally {
      release();
    }
  }
}
