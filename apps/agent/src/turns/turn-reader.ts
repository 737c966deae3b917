import { Injectable } from '@nestjs/common';
import { sleep } from '@switchyard/kernel';
import { type Ctx, isActiveTurn, SessionCalls, type TurnRecord, type TurnResult } from '@switchyard/contracts';
import { Bus, FrameLog, streamExpired } from '@switchyard/messaging';
import { FrameNumbering } from '../domain/frame';
import { inputRequested, lifecycle, streamEnded } from '../domain/turn-frames';
import { product } from '../domain/frame';
import { closingFrames } from '../domain/turn-outcome';
import type { TurnFacts } from '../domain/turn-state';
import { HeldTurns } from './held-turns';

/** How long a follower hears nothing before it asks how the turn stands. */
const QUIET_MS = 2_000;
const ENDED = '"event":"stream-ended"';

/** The frames of a turn for whoever asks: from memory where this process holds it, from the log elsewhere. */
@Injectable()
export class TurnReader {
  constructor(
    private readonly bus: Bus,
    private readonly log: FrameLog,
    private readonly held: HeldTurns,
  ) {}

  /** Replays what follows `after`, then goes on as the turn does, until it pauses or ends. */
  async *frames(
    ctx: Ctx,
    turn: TurnRecord,
    after: number,
    signal: AbortSignal,
  ): AsyncGenerator<string, void, undefined> {
    let last = after;
    let record = turn;
    for (;;) {
      // Of a turn that goes on, only the running stretch will do; of one that does not, the last one is still at hand.
      const runner = isLive(record) ? this.held.running(turn.key) : this.held.find(turn.key);
      if (runner) {
        yield* runner.feed.read(last, signal);
        return;
      }
      if (!isLive(record)) {
        yield* this.rest(record, last, signal);
        return;
      }
      for await (const frames of this.follow(turn.key, last, signal)) {
        if (frames === 'quiet') {
          record = await this.bus.call(SessionCalls.getTurn, ctx, { turnId: turn.id });
          if (!isLive(record) || this.held.running(turn.key)) break;
          continue;
        }
        last += frames.length;
        yield frames.join('\n');
        if (frames.at(-1)?.includes(ENDED)) {
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

  /** What is left of a turn that does not run. Its last frames may be missing when its process died just after storing it. */
  private async *rest(turn: TurnRecord, after: number, signal: AbortSignal): AsyncGenerator<string, void, undefined> {
    const stored = await this.log.lastSeq(turn.key, turn.epoch);
    if (stored === 0) throw streamExpired();
    let last = after;
    let newest = '';
    for await (const frames of this.log.read(turn.key, after, signal)) {
      last += frames.length;
      newest = frames.at(-1) ?? newest;
      yield frames.join('\n');
    }
    if (signal.aborted || last !== stored || newest === '' || newest.includes(ENDED)) return;
    const numbering = new FrameNumbering(stored);
    const missing = missingFrames(turn).map((body) =>
      numbering.write(body, Date.parse(turn.finishedAt ?? turn.startedAt)),
    );
    // Several readers may write them; their message id keeps one.
    this.log.append(turn.key, turn.epoch, stored + 1, missing);
    yield missing.join('\n');
  }

  private async *follow(
    key: string,
    after: number,
    signal: AbortSignal,
  ): AsyncGenerator<string[] | 'quiet', void, undefined> {
    const frames = this.log.follow(key, after, signal);
    try {
      for (let next = frames.next(); ;) {
        const got = await Promise.race([next, sleep(QUIET_MS).then(() => 'quiet' as const)]);
        if (got === 'quiet') yield got;
        else if (got.done) return;
        else {
          yield got.value;
          next = frames.next();
        }
      }
    } finally {
      void frames.return();
    }
  }
}

/** Frames are still to come: it runs, or it waited and is about to be ended. */
const isLive = (turn: TurnRecord): boolean =>
  turn.status === 'RUNNING' || (turn.status === 'WAITING_INPUT' && turn.cancelRequested);

/** A stored result, or what can be said of a turn that has none yet. */
export function resultOf(turn: TurnRecord): TurnResult {
  const stored = turn.result as TurnResult | null;
  const usage = turn.usage;
  const base: TurnResult = stored ?? {
    session_id: turn.sessionId,
    turn_id: turn.id,
    agent_id: turn.agentId,
    message_id: null,
    status: turn.status,
    answer: '',
    content: [],
    tool_executions: [],
    evidence: [],
    interaction: null,
    finish_reason: turn.finishReason,
    tokens_used: usage?.totalTokens ?? 0,
    token_usage: {
      prompt_tokens: usage?.promptTokens ?? 0,
      completion_tokens: usage?.completionTokens ?? 0,
      total_tokens: usage?.totalTokens ?? 0,
      cost: usage?.cost ?? 0,
    },
    execution_time: 0,
    error: null,
  };
  return {
    ...base,
    status: turn.status,
    interaction: isActiveTurn(turn.status) && turn.interaction ? { ...turn.interaction } : null,
    error: turn.error ?? base.error,
  };
}

function missingFrames(
  turn: TurnRecord,
): { method: 'lifecycle' | 'messages' | 'tools' | 'input' | 'custom:service'; data: object }[] {
  const facts: TurnFacts = {
    turnId: turn.id,
    sessionId: turn.sessionId,
    agentId: turn.agentId,
    agentName: '',
    kind: 'chat',
    maxSteps: 1,
    askMode: false,
    canAsk: false,
    hasKnowledge: false,
    structured: false,
  };
  if (turn.status === 'WAITING_INPUT' && turn.interaction) {
    const interaction = { ...turn.interaction };
    return [
      inputRequested(interaction),
      product('agent-input-required', { interaction }),
      lifecycle(facts, 'interrupted'),
      streamEnded('WAITING_INPUT'),
    ];
  }
  return closingFrames(facts, resultOf(turn), null);
}
