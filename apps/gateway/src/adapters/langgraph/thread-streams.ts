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
import { ActiveResponses } from '../../auth/active-responses';
import { Principals } from '../../auth/principals';
import { emptyBody } from '../../http/body/body-reader';
import { UnreadResponses } from '../../limits/unread-responses';
import { numberBefore } from './thread-event-numbers';
import { LangGraphProjection } from './langgraph-projection';
import { messageOf } from './langgraph-messages';
import { type ProtocolEvent, readFrame, sseOf } from '../../turn-events/protocol-projection';
import { reattach } from '../../turn-events/reattach-stream';
import { SseWriter } from '../../turn-events/sse-writer';
import { ThreadChanges } from './thread-change-signals';
import { ThreadMessages, upTo } from './thread-messages';
import { firstUnsent, MAX_TURNS, nextUnsent } from './replayable-turns';

/** If the signal of a new turn is lost, the turn is found within this time. */
const RELOAD_EVERY_MS = 3_000;
const RETRY_MS = 1_000;
/**
 * Reads of the transcript are retried this long: a restarted service is back by then.
 */
const TRANSCRIPT_WITHIN_MS = 60_000;
/** Events are written together up to so many characters. */
const MAX_WRITE_CHARACTERS = 64 * 1024;

/** Without a reason, one with a stack would be made for each stream. */
const ENDED = new Error('The stream has ended.');

export interface ThreadSubscription {
  sessionId: string;
  isSubscribed: (channel: string) => boolean;
  /** The last event that the reader has; without it, the stream begins with the newest turn. */
  since: number | null;
}

interface ThreadWriterDeps {
  bus: Bus;
  changes: ThreadChanges;
  transcripts: ThreadMessages;
  principals: Principals;
}

/** Streams the newest turn of a thread and each that follows, until the client disconnects. */
@Injectable()
export class ThreadStreams implements OnModuleDestroy {
  private readonly open = new Set<ThreadWriter>();

  constructor(
    private readonly bus: Bus,
    private readonly streams: ActiveResponses,
    private readonly principals: Principals,
    private readonly unread: UnreadResponses,
    private readonly changes: ThreadChanges,
    private readonly threadMessages: ThreadMessages,
  ) {}

