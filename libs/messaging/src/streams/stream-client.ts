import { Ticks } from '@switchyard/concurrency';
import { AppError, newId } from '@switchyard/kernel';
import { Ctx, StreamContract, checkRequest, natsSubject } from '@switchyard/contracts';
import { LRUCache } from 'lru-cache';
import { Msg } from 'nats';
import { SerializedRetries } from '../rpc/serialized-retries';
import { askingSpan, inSpan } from '../transport/message-tracing';
import { inboxPrefix } from '../transport/connect-options';
import {
  Others,
  RECEIPT_HEADER,
  type RepeatedCallGuard,
  Stage,
  type WorkInServer,
  workOf,
} from '../transport/interrupted-calls';
import { NatsConnectionManager } from '../transport/nats-connection-manager';
import { logHandlerErrors } from '../transport/log-handler-errors';
import { type Packed, ChunkedPayloads } from '../transport/chunked-payloads';
import { withHeaders } from '../transport/serialize-headers';
import { addressOf, packLargeEnvelope } from '../signing/envelope';
import { MessageSigner } from '../signing/message-signer';
import { bodyOfRequest } from '../signing/encrypt-secret-fields';
import {
  ALIVE_EVERY_MS,
  Control,
  Entry,
  LOOK_EVERY_MS,
  MUX_HEADER,
  SILENCE_LIMIT_MS,
  WireEntry,
  unpackBatch,
} from '../transport/frame-encoding';
import { streamInterrupted } from './stream-interrupted-error';
import { StreamReader } from './stream-reader';

/** The request's deadline only limits the wait for the first frame. */
const BEGIN_WITHIN_MS = 30_000;

const NO_RESPONDERS = 503;

/** How long, and for how many streams, a timed-out stream may still be blamed for a crash of its server. */
const DYING_MS = 600_000;
const DYING_MAX = 10_000;

export interface StreamOpening {
  signal?: AbortSignal;
  /** Identifies the work without an idempotency key or request id: if repeated, it crashes at most two processes. */
  workId?: string;
  /** The server has read the request; its first frame may be long in coming. */
  onTaken?: (() => void) | undefined;
}

interface SentWork extends WorkInServer {
  /** Of a repeat: lets the next one begin. */
  leave?: () => void;
  /** Timed out, and its server may still die of it. */
  isOverdue?: boolean;
}

/** Client side of streams: one private inbox for all streams of the process. */
export class StreamClient {
  private readonly readers = new Map<string, StreamReader<unknown>>();
  /** Streams without a first frame, by their id. */
  private readonly works = new Map<string, SentWork>();
  /** Timed-out streams by their server, until it answers or has died. */
  private readonly overdue = new LRUCache<string, Set<string>>({
    max: DYING_MAX,
    ttl: DYING_MS,
    dispose: (ids) => {
      for (const id of ids) this.works.delete(id);
    },
  });
  private readonly inbox: string;
  private readonly beats = new Ticks(LOOK_EVERY_MS, () => {
    this.beat();
    return this.readers.size + this.overdue.size > 0;
  });
  private sentAt = 0;

  constructor(
    private readonly link: NatsConnectionManager,
    private readonly chunkedPayloads: ChunkedPayloads,
    private readonly encrypter: MessageSigner,
    private readonly repeatedCalls: RepeatedCallGuard,
    /** Of streams that were lost before they began, one after the other is opened again. */
    private readonly alone: SerializedRetries,
  ) {
    const { service, instance } = link.options;
    this.inbox = `${inboxPrefix(service)}.${instance}.streams`;
    repeatedCalls.onEnded((server) => {
      if (this.overdue.has(server) || [...this.readers.values()].some((reader) => reader.server === server))
        this.ping(server, []);
    });
  }

  /** Subscribes to frames. */
  serve(): void {
    const { log } = this.link.options;
    this.link.subscriptions.add(`${this.inbox}.mux`, {
      callback: logHandlerErrors(log, 'frames', (message) => {
        for (const entry of unpackBatch(message.data)) this.deliver(entry);
      }),
    });
    this.link.subscriptions.add(`${this.inbox}.reply.*`, {
      callback: logHandlerErrors(log, 'refused stream', (message) => {
        this.refused(message);
      }),
    });
    this.link.subscriptions.add(`${this.inbox}.gone.>`, {
      callback: logHandlerErrors(log, 'look at a server', (message) => {
        const server = message.subject.slice(this.inbox.length + '.gone.'.length);
        if (message.headers?.code === NO_RESPONDERS) this.serverDied(server);
        else for (const { leave } of this.takeOverdue(server)) leave?.();
      }),
    });
    this.link.onDown(() => {
      for (const reader of [...this.readers.values()]) reader.fail(streamInterrupted());
    });
  }

