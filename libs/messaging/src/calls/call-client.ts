import { AppError, LARGE_CONTENT_BYTES, letOthersRun } from '@switchyard/kernel';
import { CallContract, Ctx, DEFAULT_TIMEOUT_MS, checkOpen, checkRequest, natsSubject } from '@switchyard/contracts';
import { ErrorCode as NatsCode, NatsError } from 'nats';
import { NatsLink } from '../connection/nats-link';
import { Parts } from '../connection/parts';
import type { Question, RequestLine } from '../connection/request-line';
import { addressOf, packLargeEnvelope } from '../envelope/envelope';
import { Sealer } from '../envelope/seal';
import { type RequestBody, bodyOfRequest, openReply } from '../envelope/secret-fields';
import { jsonOfReply, readReply } from './reply';
import { OfflineRoad } from './offline-road';

export interface CallOptions {
  timeoutMs?: number;
}

interface Outgoing {
  envelope: Buffer;
  deadline: number;
  spaceId: string | null;
}

/** What was asked may have arrived or not: only calls that may be made twice are asked again by the other road. */
class FellSilent extends Error {}

const unavailable = (cause?: unknown): AppError =>
  new AppError('SERVICE_UNAVAILABLE', 'A part of the platform is not available. Try again shortly.', {
    cause,
    retryAfterSeconds: 1,
  });

/** The caller's half of request and reply. */
export class CallClient {
  constructor(
    private readonly link: NatsLink,
    private readonly line: RequestLine,
    private readonly parts: Parts,
    private readonly sealer: Sealer,
    private readonly offline: OfflineRoad,
  ) {}

  /** Listens for answers from now on: a process that may not is known before it asks anything. */
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
    if (bytes.length >= LARGE_CONTENT_BYTES) await letOthersRun();
    if (reply.replayed) ctx.answer.replayed = true;
    checkOpen(contract.reply, reply.data);
    return reply.data as Rep;
  }

  /** The same answer as JSON, as its service wrote it: neither parsed nor checked here. */
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

  /** Throws what kept the question from being asked or answered, but not what the answer says. */
  private exchange(contract: CallContract, ctx: Ctx, body: RequestBody, options: CallOptions): Promise<Uint8Array> {
    const deadline = this.deadlineOf(contract, ctx, options);
    const { spaceId } = ctx;
    const packed = packLargeEnvelope({
      sealer: this.sealer,
      source: this.link.options.service,
      address: addressOf(contract),
      ctx,
      deadline,
      ...body,
    });
    return packed instanceof Promise
      ? packed.then((envelope) => this.send(contract, { envelope, deadline, spaceId }))
      : this.send(contract, { envelope: packed, deadline, spaceId });
  }

  private deadlineOf(contract: CallContract, ctx: Ctx, options: CallOptions): number {
    const own = Date.now() + (options.timeoutMs ?? contract.timeoutMs ?? DEFAULT_TIMEOUT_MS);
    return ctx.deadline > 0 ? Math.min(ctx.deadline, own) : own;
  }

  private async send(contract: CallContract, { envelope, deadline, spaceId }: Outgoing): Promise<Uint8Array> {
    if (contract.offline && !this.link.isAnswering) return this.offline.send(contract, envelope, deadline);
    if (!this.link.isUp) throw unavailable();
    if (deadline <= Date.now()) throw new AppError('TIMEOUT', 'The request took too long.');
    const packed = this.parts.pack(envelope, spaceId);
    try {
      const { payload, headers } = packed;
      const answer = this.ask({ subject: natsSubject(contract), payload, headers, deadline });
      return await (contract.offline ? this.whileAnswering(answer) : answer);
    } catch (error) {
      if (error instanceof FellSilent) return await this.offline.send(contract, envelope, deadline);
      if (!(error instanceof NatsError)) throw error;
      if (error.code === (NatsCode.Timeout as string)) {
        throw new AppError('TIMEOUT', 'The request took too long.', { cause: error });
      }
      if (contract.offline) return await this.offline.send(contract, envelope, deadline);
      throw unavailable(error);
    } finally {
      packed.release();
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
