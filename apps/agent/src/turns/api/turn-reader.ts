import { Injectable } from '@nestjs/common';
import { sleep } from '@switchyard/kernel';
import {
  type ContextStatus,
  type Ctx,
  endsStream,
  requireSpace,
  SessionCalls,
  TurnFrameWriter,
  type TurnRecord,
  type TurnResult,
} from '@switchyard/contracts';
import { Bus, FrameLog, joinFrames, Peers, streamBrokeOff, streamExpired } from '@switchyard/messaging';
import { AgentsService } from '../../agents/agents.service';
import { HeardFrames } from '../../domain/heard-frames';
import { agentNameOf, isToldToEnd, missingFrames, PAUSE_FRAMES, resultOf, unsaidOf } from '../../domain/stored-turn';
import { FrameBudget } from '../frames/frame-budget';
import { hearLog } from '../frames/hear-log';
import { HeldTurns } from '../run/held-turns';

/** How long a follower hears nothing before it asks how the turn stands. */
const QUIET_MS = 2_000;
/** How long the holder of a turn that is stored may take to say its last frames, as far as it lives at all. */
const LAST_WORDS_WITHIN_MS = 8_000;

/** The frames of a turn for whoever asks: from memory where this process holds it, from the log elsewhere. */
@Injectable()
export class TurnReader {
  constructor(
    private readonly bus: Bus,
    private readonly log: FrameLog,
    private readonly held: HeldTurns,
    private readonly peers: Peers,
    private readonly agents: AgentsService,
    private readonly budget: FrameBudget,
  ) {}

  /** Replays what follows `after`, then goes on as the turn does, until it pauses or ends. */
  async *frames(
    ctx: Ctx,
    turn: TurnRecord,
    after: number,
    signal: AbortSignal,
  ): AsyncGenerator<string, void, undefined> {
    let last = after;
    let newest = '';
    let record = turn;
    for (;;) {
      // Of a turn that goes on, only the running stretch will do; of one that does not, the last one is still at hand.
      const runner = isLive(record) ? this.held.running(turn.key) : this.held.find(turn.key);
      if (runner) {
        yield* runner.feed.read(last, signal);
        return;
      }
      if (!isLive(record)) {
        yield* this.rest(ctx, record, { last, newest }, signal);
        return;
      }
      for await (const frames of this.follow(turn.key, last, signal)) {
        if (frames === 'quiet') {
          record = await this.bus.call(SessionCalls.getTurn, ctx, { turnId: turn.id });
          if (!isLive(record) || this.held.running(turn.key)) break;
          continue;
        }
        last += frames.length;
        newest = frames.at(-1) ?? newest;
        yield joinFrames(frames);
        if (endsStream(newest)) {
          record = await this.bus.call(SessionCalls.getTurn, ctx, { turnId: turn.id });
          if (!isLive(record)) break;
        }
      }
      if (signal.aborted) return;
    }
  }

  /** The answer of a call that does not stream, as far as the turn has come within the time. */
  async result(ctx: Ctx, turn: TurnRecord, waitMs: number): Promise<TurnResult> {
    const end = Date.now() + waitMs;
    const runner = this.held.find(turn.key);
    if (runner) {
      const done = await Promise.race([runner.done.catch(() => null), sleep(waitMs).then(() => null)]);
      if (done) return done;
    }
    let record = turn;
    for (let pause = 25; isLive(record) && Date.now() < end; pause = Math.min(500, pause * 2)) {
      await sleep(Math.min(pause, Math.max(0, end - Date.now())));
      record = await this.bus.call(SessionCalls.getTurn, ctx, { turnId: turn.id });
    }
    return resultOf(record);
  }

  /** What is left of a turn that does not run. */
  private async *rest(
    ctx: Ctx,
    turn: TurnRecord,
    heard: { last: number; newest: string },
    signal: AbortSignal,
  ): AsyncGenerator<string, void, undefined> {
    const stored = await this.log.lastSeq(turn.key, turn.epoch);
    if (stored === 0) throw streamExpired();
    let { last, newest } = heard;
    for await (const frames of this.log.read(turn.key, last, signal)) {
      last += frames.length;
      newest = frames.at(-1) ?? newest;
      yield joinFrames(frames);
    }
    if (signal.aborted || heard.last > stored) return;
    // Not all of it came. An error lets the reader attach again from here; a plain end would look like the turn's own.
    if (last < stored) throw streamBrokeOff();
    if (newest !== '' && !endsStream(newest)) yield* this.lastWords(ctx, turn, last, signal);
    // The end may be that of an earlier stretch: the holder of the last one died with all that it had said.
    else if (!(await this.isWholeOrGone(turn, last, signal))) {
      const now = await this.bus.call(SessionCalls.getTurn, ctx, { turnId: turn.id });
      if (now.epoch === turn.epoch && now.status === turn.status) yield* this.lastWords(ctx, turn, last, signal);
    }
  }

  /** What was removed since it was read is not said anew: its next reader is to hear that it has expired. */
  private async isWholeOrGone(turn: TurnRecord, last: number, signal: AbortSignal): Promise<boolean> {
    const heard = await this.heardAtEnd(turn.key, last, signal);
    return heard.last === 0 || isToldToEnd(turn, heard);
  }