  stop(): void {
    this.beats.stop();
    for (const reader of this.readers.values()) reader.cancel();
  }

  async open<Req extends object, F>(
    contract: StreamContract<Req, F>,
    ctx: Ctx,
    data: Req,
    { signal, workId, onTaken }: StreamOpening = {},
  ): Promise<StreamReader<F>> {
    checkRequest(contract.request, data);
    const work = workOf(contract, ctx, workId);
    const silence = this.repeatedCalls.find(work);
    if (silence === undefined) {
      const sent = { work, stage: Stage.fresh, sentAt: Date.now(), others: Others.always };
      return this.begin(contract, ctx, data, { signal, sent, onTaken });
    }
    return this.beginAlone(contract, ctx, data, { signal, work, onTaken });
  }

  /** It was lost before: one after the other, so that no two are lost together. */
  private async beginAlone<Req extends object, F>(
    contract: StreamContract<Req, F>,
    ctx: Ctx,
    data: Req,
    { signal, work, onTaken }: Pick<StreamOpening, 'onTaken'> & { signal: AbortSignal | undefined; work: string },
  ): Promise<StreamReader<F>> {
    this.repeatedCalls.check(work);
    const leave = await this.alone.enter(ctx.spaceId, work);
    // A server of an earlier version does not report what runs beside it.
    const sent: SentWork = { work, stage: Stage.repeat, sentAt: Date.now(), others: Others.joined, leave };
    try {
      this.repeatedCalls.check(work);
      const reader = await this.begin(contract, ctx, data, { signal, sent, onTaken });
      this.repeatedCalls.answered(work);
      return reader;
    } finally {
      if (!sent.isOverdue) leave();
    }
  }

  private async begin<Req extends object, F>(
    contract: StreamContract<Req, F>,
    ctx: Ctx,
    data: Req,
    { signal, sent, onTaken }: Pick<StreamOpening, 'onTaken'> & { signal: AbortSignal | undefined; sent: SentWork },
  ): Promise<StreamReader<F>> {
    this.checkLink();
    const id = newId();
    const span = askingSpan(contract, ctx);
    const envelope = await this.written(contract, inSpan(ctx, span), data).catch((error: unknown) => {
      span?.fail(error);
      span?.end();
      throw error;
    });
    const reader = new StreamReader<F>(
      id,
      contract,
      (control) => {
        this.control(reader.server, control);
      },
      (failure) => {
        this.readers.delete(id);
        signal?.removeEventListener('abort', cancel);
        if (failure) span?.fail(failure);
        span?.end();
      },
      onTaken,
    );
    const cancel = (): void => reader.cancel();
    this.readers.set(id, reader);
    this.works.set(id, sent);
    this.beats.begin();
    const packed = this.packed(reader, envelope, ctx.spaceId);
    const mux = [MUX_HEADER, `${id} ${this.inbox}.mux`] as const;
    const headers = sent.leave
      ? withHeaders(packed.headers, mux, [RECEIPT_HEADER, String(this.repeatedCalls.ageMs(sent.work))])
      : withHeaders(packed.headers, mux);
    this.link.nc.publish(natsSubject(contract), packed.payload, { reply: `${this.inbox}.reply.${id}`, headers });
    signal?.addEventListener('abort', cancel, { once: true });
    if (signal?.aborted) reader.cancel();
    const beginTimer = setTimeout(() => {
      this.watchServer(reader);
      reader.fail(new AppError('TIMEOUT', 'The request took too long.'));
    }, contract.beginMs ?? BEGIN_WITHIN_MS);
    try {
      await reader.begun();
      span?.event('first frame');
    } finally {
      if (!sent.isOverdue) this.works.delete(id);
      clearTimeout(beginTimer);
      packed.release();
    }
    return reader;
  }

  private async written(contract: StreamContract, ctx: Ctx, data: object): Promise<Buffer> {
    const envelope = await packLargeEnvelope({
      sealer: this.encrypter,
      source: this.link.options.service,
      address: addressOf(contract),
      ctx,
      deadline: Date.now() + BEGIN_WITHIN_MS,
      ...bodyOfRequest(this.encrypter, contract, data),
    });
    this.checkLink();
    return envelope;
  }

