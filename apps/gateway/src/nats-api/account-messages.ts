import { AppError, newId, toAppError } from '@switchyard/kernel';
import type { Acknowledgements, ServiceMessage, ServicesConnection } from '@switchyard/messaging';
import type { Logger } from '@switchyard/service';
import type { FastifyInstance } from 'fastify';
import { errorBody, errorHeaders } from '../http/error-body';
import type { ConcurrencyQuota } from '../limits/concurrency-quota';
import { FrameSender, type FrameTimes } from './frame-sender';
import { type InjectedAnswer, type InjectedRequest, injectRequest } from './inject-request';
import { type AnswerHead, answerHeaders, requestHeaders } from './message-headers';
import { OPERATIONS, PING, asksForStream } from './operations';
import { type ReadRequest, readRequest, unknownOperation } from './read-request';
import { pingAnswer } from './ping-answer';
import { shorterLimit, withLimit } from './shorter-list';

export interface NatsAccountRecord {
  id: string;
  spaceId: string;
}

export type MessageOutcome = 'answered' | 'refused' | 'dropped' | 'reply_refused';

export interface MessageParts {
  fastify: FastifyInstance;
  connection: ServicesConnection;
  acknowledgements: Acknowledgements;
  inFlight: ConcurrencyQuota;
  logger: Logger;
  /** Counted; what an account sends in vain also counts for its flood guard. */
  count: (account: NatsAccountRecord, outcome: MessageOutcome, bytes: number) => void;
  onReplyRefused: (account: NatsAccountRecord) => void;
  /** A stream ended because its reader confirmed nothing. */
  onUnreadStream: (account: NatsAccountRecord) => void;
  frameTimes?: FrameTimes;
}

const MOST_WAITING_BYTES = 32 * 1024 * 1024;
const REPLY_TOKENS = '(?:\\.[A-Za-z0-9_-]+){1,8}';
const REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/;
const CHECK = OPERATIONS.find(({ operation }) => operation === PING);

/** Of a subject, what follows the account. */
const operationTokens = ({ subject }: ServiceMessage): string[] => subject.split('.').slice(3);
const tooLarge = (bytes: number): AppError =>
  new AppError('PAYLOAD_TOO_LARGE', `The answer of ${bytes} bytes is larger than a message may be. Read it over HTTP.`);

/** Everything that one account sends. */
export class AccountMessages {
  private readonly replyAddress: RegExp;
  /** Bytes of bodies that no route has read yet. */
  private waitingBytes = 0;
  private readonly senders = new Set<FrameSender>();
  private readonly open = new Set<Promise<void>>();

  constructor(
    readonly account: NatsAccountRecord,
    private readonly parts: MessageParts,
  ) {
    this.replyAddress = new RegExp(`^_INBOX\\.${account.id}${REPLY_TOKENS}$`);
  }

  /** Resolves when every answer was sent; streams end by themselves. */
  async drained(): Promise<void> {
    while (this.open.size > 0) await Promise.all(this.open);
  }

  /** Ends all streams without a word. */
  stopStreams(): void {
    for (const sender of this.senders) sender.stop();
  }

  take(message: ServiceMessage): void {
    const { count, inFlight, onReplyRefused } = this.parts;
    const { reply, data } = message;
    if (reply !== undefined && !this.replyAddress.test(reply)) {
      onReplyRefused(this.account);
      count(this.account, 'reply_refused', data.length);
      return;
    }
    let leave: (() => void) | undefined;
    let request: ReadRequest | null;
    let headers: Record<string, string>;
    try {
      leave = inFlight.take(this.account.id, this.account.spaceId);
      if (this.waitingBytes + data.length > MOST_WAITING_BYTES)
        throw new AppError('RATE_LIMITED', 'Too many bytes of this account wait to be read. Wait for its answers.', {
          retryAfterSeconds: 1,
        });
      request = readRequest(operationTokens(message), message.headers);
      headers = requestHeaders(message.headers, request ? data.length : 0);
    } catch (error) {
      leave?.();
      this.refuse(message, toAppError(error));
      return;
    }
    if (reply === undefined && request?.worksWithoutReply !== true) {
      leave();
      count(this.account, 'dropped', data.length);
      return;
    }
    const work = this.carryOut(message, request, headers)
      .catch((error: unknown) => {
        this.parts.logger.error({ err: error, account: this.account.id }, 'a request over NATS failed');
        this.refuse(message, new AppError('SERVER_ERROR', 'Something went wrong.'));
      })
      .finally(() => {
        leave();
        this.open.delete(work);
      });
    this.open.add(work);
  }

