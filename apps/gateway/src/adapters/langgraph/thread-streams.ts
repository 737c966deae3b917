import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import {
  AgentStreams,
  type Ctx,
  frameTexts,
  isActiveTurn,
  seqOfFrame,
  SessionCalls,
  type TurnOfSession,
} from '@switchyard/contracts';
import { AppError, type JsonObject, sleep } from '@switchyard/kernel';
import { Bus, type StreamReader } from '@switchyard/messaging';
import type { FastifyReply } from 'fastify';
import { OpenStreams } from '../../auth/open-streams';
import { Principals } from '../../auth/principals';
import { emptyBody } from '../../http/body/admitted-body';
import { UnreadAnswers } from '../../limits/unread-answers';
import { numberBefore } from './event-numbers';
import { LangGraphProjection } from './langgraph-projection';
import { messageOf } from './langgraph-messages';
import { type ProtocolEvent, readFrame, sseOf } from '../../turn-events/projection';
import { attachAgain } from '../../turn-events/attach-again';
import { SseWriter } from '../../turn-events/sse-writer';
import { ThreadChanges } from './thread-changes';
import { Transcripts, upTo } from './transcripts';
import { firstUnsent, MOST_TURNS, nextUnsent } from './replayable-turns';

/** Turns that began elsewhere, and those whose signal was lost, are seen within this time. */
const LOOK_EVERY_MS = 3_000;
const LOOK_AGAIN_MS = 1_000;
/**
 * How long the transcript is tried to be read for an event: a service that is started anew is back within this time.
 */
const TRANSCRIPT_WITHIN_MS = 60_000;
/** Events are written together up to so many characters. */
const MOST_AT_ONCE = 64 * 1024;

export interface ThreadReading {
  sessionId: string;
  wants: (channel: string) => boolean;
  /** The last event that the reader has; without it, the newest turn is told from its beginning. */
  since: number | null;
}

interface Parts {
  bus: Bus;
  changes: ThreadChanges;
  transcripts: Transcripts;
  principals: Principals;
}

/** Tells of a thread: of its newest turn, and of each that follows, until the reader leaves. */
@Injectable()
export class ThreadStreams implements OnModuleDestroy {
  private readonly open = new Set<ThreadWriter>();

  constructor(
    private readonly bus: Bus,
    private readonly streams: OpenStreams,
    private readonly principals: Principals,
    private readonly unread: UnreadAnswers,
    private readonly changes: ThreadChanges,
    private readonly transcripts: Transcripts,
  ) {}

  /** Refusals before the stream opens are thrown, and become ordinary answers with their own status. */
  async send(ctx: Ctx, reply: FastifyReply, reading: ThreadReading): Promise<void> {
    const { bus, changes, transcripts, principals } = this;
    const threadWriter = new ThreadWriter(ctx, reading, { bus, changes, transcripts, principals });
    // It outlives its turns: a client whose permissions change must reopen it.
    const leave = this.streams.enter(
      ctx,
      (reason) => {
        threadWriter.refuse(reason);
      },
      { endsWithRights: true },
    );
    try {
      await threadWriter.prepare();
      emptyBody(reply.request);
      reply.hijack();
      const writer = new SseWriter(reply.raw, reply.getHeaders(), this.unread);
      reply.raw.once('close', () => {
        threadWriter.stop();
      });
      this.open.add(threadWriter);
      await threadWriter.run(writer);
    } finally {
      this.open.delete(threadWriter);
      threadWriter.stop();
      leave();
    }
  }

  /** The answers end as they are; their clients attach elsewhere. */
  onModuleDestroy(): void {
    for (const writer of this.open) writer.stop();
  }
}

interface SentTurn {
  turn: TurnOfSession;
  projection: LangGraphProjection;
  /** The last frame that was read. */
  after: number;
}

/** One reader of one thread. */
class ThreadWriter {
  private readonly ended = new AbortController();
  private readonly unwatch: () => void;
  private wake: () => void = () => undefined;
  private hasChanged = false;
  private writer: SseWriter | undefined;
  private refusal: AppError | undefined;
  /** Oldest first. */
  private turns: TurnOfSession[] = [];
  private current: SentTurn | null = null;
  /** How the turn stood when its frames were last asked for. */
  private stood = '';

