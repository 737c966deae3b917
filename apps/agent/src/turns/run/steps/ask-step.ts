import type { ApprovalRequest, InteractionForm } from '@switchyard/contracts';
import { newId } from '@switchyard/kernel';
import { approvalForm, undecidedCalls } from '../../../domain/approval-form';
import { PAUSE_FRAMES } from '../../../domain/turn-reducer';
import { storedResult, turnResult } from '../../../domain/turn-outcome';
import type { TurnState } from '../../../domain/turn-state';
import type { TurnDeps } from '../turn-deps';
import type { TurnExecution } from '../turn-execution';

/**
 * Stores the question and releases the turn: the process that gets the answer continues it. Returns the stored turn;
 * null if it continues here, because there is no question or it was stopped first.
 */
export async function ask(turn: TurnExecution, services: TurnDeps, callId: string): Promise<TurnState | null> {
  const call = turn.state.calls.find(({ id }) => id === callId);
  if (!call) return null;
  const form = services.rules.formOf(call);
  if ('outcome' in form) {
    turn.apply({ type: 'tool-settled', callId, outcome: form.outcome, at: Date.now() });
    return null;
  }
  return pause(turn, services, { form: form.form });
}

/** Puts the calls that need an approval before those who may give it: one interaction for all of a step. */
export async function askApproval(turn: TurnExecution, services: TurnDeps): Promise<TurnState | null> {
  const calls = undecidedCalls(turn.state);
  return calls.length === 0 ? null : pause(turn, services, approvalForm(calls));
}

async function pause(
  turn: TurnExecution,
  services: TurnDeps,
  request: { form: InteractionForm; approval?: ApprovalRequest },
): Promise<TurnState | null> {
  const interactionId = newId();
  const { workedMs } = turn;
  const waiting: TurnState = { ...turn.state, phase: 'waiting', workedMs };
  const finalFrames = turn.feed.unconfirmed();
  const interaction = await services.session.pause(
    turn.spec.ctx,
    {
      ...turn.lease,
      state: {
        state: { ...waiting, interaction: { id: interactionId } },
        seq: turn.feed.seq + PAUSE_FRAMES,
        finalFrames,
      },
      interactionId,
      ...request,
      result: storedResult(turn.spec.facts, turnResult(turn.spec.facts, waiting, workedMs), finalFrames),
    },
    turn.signal,
  );
  if (turn.isStopped() || interaction === null) return null;
  if (interaction.status !== 'PENDING') {
    // A cancel came first, and its signal has not been heard here yet.
    turn.interrupt({ type: 'cancelled' });
    return null;
  }
  turn.apply({ type: 'asked', interaction: { ...interaction } });
  return { ...turn.state, workedMs };
}
