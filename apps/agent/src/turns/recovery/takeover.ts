import { Injectable } from '@nestjs/common';
import {
  approvedIds,
  type ClaimedTurn,
  type InteractionView,
  productFieldsOf,
  productFrame,
} from '@switchyard/contracts';
import { AppError, failpoint, waitUntil } from '@switchyard/kernel';
import { FrameLog } from '@switchyard/messaging';
import { Logger } from '@switchyard/service';
import { denialOf } from '../../domain/approval-form';
import { type Checkpoint, finalFramesAfter, isFromFirst } from '../../domain/final-frames';
import { answerOf } from '../../domain/ask-user-arguments';
import { PAUSE_FRAMES } from '../../domain/turn-reducer';
import { newTurnState, type TurnState } from '../../domain/turn-state';
import type { Update } from '../../domain/turn-update';
import type { TurnFeed } from '../frames/turn-feed';
import { ActiveTurns } from '../run/active-turns';
import { TurnContextLoader } from '../run/turn-context-loader';
import { type TurnSlot, TurnSlots } from '../limits/turn-slots';
import { TurnRunner } from '../run/turn-runner';
import { TurnDeps } from '../run/turn-deps';
import { SuspectTurns } from './suspect-turns';
import type { TurnSpec } from '../run/turn-spec';

/**
 * If the log lost the frames of a turn, the turn goes on under numbers that no client can have seen. A client that asks
 * for frames after an earlier number gets STREAM_EXPIRED, and not the middle of another answer.
 */
const OUT_OF_REACH = 1_000_000;
const OWN_STORED_WITHIN_MS = 2_000;

/** Goes on with turns that this process did not begin: after a crash, a stop, an answer, or a cancel while waiting. */
@Injectable()
export class Takeover {
  constructor(
    private readonly activeTurns: ActiveTurns,
    private readonly maker: TurnContextLoader,
    private readonly services: TurnDeps,
    private readonly slots: TurnSlots,
    private readonly suspects: SuspectTurns,
    private readonly log: FrameLog,
    private readonly logger: Logger,
  ) {}

  /**
   * Takes the turn up where its last checkpoint stands. `interaction` is the answered one, where that is the reason;
   * `place` was taken for it before it was answered.
   */
  async resume(claim: ClaimedTurn, interaction: InteractionView | null, slot?: TurnSlot): Promise<TurnRunner> {
    const own = this.activeTurns.running(claim.turn.key);
    if (own) {
      own.adopt(claim.turn.epoch);
      slot?.leave();
      return own;
    }
    const {
      saved,
      spec,
      userIsGone: userHasLeft,
      base,
      state,
      announced,
      repeated,
      leave,
    } = await this.activeTurns.prepare(claim, () => this.prepareInTrial(claim, claim.isSuspect === true && !slot));
    const savedSeq = saved?.seq ?? 0;
    const acquired = slot ?? this.slots.adopt(spec.ctx);
    const watched = claim.isSuspect === true ? this.suspects.watch(claim.turn, acquired) : acquired;
    const runner = new TurnRunner(spec, this.activeTurns.newFeed(spec, base), state, this.services, watched, announced);
    this.activeTurns.hold(runner);
    runner.done.then(leave, leave);
    this.logger.info({ turn: spec.key, reason: claim.reason, fromSeq: base + 1 }, 'took over a turn');
    runner.feed.repeat(repeated);
    // Said by a process that had the answer and did not get far with it.
    if (state.phase === 'waiting' && base > savedSeq)
      runner.feed.emit([productFrame('stepRestarted', { from_seq: savedSeq + 1 })]);
    // A turn does not act for a user who has left the Space, or with a revoked key: not even an approved call runs.
    const first: Update = userHasLeft
      ? { type: 'cancelled' }
      : firstUpdate(claim, state, { base, saved: Math.min(savedSeq, base + repeated.length) }, interaction);
    runner.start(first);
    return runner;
  }

  /** `leave`: when the turn is over here. One that was answered runs at once. */
  private async prepareInTrial(claim: ClaimedTurn, isTrial: boolean) {
    const leave = isTrial ? await this.suspects.enter(claim.turn) : () => undefined;
    try {
      return { ...(await this.prepare(claim)), leave };
    } catch (error) {
      leave();
      throw error;
    }
  }

  /** Everything that has to be asked for before the turn can go on. */
  private async prepare(claim: ClaimedTurn) {
    const saved = claim.state as Checkpoint | null;
    const { spec, userHasLeft } = await this.maker.claimed(claim, { waited: saved?.state.phase === 'waiting' });
    await failpoint('agent.taking-over');
    const state = saved?.state ?? newTurnState(spec.agent.model);
    const { base, repeated } = await this.framesBefore(claim, saved);
    const announced = await this.announcedCalls(spec, state, repeated);
    return { saved, spec, userIsGone: userHasLeft, base, state, announced, repeated };
  }

  /**
   * The number after which the turn goes on, and the frames before its checkpoint that were lost with their process.
   */
  private async framesBefore(
    claim: ClaimedTurn,
    saved: Checkpoint | null,
  ): Promise<{ base: number; repeated: readonly string[] }> {
    const start = startAfter(await this.lastSeq(claim, saved), saved);
    if (start.isCut) await this.log.remove(claim.turn.key, 1);
    return start;
  }

