import { Injectable } from '@nestjs/common';
import { sleep } from '@switchyard/kernel';
import {
  type ContextStatus,
  type Ctx,
  endsStream,
  requireSpace,
  seqOfFrame,
  SessionCalls,
  TurnFrameWriter,
  type TurnRecord,
  type TurnResult,
} from '@switchyard/contracts';
import {
  Bus,
  FRAMES_RETENTION_HOURS,
  FrameLog,
  joinFrames,
  ReplicaLiveness,
  streamInterrupted,
  streamExpired,
} from '@switchyard/messaging';
import { AgentsService } from '../../agents/agents.service';
import { isFromFirst } from '../../domain/final-frames';
import {
  agentNameOf,
  endsTurn,
  finalFramesOf,
  storedFramesAfter,
  missingFrames,
  resultOf,
} from '../../domain/read-stored-turn';
import { FrameRetention } from '../frames/frame-retention';
import { ActiveTurns } from '../run/active-turns';

/** How long a follower hears nothing before it asks how the turn stands. */
const QUIET_MS = 2_000;
/** How long the holder of a turn that is stored may take to write its last frames, if it lives. */
const FINAL_FRAMES_WITHIN_MS = 8_000;

/** Reads the frames of a turn: from memory where this process holds it, from the log elsewhere. */
@Injectable()
export class TurnReader {
  constructor(
    private readonly bus: Bus,
    private readonly log: FrameLog,
    private readonly activeTurns: ActiveTurns,
    private readonly replicaLiveness: ReplicaLiveness,
    private readonly agents: AgentsService,
    private readonly budget: FrameRetention,
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
      const runner = isLive(record) ? this.activeTurns.running(turn.key) : this.activeTurns.find(turn.key);
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
          if (!isLive(record) || this.activeTurns.running(turn.key)) break;
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
    const runner = this.activeTurns.find(turn.key);
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

  /** The remaining frames of a turn that does not run. */
  private async *rest(
    ctx: Ctx,
    turn: TurnRecord,
    read: { last: number; newest: string },
    signal: AbortSignal,
  ): AsyncGenerator<string, void, undefined> {
    const stored = await this.log.lastSeq(turn.key, turn.epoch);
    if (stored === 0) {
      if (!(await this.canBeWritten(turn))) throw streamExpired();
      yield* this.finalFrames(ctx, turn, read.last, signal);
      return;
    }
    let { last, newest } = read;
    for await (const frames of this.log.read(turn.key, last, signal)) {
      last += frames.length;
      newest = frames.at(-1) ?? newest;
      yield joinFrames(frames);
    }
    if (signal.aborted) return;
    // Not all of it came. An error lets the reader attach again from here; a plain end would look like the turn's own.
    if (last < stored) throw streamInterrupted();
    if (newest === '') newest = await this.newestFrame(turn.key, stored - 1, signal);
    // Frames that were removed since they were read are not written again: the next reader gets STREAM_EXPIRED.
    if (newest === '' || endsTurn(turn, newest)) return;
    // The end may be that of an earlier stretch: the holder of the last one died with all its frames.
    if (endsStream(newest)) {
      const now = await this.bus.call(SessionCalls.getTurn, ctx, { turnId: turn.id });
      if (now.epoch !== turn.epoch || now.status !== turn.status) return;
    }
    yield* this.finalFrames(ctx, turn, last, signal);
  }

  /** Whether the log has no frame of the turn because its holder died before the first was stored. */
  private async canBeWritten(turn: TurnRecord): Promise<boolean> {
    const isRecent = Date.now() - Date.parse(turn.startedAt) < FRAMES_RETENTION_HOURS * 3_600_000;
    if (!isRecent || !isFromFirst(finalFramesOf(turn)) || !(await this.isDead(turn.owner))) return false;
    return !(await this.log.wasRecreatedSince(turn.startedAt));
  }

  /** The last frame that is stored behind a number; with null, of all. Empty if there is none. */
  private async newestFrame(key: string, after: number | null, signal: AbortSignal): Promise<string> {
    let newest = '';
    for await (const frames of this.log.read(key, after, signal)) newest = frames.at(-1) ?? newest;
    return newest;
  }

  /** The turn is stored and its last frames are not: its holder is about to write them, or died before it could. */
  private async *finalFrames(
    ctx: Ctx,
    turn: TurnRecord,
    after: number,
    signal: AbortSignal,
  ): AsyncGenerator<string, void, undefined> {
    let last = after;
    const end = Date.now() + FINAL_FRAMES_WITHIN_MS;
    if (!(await this.isDead(turn.owner))) {
      for await (const frames of this.follow(turn.key, last, signal)) {
        if (frames === 'quiet') {
          if (Date.now() > end || (await this.isDead(turn.owner))) break;
          continue;
        }
        last += frames.length;
        yield joinFrames(frames);
        if (endsStream(frames.at(-1))) return;
      }
      if (signal.aborted) return;
    }
    const newest = await this.newestFrame(turn.key, null, signal);
    if (signal.aborted) return;
    if (newest === '' && !(await this.canBeWritten(turn))) throw streamExpired();
    const endSeq = endsTurn(turn, newest)
      ? seqOfFrame(newest)
      : await this.writeFinalFrames(ctx, turn, newest === '' ? 0 : seqOfFrame(newest));
    // Its frames were lost with NATS, and the numbers that it knows are taken by others.
    if (last >= endSeq) throw streamExpired();
    yield* this.untilEnd(turn.key, last, signal);
  }

  /**
   * Writes in its holder's place the frames that are stored with the turn, and its closing frames; answers with the
   * last number. Several readers may do so: they write the same frames, and all of them read what the log has then.
   */
  private async writeFinalFrames(ctx: Ctx, turn: TurnRecord, last: number): Promise<number> {
    const stored = storedFramesAfter(turn, last);
    // More was lost than is stored with the turn.
    if (stored === null) throw streamExpired();
    const name = agentNameOf(turn) ?? (await this.agents.get(ctx, turn.agentId).catch(() => null))?.name ?? '';
    const closing = missingFrames(turn, name, await this.contextOf(ctx, turn));
    const writer = new TurnFrameWriter(last);
    const at = Date.parse(turn.finishedAt ?? turn.startedAt);
    const frames = [...stored.map((frame) => writer.repeat(frame)), ...closing.map((body) => writer.write(body, at))];
    // After the end, frames that a paused holder still sends are of an earlier epoch.
    const epoch = turn.status === 'WAITING_INPUT' ? turn.epoch : turn.epoch + 1;
    const use = this.budget.count(requireSpace(ctx), turn.key, false);
    const log = { spaceId: use.space.id, key: turn.key, epoch, isForHolder: true };
    use.add(this.log.append(log, last + 1, joinFrames(frames)), frames.length);
    use.end(false);
    return writer.seq;
  }

  /** Logged frames after a number, once the log has the end. */
  private async *untilEnd(key: string, after: number, signal: AbortSignal): AsyncGenerator<string, void, undefined> {
    const end = Date.now() + FINAL_FRAMES_WITHIN_MS;
    for await (const frames of this.follow(key, after, signal)) {
      if (frames === 'quiet') {
        if (Date.now() > end) throw streamInterrupted();
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

  private async isDead(owner: string | null): Promise<boolean> {
    if (owner === null) return true;
    return (await this.replicaLiveness.findDead([owner])).length > 0;
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
      // A client that has disconnected gets no error.
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