  private checkLink(): void {
    if (this.link.isUp) return;
    throw new AppError('SERVICE_UNAVAILABLE', 'A part of the platform is not available. Try again shortly.', {
      retryAfterSeconds: 1,
    });
  }

  /** If the request cannot be sent, removes the reader. */
  private packed(reader: StreamReader<unknown>, envelope: Buffer, spaceId: string | null): Packed {
    try {
      return this.chunkedPayloads.pack(envelope, spaceId);
    } catch (error) {
      reader.cancel();
      this.readers.delete(reader.id);
      throw error;
    }
  }

  /** NATS sends "no responders" to the stream's reply subject. */
  private refused(message: Msg): void {
    const id = message.subject.slice(message.subject.lastIndexOf('.') + 1);
    this.readers.get(id)?.fail(
      new AppError('SERVICE_UNAVAILABLE', 'A part of the platform is not available. Try again shortly.', {
        retryAfterSeconds: 1,
      }),
    );
  }

  private deliver(entry: WireEntry): void {
    if (entry.kind === Entry.others) {
      const sent = this.works.get(entry.stream);
      if (sent) sent.others = Number(Buffer.from(entry.payload).toString());
      return;
    }
    const reader = this.readers.get(entry.stream);
    if (!reader) return;
    if (entry.kind === Entry.claim) {
      reader.defer(entry, this.chunkedPayloads.fetch(Buffer.from(entry.payload).toString()));
      return;
    }
    reader.take(entry);
  }

  private control(server: string | undefined, control: Control): void {
    if (server && this.link.isUp) this.link.nc.publish(server, JSON.stringify(control));
  }

  /** A stream that timed out before its first frame may be crashing its server right now. */
  private watchServer({ id, server }: StreamReader<unknown>): void {
    const sent = this.works.get(id);
    if (sent === undefined) return;
    this.repeatedCalls.silent(sent.work, sent.sentAt, server !== undefined);
    if (server === undefined) return;
    sent.isOverdue = true;
    const ids = this.overdue.get(server) ?? new Set();
    this.overdue.set(server, ids.add(id));
  }

  private takeOverdue(server: string): SentWork[] {
    const ids = [...(this.overdue.get(server) ?? [])];
    const works = ids.flatMap((id) => this.works.get(id) ?? []);
    this.overdue.delete(server);
    return works;
  }

  /** No responders on the server's control subject: its process has died. */
  private serverDied(server: string): void {
    const works = this.takeOverdue(server);
    for (const reader of [...this.readers.values()]) {
      if (reader.server !== server) continue;
      // A started stream continues on another process, which counts its losses.
      const sent = this.works.get(reader.id);
      if (sent) works.push(sent);
      reader.fail(streamInterrupted());
    }
    // Servers connect again a moment later than this process.
    if (this.link.isSettled()) this.repeatedCalls.ended(server, works);
    for (const { leave } of works) leave?.();
  }

  /** Sends keep-alives for the streams being read, and gives up on servers that died or fell silent. */
  private beat(): void {
    const byServer = new Map<string, string[]>();
    const now = Date.now();
    const isRecent = now - this.sentAt < ALIVE_EVERY_MS - LOOK_EVERY_MS / 2;
    if (!isRecent) this.sentAt = now;
    for (const [id, reader] of this.readers) {
      if (now - reader.receivedAt > SILENCE_LIMIT_MS) {
        this.watchServer(reader);
        reader.fail(streamInterrupted());
      } else if (reader.server) {
        const streams = byServer.get(reader.server);
        if (streams) streams.push(id);
        else byServer.set(reader.server, [id]);
      }
    }
    if (!this.link.isUp) return;
    this.overdue.purgeStale();
    for (const server of this.overdue.keys()) if (!byServer.has(server)) byServer.set(server, []);
    for (const [server, streams] of byServer) {
      this.ping(server, isRecent ? [] : streams);
    }
  }

  private ping(server: string, streams: string[]): void {
    if (!this.link.isUp) return;
    const control: Control = { kind: 'alive', streams };
    this.link.nc.publish(server, JSON.stringify(control), { reply: `${this.inbox}.gone.${server}` });
  }
}