  /** Frames that readers may have received: the log has all of them, unless expired. */
  private async lastSeq({ turn, reason }: ClaimedTurn, checkpoint: Checkpoint | null): Promise<number> {
    const saved = checkpoint?.seq ?? 0;
    const own = this.activeTurns.find(turn.key)?.feed;
    if (own && isDirectlyBefore(own, turn.epoch)) await this.storeOwn(own, turn.epoch);
    const stored = await this.log.fence(turn.key, turn.epoch);
    const lastSeen = lastSeenSeq({ stored, saved, epoch: turn.epoch, own });
    if (lastSeen !== null) return lastSeen;
    const wasRunning = reason === 'lost' || reason === 'released';
    const hasAll = hasAllFrames(checkpoint);
    // A turn that paused was told as far as its checkpoint says. How far one was that was lost, only the log knew.
    if ((wasRunning || hasAll) && (await this.log.wasRecreatedSince(turn.startedAt)))
      return wasRunning ? saved + OUT_OF_REACH : saved;
    return hasAll ? 0 : saved;
  }

  /** Readers ignore frames of the stretch before that are stored after the fence. */
  private async storeOwn(own: TurnFeed, epoch: number): Promise<void> {
    await waitUntil(() => own.isStored, OWN_STORED_WITHIN_MS, 10);
    if (!own.isStored) own.adopt(epoch);
  }

  /** Local tools whose host has been told already must not be told again. */
  private async announcedCalls(spec: TurnSpec, state: TurnState, repeated: readonly string[]): Promise<Set<string>> {
    const announced = new Set<string>();
    if (!state.calls.some((call) => call.source === 'local' && call.state === 'started')) return announced;
    const announce = (frame: string): void => {
      const call = productFieldsOf(frame, 'localToolCall');
      if (call) announced.add(call.call_id);
    };
    repeated.forEach(announce);
    try {
      for await (const frame of this.log.stored(spec.key)) announce(frame);
    } catch (error) {
      // Frames that have expired were announced long ago.
      if (!(error instanceof AppError) || error.code !== 'STREAM_EXPIRED') throw error;
    }
    return announced;
  }
}

/** Otherwise another process may have written frames after it. */
const isDirectlyBefore = (own: { epoch: number }, epoch: number): boolean => own.epoch >= epoch - 1;

interface SeenFrames {
  /** The last frame that the log has; 0 when it has none. */
  stored: number;
  /** As the checkpoint says. */
  saved: number;
  /** Of the lease under which the turn goes on. */
  epoch: number;
  /** The stretch that this process still has. */
  own?: { seq: number; epoch: number } | undefined;
}

/**
 * The last frame that readers may have of a turn that is taken over; null if neither the log nor this process knows.
 * The own stretch knows nothing of frames that another process wrote after it.
 */
export function lastSeenSeq({ stored, saved, epoch, own }: SeenFrames): number | null {
  const last = own && isDirectlyBefore(own, epoch) ? own.seq : 0;
  if (stored === 0 && last === 0) return null;
  return Math.max(last, stored === 0 ? saved : stored);
}

/**
 * Whether a turn can be written again from its checkpoint, if the log has none of it. A paused one cannot: readers may
 * have the frames of its pause, which the checkpoint counts and does not have.
 */
export const hasAllFrames = (saved: Pick<Checkpoint, 'finalFrames' | 'state'> | null): boolean =>
  saved !== null && saved.state.phase !== 'waiting' && isFromFirst(saved.finalFrames);

/**
 * Where the frames of a turn go on, if the log ends with `base`. `isCut`: more was lost than is stored with the turn,
 * so readers that need it get STREAM_EXPIRED, and not a text with a hole.
 */
export function startAfter(
  base: number,
  saved: Checkpoint | null,
): { base: number; repeated: readonly string[]; isCut: boolean } {
  if (saved === null || base >= saved.seq) return { base, repeated: [], isCut: false };
  const { finalFrames, state, seq } = saved;
  // An earlier version stored no frames. Those of a pause were written after it, and may be missing alone.
  const isOnlyPause = state.phase === 'waiting' && base >= seq - PAUSE_FRAMES;
  const repeated = finalFrames ? finalFramesAfter(finalFrames, base) : isOnlyPause ? [] : null;
  return repeated === null ? { base: saved.seq, repeated: [], isCut: true } : { base, repeated, isCut: false };
}

function firstUpdate(
  claim: ClaimedTurn,
  state: TurnState,
  seq: { base: number; saved: number },
  interaction: InteractionView | null,
): Update {
  const settled = settledOf(state, interaction);
  switch (claim.reason) {
    case 'cancelled':
      return { type: 'cancelled' };
    case 'expired':
      // A question that is not answered ends its turn; an approval counts as denied.
      if (settled?.type !== 'decided') return { type: 'cancelled' };
      break;
    case 'answered':
    case 'lost':
    case 'released':
      break;
  }
  if (claim.turn.cancelRequested) return { type: 'cancelled' };
  // The answer is stored, and nothing of what follows from it is: it counts, even if the process ended that took
  // it.
  if (settled) return settled;
  if (seq.base === 0 && seq.saved === 0) return { type: 'begin' };
  // Everything after the checkpoint is said again.
  return { type: 'taken-over', fromSeq: seq.saved + 1, at: Date.now() };
}

/** Continues a turn whose pending interaction has been answered or has expired. */
export function settledOf(state: TurnState, interaction: InteractionView | null): Update | null {
  if (state.phase !== 'waiting' || !interaction || state.interaction?.id !== interaction.id) return null;
  const at = Date.now();
  if (interaction.purpose === 'approval') {
    return {
      type: 'decided',
      approved: approvedIds(interaction),
      shown: (interaction.calls ?? []).map((call) => call.call_id),
      denial: denialOf(interaction),
      interaction: { ...interaction },
      at,
    };
  }
  const call = state.calls.find(({ state: stage, name }) => stage !== 'done' && name === 'ask_user');
  if (!call || interaction.status !== 'ANSWERED') return null;
  return { type: 'answered', callId: call.id, output: answerOf(interaction), interaction: { ...interaction }, at };
}