  private async carryOut(
    message: ServiceMessage,
    request: ReadRequest | null,
    headers: Record<string, string>,
  ): Promise<void> {
    const startedAt = Date.now();
    const body = Buffer.from(message.data.buffer, message.data.byteOffset, message.data.byteLength);
    // An unknown operation is one to callers that are known, and nothing to others.
    const { operation, method, target } = request ?? { operation: 'none', method: 'GET', target: CHECK?.path ?? '' };
    const injected: InjectedRequest = {
      account: this.account.id,
      method,
      target,
      headers,
      body: request ? body : Buffer.alloc(0),
    };
    const answer = await this.inject(injected);
    const isStream = isEventStream(answer);
    const bytes =
      isStream && message.reply !== undefined
        ? await this.stream(answer, message.reply)
        : await this.answer(message, request, injected, answer);
    this.parts.count(this.account, answer.status >= 400 || !request ? 'refused' : 'answered', body.length);
    this.parts.logger.debug(
      { account: this.account.id, operation, status: answer.status, bytes, ms: Date.now() - startedAt },
      'answered over NATS',
    );
  }

  /** Its body counts until a route has read it, or has answered without it. */
  private async inject(request: InjectedRequest): Promise<InjectedAnswer> {
    const { length } = request.body;
    let isCounted = true;
    const release = (): void => {
      if (isCounted) this.waitingBytes -= length;
      isCounted = false;
    };
    this.waitingBytes += length;
    try {
      return await injectRequest(this.parts.fastify, request, release);
    } finally {
      release();
    }
  }

  private async stream(answer: InjectedAnswer, reply: string): Promise<number> {
    const { connection, acknowledgements, frameTimes } = this.parts;
    const address = { account: this.account.id, reply };
    const sender = new FrameSender(connection, acknowledgements, answer, address, frameTimes);
    this.senders.add(sender);
    await sender.run().finally(() => this.senders.delete(sender));
    if (sender.isUnread) this.parts.onUnreadStream(this.account);
    return sender.bytes;
  }

  private async answer(
    message: ServiceMessage,
    request: ReadRequest | null,
    injected: InjectedRequest,
    answer: InjectedAnswer,
  ): Promise<number> {
    const body = Buffer.isBuffer(answer.body) ? answer.body : await gathered(answer.body);
    if (request === null && answer.status < 400)
      return this.refuse(message, unknownOperation(operationTokens(message)), answer);
    const limit = request?.reads === true && answer.status === 200 ? shorterLimit(body) : null;
    if (limit !== null) {
      const shorter = withLimit(injected, limit);
      return this.answer(message, request, shorter, await this.inject(shorter));
    }
    if (body.length > this.parts.connection.maxBody) {
      if (request?.reads === true || answer.status >= 400) return this.refuse(message, tooLarge(body.length), answer);
      return this.send(message, answer, Buffer.alloc(0), { 'Switchyard-Body-Omitted': String(body.length) });
    }
    if (request?.operation === PING && answer.status === 200)
      return this.send(message, answer, pingAnswer(this.account.id, body));
    const isEnd = request !== null && asksForStream(request.streams, injected.body);
    return this.send(message, answer, body, isEnd ? { 'Switchyard-End': 'true' } : {});
  }

  private send(
    { reply }: ServiceMessage,
    answer: AnswerHead,
    body: Buffer,
    more: Readonly<Record<string, string>> = {},
  ): number {
    if (reply === undefined) return 0;
    const code = answer.status >= 400 ? codeIn(body) : undefined;
    this.parts.connection.publish(reply, { body, headers: { ...answerHeaders(answer, code), ...more } });
    return body.length;
  }

  /** `before` is the answer that this refusal stands for. */
  private refuse(message: ServiceMessage, error: AppError, before?: AnswerHead): number {
    const body = Buffer.from(JSON.stringify(errorBody(error)));
    const headers = { 'x-request-id': requestIdOf(message), ...before?.headers, ...errorHeaders(error) };
    if (!before)
      this.parts.count(this.account, message.reply === undefined ? 'dropped' : 'refused', message.data.length);
    return this.send(message, { status: error.status, headers }, body);
  }
}

function isEventStream({ headers }: InjectedAnswer): boolean {
  const type = headers['content-type'];
  return typeof type === 'string' && type.startsWith('text/event-stream');
}

function requestIdOf({ headers }: ServiceMessage): string {
  const given = headers.get('switchyard-request-id')?.[0] ?? '';
  return REQUEST_ID.test(given) ? given : newId();
}

function codeIn(body: Buffer): string | undefined {
  try {
    const { code } = JSON.parse(body.toString()) as { code?: unknown };
    return typeof code === 'string' ? code : undefined;
  } catch {
    return undefined;
  }
}

async function gathered(body: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);
}
