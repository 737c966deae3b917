import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { ClaimedTurn, InteractionView } from '@switchyard/contracts';
import { FrameLog } from '@switchyard/messaging';
import { Logger } from '@switchyard/service';
import { answerOf } from '../domain/interaction-form';
import { newTurnState, type TurnState } from '../domain/turn-state';
import type { Update } from '../domain/turn-update';
import { HeldTurns } from './held-turns';
import { TurnMaker } from './turn-maker';
import { TurnRunner } from './turn-runner';
import { TurnServices } from './turn-services';
import type { TurnSpec } from './turn-spec';

/**
 * When the log was lost with what its turn had said, the turn goes on under numbers that nobody can have seen: whoever
 * asks for what follows an earlier one is told that it is gone, and never handed the middle of another telling.
 */
const OUT_OF_REACH = 1_000_000;

const LOCAL_CALL = /"event":"local-tool-call","call_id":("(?:[^"\\]|\\.)*")/;

/** Goes on with turns that this process did not begin: after a crash, a stop, an answer, or a cancel while waiting. */
@Injectable()
export class Takeover implements OnModuleInit {
  constructor(
    private readonly held: HeldTurns,
    private readonly maker: TurnMaker,
    private readonly services: TurnServices,
    private readonly log: FrameLog,
    private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    this.held.takeOver = async (claim) => {
      await this.goOn(claim, claim.turn.interaction);
    };
  }

  /** Takes the turn up where its last checkpoint stands. `interaction` is the answered one, where that is the reason. */
  async goOn(claim: ClaimedTurn, interaction: InteractionView | null): Promise<TurnRunner> {
    const own = this.held.running(claim.turn.key);
    if (own) {
      own.adopt(claim.turn.epoch);
      return own;
    }
    const spec = await this.maker.claimed(claim);
    const saved = claim.state as { state: TurnState; seq: number } | null;
    const base = await this.lastSeq(claim, saved?.seq ?? 0);
    const state = saved?.state ?? newTurnState(spec.agent.model);
    const announced = await this.announcedCalls(spec, state);
    const runner = new TurnRunner(spec, this.held.newFeed(spec, base), state, this.services, announced);
    this.held.hold(runner);
    this.logger.info({ turn: spec.key, reason: claim.reason, fromSeq: base + 1 }, 'a turn goes on here');
    runner.start(firstUpdate(claim, state, { base, saved: saved?.seq ?? 0 }, interaction));
    return runner;
  }

  /** What readers may have seen: the log has all of it, unless it has expired. */
  private async lastSeq({ turn, reason }: ClaimedTurn, saved: number): Promise<number> {
    const own = this.held.find(turn.key);
    const stored = await this.log.fence(turn.key, turn.epoch);
    if (own || stored > 0) return Math.max(own?.feed.seq ?? 0, stored === 0 ? saved : stored);
    // A turn that paused was told as far as its checkpoint says. How far one was that was lost, only the log knew.
    const isUnknown = (reason === 'lost' || reason === 'released') && (await this.log.wasLostSince(turn.startedAt));
    return isUnknown ? saved + OUT_OF_REACH : saved;
  }

  /** Local tools whose host has been told already must not be told again. */
  private async announcedCalls(spec: TurnSpec, state: TurnState): Promise<Set<string>> {
    const announced = new Set<string>();
    if (!state.calls.some((call) => call.source === 'local' && call.state === 'started')) return announced;
    try {
      for await (const frames of this.log.read(spec.key, 0, new AbortController().signal)) {
        for (const frame of frames) {
          const match = LOCAL_CALL.exec(frame);
          if (match?.[1] !== undefined) announced.add(JSON.parse(match[1]) as string);
        }
      }
    } catch {
      // Frames that have expired were announced long ago.
    }
    return announced;
  }
}

function firstUpdate(
  claim: ClaimedTurn,
  state: TurnState,
  seq: { base: number; saved: number },
  interaction: InteractionView | null,
): Update {
  switch (claim.reason) {
    case 'cancelled':
    case 'expired':
      return { type: 'cancelled' };
    case 'answered': {
      const call = state.calls.find(({ state: stage, name }) => stage !== 'done' && name === 'ask_user');
      if (!call || !interaction) break;
      return {
        type: 'answered',
        callId: call.id,
        output: answerOf(interaction),
        interaction: { ...interaction },
        at: Date.now(),
      };
    }
    case 'lost':
    case 'released':
      break;
  }
  if (claim.turn.cancelRequested) return { type: 'cancelled' };
  if (claim.exhausted) {
    return {
      type: 'failed',
      code: 'SERVER_ERROR',
      message: 'The turn was interrupted too often and was given up. Start a new one.',
      retryable: true,
    };
  }
  if (seq.base === 0) return { type: 'begin' };
  // Everything after the checkpoint is said again.
  return { type: 'taken-over', fromSeq: seq.saved + 1, at: Date.now() };
}
