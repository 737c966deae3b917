import type { InteractionForm } from '@switchyard/contracts';
import { digestOf } from './approval-matching';
import { readForm } from './ask-user-arguments';
import type { CallApproval, OpenCall, ToolOutcome, TurnFacts } from './turn-state';

/** The decision about a call before it runs; null allows it. */
export function beforeRun(facts: TurnFacts, call: OpenCall): ToolOutcome | null {
  if (call.refusal) return { status: 'failed', ...call.refusal };
  if (call.name === 'ask_user' && !facts.canAsk) {
    return {
      status: 'failed',
      code: 'INTERACTION_REQUIRED',
      message:
        'Nobody can be asked here: this call has no session in which a question could wait. Go on without an answer.',
    };
  }
  if (facts.askMode && call.action) {
    return {
      status: 'skipped',
      code: 'TOOL_NOT_EXECUTED',
      message: 'The user only asks: tools that change something are not executed in this mode.',
    };
  }
  if (call.approval) return beforeApproved(facts, call, call.approval);
  return null;
}

/** The last look before an approved call runs: it was approved, and is what was shown. */
function beforeApproved(facts: TurnFacts, call: OpenCall, approval: CallApproval): ToolOutcome | null {
  if (!facts.canAsk) {
    return {
      status: 'failed',
      code: 'APPROVAL_REQUIRED',
      message: 'This call needs an approval, and without a session nobody can be asked. Go on without it.',
    };
  }
  if (approval.decision === 'APPROVED' && digestOf(call.arguments) !== approval.digest)
    return { status: 'failed', code: 'APPROVAL_REQUIRED', message: 'This is not the call that was approved.' };
  return null;
}

/** The question of an `ask_user` call, or what the model is told where it is none. */
export function formOf(call: OpenCall): { form: InteractionForm } | { outcome: ToolOutcome } {
  const read = readForm(call.arguments);
  if ('form' in read) return read;
  return {
    outcome: { status: 'failed', code: 'INVALID_ARGUMENTS', message: `The question cannot be asked: ${read.problem}.` },
  };
}
