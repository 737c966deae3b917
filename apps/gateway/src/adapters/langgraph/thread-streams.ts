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
import { firstToTell, MOST_TURNS, nextToTell } from './turns-to-tell';

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
  private readonly open = new Set<ThreadTelling>();

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
    const telling = new ThreadTelling(ctx, reading, { bus, changes, transcripts, principals });
    // It outlives its turns: whoever has other rights meanwhile opens it anew.
    const leave = this.streams.enter(
      ctx,
      (reason) => {
        telling.refuse(reason);
      },
      { endsWithRights: true },
    );
    try {
      await telling.prepare();
      emptyBody(reply.request);
      reply.hijack();
      const writer = new SseWriter(reply.raw, reply.getHeaders(), this.unread);
      reply.raw.once('close', () => {
        telling.stop();
      });
      this.open.add(telling);
      await telling.run(writer);
    } finally {
      this.open.delete(telling);
      telling.stop();
      leave();
    }
  }

  /** The answers end as they are; their clients attach elsewhere. */
  onModuleDestroy(): void {
    for (const telling of this.open) telling.stop();
  }
}

interface Told {
  turn: TurnOfSession;
  projection: LangGraphProjection;
  /** The last frame that was read. */
  after: number;
}

/** One reader of one thread. */
class ThreadTelling {
  private readonly ended = new AbortController();
  private readonly unwatch: () => void;
  private wake: () => void = () => undefined;
  private hasChanged = false;
  private writer: SseWriter | undefined;
  private refusal: AppError | undefined;
  /** Oldest first. */
  private turns: TurnOfSession[] = [];
  private told: Told | null = null;
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
      if (turn && (await this.tell(turn))) continue;
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
    const { turns, told } = this;
    if (!told) return firstToTell(turns, this.reading.since);
    const same = turns.find(({ id }) => id === told.turn.id);
    if (same && !told.projection.isOver && standing(same) !== this.stood) return same;
    return nextToTell(turns, told.turn);
  }

  /** Reads the frames of a turn as far as there are any. False when they cannot be had at the moment. */
  private async tell(turn: TurnOfSession): Promise<boolean> {
    const goesOn = this.told?.turn.id === turn.id && this.told.after > 0;
    const told = goesOn && this.told ? this.told : { turn, projection: this.projectionOf(turn), after: 0 };
    const at = { agentId: turn.agentId, turnId: turn.id, sessionId: this.reading.sessionId };
    const attach = (signal: AbortSignal): Promise<StreamReader<string>> =>
      this.parts.bus.stream(AgentStreams.attach, this.ctx, { ...at, after: told.after }, { signal });
    let reader: StreamReader<string> | null = null;
    try {
      reader = await attach(this.ended.signal);
    } catch (error) {
      const code = error instanceof AppError ? error.code : null;
      // Older events were sent already, or are too old to be replayed here.
      const isGone = code === 'NOT_FOUND' || (code === 'STREAM_EXPIRED' && !goesOn);
      if (!isGone) {
        this.endIfRefused(error);
        return false;
      }
      told.projection.isOver = !isActiveTurn(turn.status);
    }
    this.told = told;
    this.stood = standing(turn);
    if (reader) {
      await this.read(told, reader, attach);
      if (!told.projection.isOver && !told.projection.isWaiting) {
        // Neither at its end nor at a question: there is more to come.
        this.stood = '';
        return false;
      }
    }
    // Where it stands now is found out before anything else is told. An end stays; what begins after it is told of.
    if (told.projection.isOver && !this.hasChanged) return true;
    this.hasChanged = false;
    await this.lookAgain();
    return true;
  }

  private async read(
    told: Told,
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
      await this.write(told, frames);
      told.after = seqOfFrame(newest);
    }
  }

  /** Send output without waiting for the transcript of later messages. */
  private write({ turn, projection }: Told, frames: readonly string[]): Promise<void> {
    const parts: (string | ProtocolEvent)[] = [];
    let text = '';
    for (const joined of frames) {
      for (const frame of frameTexts(joined)) {
        if (projection.isOver) break;
        const said = readFrame(projection, frame);
        if (typeof said === 'string') text += said;
        else
          for (const event of said) {
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