  /** Refusals before the stream opens are thrown, and become ordinary answers with their own status. */
  async send(ctx: Ctx, reply: FastifyReply, subscription: ThreadSubscription): Promise<void> {
    const { bus, changes, threadMessages: transcripts, principals } = this;
    const threadWriter = new ThreadWriter(ctx, subscription, { bus, changes, transcripts, principals });
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
  /** State of the turn when its frames were last requested. */
  private lastState = '';

  constructor(
    private readonly ctx: Ctx,
    private readonly subscription: ThreadSubscription,
    private readonly deps: ThreadWriterDeps,
  ) {
    this.unwatch = deps.changes.watch(ctx, subscription.sessionId, () => {
      this.hasChanged = true;
      this.wake();
    });
  }

  get isOpen(): boolean {
    return !this.ended.signal.aborted && (this.writer?.isOpen ?? true);
  }

  stop(): void {
    this.ended.abort(ENDED);
    this.unwatch();
    this.wake();
    this.writer?.end();
  }

  /** The credential is no longer valid: the stream ends with a comment that says why. The turns continue. */
  refuse(reason: AppError): void {
    this.refusal = reason;
    this.writer?.end(`: ${reason.code} ${reason.message}\n\n`);
    this.stop();
  }

  /** Refuses threads without access, and turns whose frames have expired. */
  async prepare(): Promise<void> {
    this.hasChanged = false;
    await this.loadTurns();
    const turn = this.subscription.since === null ? null : this.next();
    if (!turn) return;
    const { agentId, id: turnId } = turn;
    const { signal } = this.ended;
    const reader = await this.deps.bus.stream(
      AgentStreams.attach,
      this.ctx,
      { agentId, turnId, sessionId: this.subscription.sessionId, after: 0 },
      { signal },
    );
    await reader.more();
    reader.cancel();
  }

  private async loadTurns(): Promise<void> {
    const { sessionId } = this.subscription;
    const { items } = await this.deps.bus.call(SessionCalls.listTurns, this.ctx, { sessionId, limit: MAX_TURNS });
    this.turns = items.reverse();
    if (this.refusal) throw this.refusal;
  }

  /**
   * Services may be away for a while: the stream stays, and looks again later. Not where it would not be opened again.
   */
  private async reloadTurns(): Promise<void> {
    if (!this.isOpen) return;
    try {
      await this.loadTurns();
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
      if (!this.hasChanged) await this.wait(turn ? RETRY_MS : RELOAD_EVERY_MS);
      this.hasChanged = false;
      await this.reloadTurns();
    }
  }

  /** If the reader is too slow for the turns of the thread, the stream ends: it never has a gap. */
  private nextOrEnd(): TurnOfSession | null {
    try {
      return this.next();
    } catch (error) {
      this.endIfRefused(error);
      return null;
    }
  }

  /** The current turn if it may have more frames, else the one after it. */
  private next(): TurnOfSession | null {
    const { turns, current } = this;
    if (!current) return firstUnsent(turns, this.subscription.since);
    const same = turns.find(({ id }) => id === current.turn.id);
    if (same && !current.projection.isOver && stateOf(same) !== this.lastState) return same;
    return nextUnsent(turns, current.turn);
  }

  /** Reads the frames of a turn as far as there are any. False when they cannot be had at the moment. */
  private async sendTurn(turn: TurnOfSession): Promise<boolean> {
    const isContinued = this.current?.turn.id === turn.id && this.current.after > 0;
    const current =
      isContinued && this.current ? this.current : { turn, projection: this.projectionOf(turn), after: 0 };
    const at = { agentId: turn.agentId, turnId: turn.id, sessionId: this.subscription.sessionId };
    const attach = (signal: AbortSignal): Promise<StreamReader<string>> =>
      this.deps.bus.stream(AgentStreams.attach, this.ctx, { ...at, after: current.after }, { signal });
    let reader: StreamReader<string> | null = null;
    try {
      reader = await attach(this.ended.signal);
    } catch (error) {
      const code = error instanceof AppError ? error.code : null;
      // Older events were sent already, or are too old to be replayed here.
      const isDisconnected = code === 'NOT_FOUND' || (code === 'STREAM_EXPIRED' && !isContinued);
      if (!isDisconnected) {
        this.endIfRefused(error);
        return false;
      }
      current.projection.isOver = !isActiveTurn(turn.status);
    }
    this.current = current;
    this.lastState = stateOf(turn);
    if (reader) {
      await this.read(current, reader, attach);
      if (!current.projection.isOver && !current.projection.isWaiting) {
        // Neither ended nor paused: more frames follow.
        this.lastState = '';
        return false;
      }
    }
    // Reload the turns before the next event. An ended turn needs no reload unless something has changed.
    if (current.projection.isOver && !this.hasChanged) return true;
    this.hasChanged = false;
    await this.reloadTurns();
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
        // The agent process failed; another one continues the turn.
        reader = await reattach(
          async (signal) => {
            await this.deps.principals.verifyAgain(this.ctx);
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
    const deps: (string | ProtocolEvent)[] = [];
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
              deps.push(text, event);
              text = '';
            }
          }
      }
      if (text.length >= MAX_WRITE_CHARACTERS) {
        deps.push(text);
        text = '';
      }
    }
    return deps.length === 0 ? this.flushed(text) : this.writeParts(turn, [...deps, text]);
  }

  private async writeParts(turn: TurnOfSession, deps: readonly (string | ProtocolEvent)[]): Promise<void> {
    for (const part of deps)
      await this.flushed(typeof part === 'string' ? part : sseOf([await this.withTranscript(turn, part)]));
  }

  private async flushed(text: string): Promise<void> {
    if (text !== '' && this.isOpen && !(await this.writer?.write(text))) this.stop();
  }

  /**
   * The transcript is read for each event that has it, and not kept: streams are open for long, and there are many.
   * If it cannot be read, the stream ends before the event, and the client reopens it after its last event.
   */
  private async withTranscript(turn: TurnOfSession, event: ProtocolEvent): Promise<ProtocolEvent> {
    const { transcripts } = this.deps;
    const { data } = event as { data: ValuesEvent };
    const end = Date.now() + TRANSCRIPT_WITHIN_MS;
    while (this.isOpen && transcripts.mayRead(this.ctx)) {
      try {
        const before = upTo(await transcripts.newest(this.ctx, this.subscription.sessionId), turn.id);
        const messages = [...before.flatMap((message) => messageOf(message) ?? []), ...data.params.data.messages];
        return { ...event, data: { ...data, params: { ...data.params, data: { messages } } } };
      } catch (error) {
        this.endIfRefused(error);
        if (Date.now() > end) this.refuse(noTranscript());
        else await sleep(RETRY_MS, this.ended.signal);
      }
    }
    return event;
  }

  private projectionOf({ id, startedAt }: TurnOfSession): LangGraphProjection {
    const { sessionId, since, isSubscribed } = this.subscription;
    const before = numberBefore(startedAt);
    return new LangGraphProjection({
      threadId: sessionId,
      turnId: id,
      firstEventOffset: before,
      lastReceived: since ?? 0,
      isSubscribed,
    });
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

/** A new holder or status may bring more frames. */
const stateOf = ({ id, status, epoch }: TurnOfSession): string => `${id}/${status}/${epoch}`;
