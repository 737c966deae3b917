import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { AppError } from '@switchyard/kernel';
import { AgentStreams, type Ctx, seqOfFrame } from '@switchyard/contracts';
import { Bus, type StreamReader } from '@switchyard/messaging';
import type { FastifyReply } from 'fastify';
import { ActiveResponses } from '../auth/active-responses';
import { Principals } from '../auth/principals';
import { markReplayed } from '../routing/success-response';
import { emptyBody } from '../http/body/body-reader';
import { UnreadResponses } from '../limits/unread-responses';
import { type Projection, sseOf, toSse } from './protocol-projection';
import { reattach, streamInterrupted } from './reattach-stream';
import { sseText, SseWriter } from './sse-writer';
import { PROTOCOL, PROTOCOL_HEADER } from './stream-protocol';

export interface FrameSource {
  agentId: string;
  turnId: string;
  /** The last frame that the client has. */
  after: number;
  open: (signal: AbortSignal) => Promise<StreamReader<string>>;
  /** Gets the first frame where it is none (seq 0) and answers in another way. */
  instead?: (answer: string) => void;
  /** Only this client may read it: after an interruption it continues as the same stream. */
  isUnstored?: boolean;
  /** The response repeats an earlier request with the same key. */
  isAgain?: boolean;
  /** Converts the frames to another protocol, from the first one on. */
  projection?: Projection;
}

const stopping = (): AppError =>
  new AppError('SERVICE_UNAVAILABLE', 'The answer broke off: the gateway is stopping. Ask again.');

/** The error is made only where a protocol sends it: its stack costs more than the rest of the end of a stream. */
const cutOffOf = ({ projection }: FrameSource, reason: () => AppError): string =>
  projection && !projection.isOver ? sseOf(projection.cutOff?.(reason()) ?? []) : '';

/**
 * Sends the frames of turns to clients: back-pressure, heartbeats, and a new start on another agent when one is lost.
 */
@Injectable()
export class TurnStreamer implements OnModuleDestroy {
  private readonly sendings = new Set<Sending>();

  constructor(
    private readonly bus: Bus,
    private readonly streams: ActiveResponses,
    private readonly principals: Principals,
    private readonly unread: UnreadResponses,
  ) {}

  /** Refusals before the first frame are thrown, and become ordinary answers with their own status. */
  async send(ctx: Ctx, reply: FastifyReply, source: FrameSource): Promise<void> {
    const revoked = new AbortController();
    let end = (reason: AppError): void => {
      revoked.abort(reason);
    };
    const leave = this.streams.enter(ctx, (reason) => {
      end(reason);
    });
    try {
      const reader = await source.open(revoked.signal);
      const hasFrames = await reader.more().catch(() => true);
      if (revoked.signal.aborted) reader.cancel();
      revoked.signal.throwIfAborted();
      emptyBody(reply.request);
      if (!hasFrames) {
        // Every turn has a first frame: its agent was lost, and nothing has been sent yet.
        if (source.after === 0) throw streamInterrupted();
        this.begin(reply, source).end(cutOffOf(source, streamInterrupted));
        return;
      }
      const first = reader.takeReady();
      if (source.instead && first[0] !== undefined && seqOfFrame(first[0]) === 0) {
        reader.cancel();
        source.instead(first[0]);
        return;
      }
      const writer = this.begin(reply, source);
      const sending = new Sending(ctx, writer, source, {
        bus: this.bus,
        verifyAgain: () => this.principals.verifyAgain(ctx),
      });
      end = (reason) => {
        sending.refuse(reason);
      };
      this.sendings.add(sending);
      reply.raw.once('close', () => {
        sending.stop();
      });
      try {
        await sending.run(reader, first);
      } finally {
        this.sendings.delete(sending);
      }
    } finally {
      leave();
    }
  }

  onModuleDestroy(): void {
    for (const sending of this.sendings) sending.leave();
  }

  private begin(reply: FastifyReply, { turnId, projection, isAgain }: FrameSource): SseWriter {
    // Known before the first frame, so that a client that disconnects at once can re-attach.
    void reply.header('x-turn-id', turnId);
    if (!projection) void reply.header(PROTOCOL_HEADER, PROTOCOL);
    if (isAgain) markReplayed(reply);
    reply.hijack();
    return new SseWriter(reply.raw, reply.getHeaders(), this.unread);
  }
}

/** One client's reading of one turn. */
class Sending {
  private last: number;
  private reader: StreamReader<string> | undefined;
  private ended = false;

  constructor(
    private readonly ctx: Ctx,
    private readonly writer: SseWriter,
    private readonly source: FrameSource,
    private readonly parts: { bus: Bus; verifyAgain: () => Promise<unknown> },
  ) {
    this.last = source.after;
  }

  async run(first: StreamReader<string>, frames: string[]): Promise<void> {
    this.reader = first;
    let ready: string[] | null = frames;
    while (ready) {
      if (ready.length > 0 && !(await this.write(ready))) {
        this.stop();
        return;
      }
      if (this.source.projection?.isOver) {
        this.reader.cancel();
        break;
      }
      ready = await this.next();
    }
    this.end(streamInterrupted);
  }

  /** Null if nothing follows or the turn is not found again. */
  private async next(): Promise<string[] | null> {
    while (this.reader && !this.ended) {
      try {
        return (await this.reader.more()) ? this.reader.takeReady() : null;
      } catch {
        // The agent process failed; another one continues the turn.
        this.reader = this.isNeeded() ? ((await this.findAgain()) ?? undefined) : undefined;
      }
    }
    return null;
  }

  /** If the answer is incomplete, send the protocol's error. */
  private end(reason: () => AppError, comment = ''): void {
    this.writer.end(comment + cutOffOf(this.source, reason));
  }

  /** This process stops: a client that can attach does so elsewhere. */
  leave(): void {
    this.stop();
    this.end(stopping);
  }

  /** The client has left, or reads too slowly to be there. */
  stop(): void {
    this.ended = true;
    this.reader?.cancel();
  }

  /**
   * The credential is no longer valid: the stream ends with a comment that says why. The comment takes no frame number,
   * since the turn continues and a client may attach again.
   */
  refuse(reason: AppError): void {
    if (this.ended) return;
    this.stop();
    this.end(() => reason, `: ${reason.code} ${reason.message}\n\n`);
  }

  private write(given: string[]): Promise<boolean> {
    // An empty text only opens the stream of a turn that is quiet.
    const frames = given.filter((frame) => frame !== '');
    const newest = frames.at(-1);
    if (newest === undefined) return Promise.resolve(this.writer.isOpen);
    const { projection } = this.source;
    const text = projection ? toSse(projection, frames) : sseText(frames);
    this.last = seqOfFrame(newest);
    return text === '' ? Promise.resolve(this.writer.isOpen) : this.writer.write(text);
  }

  private findAgain(): Promise<StreamReader<string> | null> {
    const { agentId, turnId, isUnstored } = this.source;
    const own = isUnstored ? { isOwnStream: true } : {};
    const { bus, verifyAgain } = this.parts;
    // The signal of a revocation may have been lost with the connection.
    const attach = async (signal: AbortSignal): Promise<StreamReader<string>> => {
      await verifyAgain();
      return bus.stream(AgentStreams.attach, this.ctx, { agentId, turnId, after: this.last, ...own }, { signal });
    };
    return reattach(attach, () => this.isNeeded());
  }

  private isNeeded(): boolean {
    return this.writer.isOpen && !this.ended;
  }
}
