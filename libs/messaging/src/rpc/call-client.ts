import { AppError, LARGE_CONTENT_BYTES, yieldToEventLoop, sleep } from '@switchyard/kernel';
import { CallContract, Ctx, DEFAULT_TIMEOUT_MS, checkOpen, checkRequest, natsSubject } from '@switchyard/contracts';
import { ErrorCode as NatsCode, NatsError } from 'nats';
import { NatsLink } from '../transport/nats-link';
import { Parts } from '../transport/parts';
import { isProcessDead, stateOfProcess } from '../transport/peers';
import { withHeader } from '../transport/plain-headers';
import type { Question, RequestLine } from '../transport/request-line';
import { addressOf, packLargeEnvelope } from '../signing/envelope';
import { Sealer } from '../signing/seal';
import type { RequestBody } from '../signing/request-body';
import { bodyOfRequest, openReply } from '../signing/secret-fields';
import { AloneLines } from './alone-lines';
import { jsonOfReply, readReply } from '../transport/reply';
import { RepeatedCallGuard, RECEIPT_HEADER, givenUp, workOf } from '../transport/lost-calls';
import { HttpFallback } from './http-fallback';

/** A request that crashes its process mostly does so within this time. */
const ALONE_MS = 1_500;
const RECEIPT_POLL_MS = 50;
/** If no process has acknowledged the request by then, none is running it. */
const RECEIPT_WITHIN_MS = 2_000;

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

/** The request may have arrived: only idempotent calls are retried over the fallback. */
class FellSilent extends Error {}

const unavailable = (cause?: unknown): AppError =>
  new AppError('SERVICE_UNAVAILABLE', 'A part of the platform is not available. Try again shortly.', {
    cause,
    retryAfterSeconds: 1,
  });

/** Client side of request and reply. */
export class CallClient {
  /** Unanswered requests are retried one at a time. */
  private readonly alone = new AloneLines();

  constructor(
    private readonly link: NatsLink,
    private readonly line: RequestLine,
    private readonly parts: Parts,
    private readonly sealer: Sealer,
    private readonly offline: HttpFallback,
    private readonly repeated: RepeatedCallGuard,
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
    openReply(this.sealer, contract, body.id, reply);
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
    openReply(this.sealer, contract, body.id, reply);
    if (reply.replayed) ctx.answer.replayed = true;
    return Buffer.from(JSON.stringify(reply.data));
  }

  private bodyOf<Req extends object>(contract: CallContract<Req>, data: Req): RequestBody {
    checkRequest(contract.request, data);
    return bodyOfRequest(this.sealer, contract, data);
  }

  /** Throws transport errors; the reply itself may still be an error. */
  private exchange(contract: CallContract, ctx: Ctx, body: RequestBody, options: CallOptions): Promise<Uint8Array> {
    const deadline = this.deadlineOf(contract, ctx, options);
    const { spaceId } = ctx;
    const work = (): string => workOf(contract, ctx, options.workId);
    const wasSilent = !this.repeated.isEmpty && this.repeated.check(work()) !== undefined;
    const packed = packLargeEnvelope({
      sealer: this.sealer,
      source: this.link.options.service,
      address: addressOf(contract),
      ctx,
      deadline,
      ...body,
    });
    return packed instanceof Promise
      ? packed.then((envelope) => this.send(contract, { envelope, deadline, spaceId, work, wasSilent }))
      : this.send(contract, { envelope: packed, deadline, spaceId, work, wasSilent });
  }

  private deadlineOf(contract: CallContract, ctx: Ctx, options: CallOptions): number {
    const own = Date.now() + (options.timeoutMs ?? contract.timeoutMs ?? DEFAULT_TIMEOUT_MS);
    return ctx.deadline > 0 ? Math.min(ctx.deadline, own) : own;
  }

  private async send(contract: CallContract, outgoing: Outgoing): Promise<Uint8Array> {
    const { envelope, deadline, spaceId, work, wasSilent } = outgoing;
    if (contract.offline && !this.link.isAnswering) return this.offline.send(contract, envelope, deadline);
    if (!this.link.isUp) throw unavailable();
    if (deadline <= Date.now()) throw new AppError('TIMEOUT', 'The request took too long.');
    const packed = this.parts.pack(envelope, spaceId);
    try {
      const { payload, headers } = packed;
      const question = { subject: natsSubject(contract), payload, headers, deadline };
      const reply = wasSilent ? this.askAlone(question, work(), spaceId) : this.ask(question);
      return await (contract.offline ? this.whileAnswering(reply) : reply);
    } catch (error) {
      if (error instanceof FellSilent) return await this.offline.send(contract, envelope, deadline);
      if (!(error instanceof NatsError)) throw error;
      if (error.code === (NatsCode.Timeout as string)) {
        if (!wasSilent) this.repeated.silent(work());
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
   * process is known to be alive, or no process has acknowledged it. If the process ends instead, which is the second loss
   * of this work, it throws RUNTIME_UNAVAILABLE.
   */
  private async askAlone(question: Question, work: string, spaceId: string | null): Promise<Uint8Array> {
    const leave = await this.alone.enter(spaceId);
    let takenBy: string | undefined;
    let isWatched = true;
    const watch = async (): Promise<never> => {
      const untaken = setTimeout(leave, RECEIPT_WITHIN_MS);
      while (takenBy === undefined && isWatched) await sleep(RECEIPT_POLL_MS);
      clearTimeout(untaken);
      await sleep(ALONE_MS);
      while (isWatched && takenBy !== undefined) {
        const state = await stateOfProcess(this.line, takenBy);
        if (state === 'gone' && (await isProcessDead(this.line, takenBy))) {
          this.repeated.died(work, { wasSilent: true });
          throw givenUp();
        }
        if (state === 'answers') leave();
        await sleep(ALONE_MS);
      }
      return new Promise(() => undefined);
    };
    const headers = withHeader(question.headers, RECEIPT_HEADER, '1');
    const answered = this.ask({ ...question, headers, onTaken: (server) => (takenBy = server) });
    try {
      this.repeated.check(work);
      const answer = await Promise.race([answered, watch()]);
      this.repeated.answered(work);
      return answer;
    } catch (error) {
      answered.catch(() => undefined);
      if (error instanceof NatsError) this.repeated.silent(work, takenBy !== undefined);
      throw error;
    } finally {
      isWatched = false;
      leave();
    }
  }

  private async ask(question: Question): Promise<Uint8Array> {
    const answer = await this.line.ask(question);
    return answer.headers ? this.parts.unpack(answer, question.deadline) : answer.data;
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