  constructor(
    private readonly ctx: Ctx,
    private readonly reading: ThreadReading,
    private readonly parts: Parts,
  ) {
    this.unwatch = parts.changes.watch(ctx, reading.sessionId, () => {
      this.hasChanged = true;
      this.wake();
    });
  }

  get isOpen(): boolean {
    return !this.ended.signal.aborted && (this.writer?.isOpen ?? true);
  }

  stop(): void {
    this.ended.abort();
    this.unwatch();
    this.wake();
    this.writer?.end();
  }

  /** The credential is no longer good: the stream ends, and says why in a comment. The turns go on. */
  refuse(reason: AppError): void {
    this.refusal = reason;
    this.writer?.end(`: ${reason.code} ${reason.message}\n\n`);
    this.stop();
  }

  /** Refuses what cannot be told: a thread of others, and what came so long ago that its frames are gone. */
  async prepare(): Promise<void> {
    this.hasChanged = false;
    await this.look();
    const turn = this.reading.since === null ? null : this.next();
    if (!turn) return;
    const { agentId, id: turnId } = turn;
    const { signal } = this.ended;
    const reader = await this.parts.bus.stream(
      AgentStreams.attach,
      this.ctx,
      { agentId, turnId, sessionId: this.reading.sessionId, after: 0 },
      { signal },
    );
    await reader.more();
    reader.cancel();
  }

  private async look(): Promise<void> {
    const { sessionId } = this.reading;
    const { items } = await this.parts.bus.call(SessionCalls.listTurns, this.ctx, { sessionId, limit: MOST_TURNS });
    this.turns = items.reverse();
    if (this.refusal) throw this.refusal;
  }

  /**
   * Services may be away for a while: the stream stays, and looks again later. Not where it would not be opened again.
   */
  private async lookAgain(): Promise<void> {
    if (!this.isOpen) return;
    try {
      await this.look();
    } catch (error) {
      this.endIfRefused(error);
    }
  }

  private endIfRefused(error: unknown): void {
    if (error instanceof AppError && isFinal(error)) this.refuse(error);
  }

  async run(writer: SseWriter): Promise<void> {
    this.writer = writer;
    await writer.write(': connected\n\n');
    while (this.isOpen) {
      const turn = this.nextOrEnd();
      if (turn && (await this.sendTurn(turn))) continue;
      if (!this.hasChanged) await this.wait(turn ? LOOK_AGAIN_MS : LOOK_EVERY_MS);
      this.hasChanged = false;
      await this.lookAgain();
    }
  }

  /** A reader who is too slow for the turns of the thread is not told with a gap. */
  private nextOrEnd(): TurnOfSession | null {
    try {
      return this.next();
    } catch (error) {
      this.endIfRefused(error);
      return null;
    }
  }

  /** The turn to read on: the one that is told, where it has more to say, or the one after it. */
  private next(): TurnOfSession | null {
    const { turns, current } = this;
    if (!current) return firstUnsent(turns, this.reading.since);
    const same = turns.find(({ id }) => id === current.turn.id);
    if (same && !current.projection.isOver && standing(same) !== this.stood) return same;
    return nextUnsent(turns, current.turn);
  }

  /** Reads the frames of a turn as far as there are any. False when they cannot be had at the moment. */
  private async sendTurn(turn: TurnOfSession): Promise<boolean> {
    const goesOn = this.current?.turn.id === turn.id && this.current.after > 0;
    const current = goesOn && this.current ? this.current : { turn, projection: this.projectionOf(turn), after: 0 };
    const at = { agentId: turn.agentId, turnId: turn.id, sessionId: this.reading.sessionId };
    const attach = (signal: AbortSignal): Promise<StreamReader<string>> =>
      this.parts.bus.stream(AgentStreams.attach, this.ctx, { ...at, after: current.after }, { signal });
    let reader: StreamReader<string> | null = null;
    try {
      reader = await attach(this.ended.signal);
    } catch (error) {
      const code = error instanceof AppError ? error.code : null;
      // Older events were sent already, or are too old to be replayed here.
      const isDisconnected = code === 'NOT_FOUND' || (code === 'STREAM_EXPIRED' && !goesOn);
      if (!isDisconnected) {
        this.endIfRefused(error);
        return false;
      }
      current.projection.isOver = !isActiveTurn(turn.status);
    }
    this.current = current;
    this.stood = standing(turn);
    if (reader) {
      await this.read(current, reader, attach);
      if (!current.projection.isOver && !current.projection.isWaiting) {
        // Neither at its end nor at a question: there is more to come.
        this.stood = '';
        return false;
      }
    }
    // Where it stands now is found out before anything else is told. An end stays; what begins after it is told of.
    if (current.projection.isOver && !this.hasChanged) return true;
    this.hasChanged = false;
    await this.lookAgain();
    return true;
  }