  /** The last frames up to a number, as far as they are kept. */
  private async heardAtEnd(key: string, last: number, signal: AbortSignal): Promise<HeardFrames> {
    const heard = new HeardFrames();
    for await (const frames of this.log.read(key, Math.max(0, last - PAUSE_FRAMES), signal))
      for (const frame of frames) heard.take(frame);
    return heard;
  }

  /** The turn is stored and its last frames are not: its holder is about to say them, or died before it could. */
  private async *lastWords(
    ctx: Ctx,
    turn: TurnRecord,
    after: number,
    signal: AbortSignal,
  ): AsyncGenerator<string, void, undefined> {
    let last = after;
    const end = Date.now() + LAST_WORDS_WITHIN_MS;
    if (!(await this.isGone(turn.owner))) {
      for await (const frames of this.follow(turn.key, last, signal)) {
        if (frames === 'quiet') {
          if (Date.now() > end || (await this.isGone(turn.owner))) break;
          continue;
        }
        last += frames.length;
        yield joinFrames(frames);
        if (endsStream(frames.at(-1))) return;
      }
      if (signal.aborted) return;
    }
    const heard = await hearLog(this.log, turn.key, signal);
    if (signal.aborted) return;
    if (heard.last === 0) throw streamExpired();
    if (!isToldToEnd(turn, heard)) await this.speakFor(ctx, turn, heard);
    yield* this.untilEnd(turn.key, last, signal);
  }

  /**
   * Says in its holder's place what the turn still has to say. Several readers may do so: what they say of its message
   * is the same, the id of a batch keeps one, and all of them read what the log has then.
   */
  private async speakFor(ctx: Ctx, turn: TurnRecord, heard: HeardFrames): Promise<void> {
    const name = agentNameOf(turn) ?? (await this.agents.get(ctx, turn.agentId).catch(() => null))?.name ?? '';
    const context = await this.contextOf(ctx, turn);
    // Nobody holds the turn after its end: whatever its holder may send when it wakes up is of an earlier holder then.
    const epoch = turn.status === 'WAITING_INPUT' ? turn.epoch : turn.epoch + 1;
    const writer = new TurnFrameWriter(heard.last);
    const use = this.budget.count(requireSpace(ctx), turn.key, false);
    for (const bodies of [unsaidOf(turn, heard), missingFrames(turn, name, context)]) {
      if (bodies.length === 0) continue;
      const firstSeq = writer.seq + 1;
      const frames = bodies.map((body) => writer.write(body, Date.parse(turn.finishedAt ?? turn.startedAt)));
      use.add(
        this.log.append({ spaceId: use.space.id, key: turn.key, epoch }, firstSeq, joinFrames(frames)),
        frames.length,
      );
    }
    use.end(false);
  }

  /** What the log has after a number, as soon as it has the end. */
  private async *untilEnd(key: string, after: number, signal: AbortSignal): AsyncGenerator<string, void, undefined> {
    const end = Date.now() + LAST_WORDS_WITHIN_MS;
    for await (const frames of this.follow(key, after, signal)) {
      if (frames === 'quiet') {
        if (Date.now() > end) throw streamBrokeOff();
        continue;
      }
      yield joinFrames(frames);
      if (endsStream(frames.at(-1))) return;
    }
  }

  /** How full the window is, as its holder would have told at the end. */
  private async contextOf(ctx: Ctx, { agentId, sessionId, status }: TurnRecord): Promise<ContextStatus | null> {
    if (sessionId === null || status === 'WAITING_INPUT') return null;
    return this.bus.call(SessionCalls.contextStatus, ctx, { agentId, sessionId }).catch(() => null);
  }

  private async isGone(owner: string | null): Promise<boolean> {
    if (owner === null) return true;
    return (await this.peers.findDead([owner])).length > 0;
  }

  private async *follow(
    key: string,
    after: number,
    signal: AbortSignal,
  ): AsyncGenerator<string[] | 'quiet', void, undefined> {
    const frames = this.log.follow(key, after, signal);
    try {
      for (let next = frames.next(); ;) {
        const got = await orQuiet(next);
        if (got === 'quiet') yield got;
        else if (got.done) return;
        else {
          yield got.value;
          next = frames.next();
        }
      }
    } finally {
      // Whoever has left hears of no failure any more.
      frames.return().catch(() => undefined);
    }
  }
}

async function orQuiet<Next>(next: Promise<Next>): Promise<Next | 'quiet'> {
  let timer: NodeJS.Timeout | undefined;
  const quiet = new Promise<'quiet'>((resolve) => (timer = setTimeout(() => resolve('quiet'), QUIET_MS)));
  try {
    return await Promise.race([next, quiet]);
  } finally {
    clearTimeout(timer);
  }
}

/** Frames are still to come: it runs, or it waited and is about to be ended. */
const isLive = (turn: TurnRecord): boolean =>
  turn.status === 'RUNNING' || (turn.status === 'WAITING_INPUT' && turn.cancelRequested);
