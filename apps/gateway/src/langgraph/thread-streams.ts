import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import {
  AgentStreams,
  type Ctx,
  isActiveTurn,
  requireSpace,
  seqOfFrame,
  SessionCalls,
  type TurnOfSession,
} from '@switchyard/contracts';
import { AppError, type JsonObject } from '@switchyard/kernel';
import { Bus, type StreamReader } from '@switchyard/messaging';
import type { FastifyReply } from 'fastify';
import { OpenStreams } from '../auth/open-streams';
import { Principals } from '../auth/principals';
import { emptyBody } from '../http/admitted-body';
import { ByteHolder } from '../limits/held-bytes';
import { numberBefore } from '../projections/langgraph/event-numbers';
import { LangGraphProjection } from '../projections/langgraph/langgraph-projection';
import { messageOf } from '../projections/langgraph/langgraph-messages';
import { project, sseOf } from '../projections/projection';
import { attachAgain } from '../streams/attach-again';
import { SseWriter } from '../streams/sse-writer';
import { ThreadChanges } from './thread-changes';
import { Transcripts, upTo } from './transcripts';

/** Turns that began elsewhere, and those whose signal was lost, are seen within this time. */
const LOOK_EVERY_MS = 3_000;
const LOOK_AGAIN_MS = 1_000;
/** The most turns that a reader who was away for long is told of. */
const MOST_TURNS = 20;

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
    private readonly bytes: ByteHolder,
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
      const writer = new SseWriter(reply.raw, reply.getHeaders(), this.bytes.open({ spaceId: requireSpace(ctx) }));
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
    await this.look();
    const turn = this.reading.since === null ? null : this.next();
    if (!turn) return;
    const { agentId, id: turnId } = turn;
    const { signal } = this.ended;
    const reader = await this.parts.bus.stream(
      AgentStreams.attach,
      this.ctx,
      { agentId, turnId, after: 0 },
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

  /** Services may be away for a while: the stream stays, and looks again later. Not where the thread is gone. */
  private async lookAgain(): Promise<void> {
    try {
      await this.look();
    } catch (error) {
      if (error instanceof AppError && error.code === 'NOT_FOUND') this.stop();
    }
  }

  async run(writer: SseWriter): Promise<void> {
    this.writer = writer;
    await writer.write(': connected\n\n');
    while (this.isOpen) {
      const turn = this.next();
      if (turn && (await this.tell(turn))) continue;
      if (!this.hasChanged) await this.wait(turn ? LOOK_AGAIN_MS : LOOK_EVERY_MS);
      this.hasChanged = false;
      await this.lookAgain();
    }
  }

  /** The turn to read on: the one that is told, where it has more to say, or the one after it. */
  private next(): TurnOfSession | null {
    const { turns, told } = this;
    if (!told) return turns[this.firstAt()] ?? null;
    const at = turns.findIndex(({ id }) => id === told.turn.id);
    const same = turns[at];
    if (same && !told.projection.isOver && standing(same) !== this.stood) return same;
    const following = at === -1 ? turns.find(({ startedAt }) => startedAt > told.turn.startedAt) : turns[at + 1];
    return following ?? null;
  }

  private firstAt(): number {
    const { since } = this.reading;
    if (since === null) return this.turns.length - 1;
    return Math.max(
      0,
      this.turns.findLastIndex(({ startedAt }) => numberBefore(startedAt) <= since),
    );
  }

  /** Reads the frames of a turn as far as there are any. False when they cannot be had at the moment. */
  private async tell(turn: TurnOfSession): Promise<boolean> {
    try {
      const told = this.told?.turn.id === turn.id ? this.told : await this.begin(turn);
      const { agentId, id: turnId } = turn;
      const attach = (signal: AbortSignal): Promise<StreamReader<string>> =>
        this.parts.bus.stream(AgentStreams.attach, this.ctx, { agentId, turnId, after: told.after }, { signal });
      const reader = await attach(this.ended.signal);
      this.told = told;
      this.stood = standing(turn);
      await this.read(told, reader, attach);
      if (!told.projection.isOver && !told.projection.isWaiting) {
        // Neither at its end nor at a question: there is more to come.
        this.stood = '';
        return false;
      }
    } catch (error) {
      if (!(error instanceof AppError) || (error.code !== 'STREAM_EXPIRED' && error.code !== 'NOT_FOUND')) return false;
      // What is told of it no more was told, or came too long ago to be asked for here.
      this.told = { turn, projection: this.projectionOf(turn, []), after: 0 };
      this.told.projection.isOver = !isActiveTurn(turn.status);
      this.stood = standing(turn);
    }
    // Where it stands now is found out before anything else is told.
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
        while (this.isOpen && (await reader.more())) {
          const frames = reader.takeReady().filter((frame) => frame !== '');
          const newest = frames.at(-1);
          if (newest === undefined) continue;
          told.after = seqOfFrame(newest);
          const events = project(told.projection, frames);
          if (events.length > 0 && !(await this.writer?.write(sseOf(events)))) this.stop();
        }
        reader.cancel();
        return;
      } catch {
        // The agent is gone. The turn is not: another one goes on with it.
        reader = await attachAgain(
          async (signal) => {
            await this.parts.principals.verifyAgain(this.ctx);
            return attach(signal);
          },
          () => this.isOpen,
        );
      }
    }
  }

  private async begin(turn: TurnOfSession): Promise<Told> {
    const { transcripts } = this.parts;
    const isShown = this.reading.wants('values') && transcripts.mayRead(this.ctx);
    const before = isShown ? upTo(await transcripts.newest(this.ctx, this.reading.sessionId), turn.id) : [];
    const messages = before.map(messageOf).filter((message) => message !== null);
    return { turn, projection: this.projectionOf(turn, messages), after: 0 };
  }

  private projectionOf({ id, startedAt }: TurnOfSession, messages: JsonObject[]): LangGraphProjection {
    const { sessionId, since, wants } = this.reading;
    const before = numberBefore(startedAt);
    return new LangGraphProjection({
      threadId: sessionId,
      turnId: id,
      before,
      messages,
      since: since ?? 0,
      wants,
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

/** Another holder, or another status, may have more to say. */
const standing = ({ id, status, epoch }: TurnOfSession): string => `${id}/${status}/${epoch}`;