  private async read(
    current: SentTurn,
    first: StreamReader<string>,
    attach: (signal: AbortSignal) => Promise<StreamReader<string>>,
  ): Promise<void> {
    let reader: StreamReader<string> | null = first;
    while (reader) {
      try {
        if (!this.isOpen || !(await reader.more())) {
          reader.cancel();
          return;
        }
      } catch {
        // The agent is gone. The turn is not: another one goes on with it.
        reader = await attachAgain(
          async (signal) => {
            await this.parts.principals.verifyAgain(this.ctx);
            return attach(signal);
          },
          () => this.isOpen,
        );
        continue;
      }
      const frames = reader.takeReady().filter((frame) => frame !== '');
      const newest = frames.at(-1);
      if (newest === undefined) continue;
      await this.write(current, frames);
      current.after = seqOfFrame(newest);
    }
  }

  /** Send output without waiting for the transcript of later messages. */
  private write({ turn, projection }: SentTurn, frames: readonly string[]): Promise<void> {
    const parts: (string | ProtocolEvent)[] = [];
    let text = '';
    for (const joined of frames) {
      for (const frame of frameTexts(joined)) {
        if (projection.isOver) break;
        const output = readFrame(projection, frame);
        if (typeof output === 'string') text += output;
        else
          for (const event of output) {
            if (event.event !== 'values') text += sseOf([event]);
            else {
              parts.push(text, event);
              text = '';
            }
          }
      }
      if (text.length >= MOST_AT_ONCE) {
        parts.push(text);
        text = '';
      }
    }
    return parts.length === 0 ? this.flushed(text) : this.writeParts(turn, [...parts, text]);
  }

  private async writeParts(turn: TurnOfSession, parts: readonly (string | ProtocolEvent)[]): Promise<void> {
    for (const part of parts)
      await this.flushed(typeof part === 'string' ? part : sseOf([await this.withTranscript(turn, part)]));
  }

  private async flushed(text: string): Promise<void> {
    if (text !== '' && this.isOpen && !(await this.writer?.write(text))) this.stop();
  }

  /**
   * The transcript is read for each event that has it, and not kept: streams are open for long, and there are many.
   * Where it cannot be read the stream ends before the event: its reader opens it again behind what it was told.
   */
  private async withTranscript(turn: TurnOfSession, event: ProtocolEvent): Promise<ProtocolEvent> {
    const { transcripts } = this.parts;
    const { data } = event as { data: ValuesEvent };
    const end = Date.now() + TRANSCRIPT_WITHIN_MS;
    while (this.isOpen && transcripts.mayRead(this.ctx)) {
      try {
        const before = upTo(await transcripts.newest(this.ctx, this.reading.sessionId), turn.id);
        const messages = [...before.flatMap((message) => messageOf(message) ?? []), ...data.params.data.messages];
        return { ...event, data: { ...data, params: { ...data.params, data: { messages } } } };
      } catch (error) {
        this.endIfRefused(error);
        if (Date.now() > end) this.refuse(noTranscript());
        else await sleep(LOOK_AGAIN_MS, this.ended.signal);
      }
    }
    return event;
  }

  private projectionOf({ id, startedAt }: TurnOfSession): LangGraphProjection {
    const { sessionId, since, wants } = this.reading;
    const before = numberBefore(startedAt);
    return new LangGraphProjection({ threadId: sessionId, turnId: id, before, since: since ?? 0, wants });
  }

  private async wait(ms: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

interface ValuesEvent {
  params: { data: { messages: JsonObject[] } };
}

const noTranscript = (): AppError =>
  new AppError('SERVICE_UNAVAILABLE', 'The messages of the thread cannot be read. Open the stream again.');

/** It would be refused again. */
const isFinal = ({ status }: AppError): boolean => status < 500 && status !== 429;

/** Another holder, or another status, may have more to say. */
const standing = ({ id, status, epoch }: TurnOfSession): string => `${id}/${status}/${epoch}`;
