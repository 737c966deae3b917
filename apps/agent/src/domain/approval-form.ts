import { type ApprovalRequest, type Approver, bothApprovers, type InteractionForm } from '@switchyard/contracts';
import { canonicalJson } from '@switchyard/kernel';
import type { OpenCall, TurnState } from './turn-state';

const LABEL_CHARS = 1000;
const DESCRIPTION_CHARS = 4000;
/** An interaction has at most so many options; the calls beyond wait for the next one. */
const CALLS_AT_ONCE = 100;

/** Calls that must not run before a decision. */
export const undecidedCalls = (state: TurnState): OpenCall[] =>
  state.calls.filter((call) => isUndecided(call)).slice(0, CALLS_AT_ONCE);

export const isUndecided = (call: OpenCall): boolean =>
  call.state !== 'done' && call.approval !== undefined && call.approval.decision !== 'APPROVED';

/** The approval as a plain choice, which every client of interactions supports. */
export function approvalForm(calls: readonly OpenCall[]): { form: InteractionForm; approval: ApprovalRequest } {
  const by = calls.reduce<Approver>((all, { approval }) => bothApprovers(all, approval?.by ?? 'USER'), 'USER');
  const approval = {
    by,
    calls: calls.map((call) => ({
      call_id: call.id,
      name: call.name,
      source: call.source,
      arguments: call.arguments,
      digest: call.approval?.digest ?? '',
    })),
  };
  const [first] = calls;
  if (calls.length === 1 && first) {
    const options = [
      { id: 'approve', label: 'Approve', description: shown(first) },
      { id: 'deny', label: 'Deny' },
    ];
    const prompt = `The agent wants to run ${first.name}. May it?`;
    return { form: { kind: 'single_choice', prompt, options, allowOther: true }, approval };
  }
  const prompt = `The agent wants to run ${calls.length} tools. Select those that may run.`;
  const options = calls.map((call) => ({
    id: call.id,
    label: call.name.slice(0, LABEL_CHARS),
    description: shown(call),
  }));
  return { form: { kind: 'multiple_choice', prompt, options, allowOther: true, minSelections: 0 }, approval };
}

const shown = (call: OpenCall): string => canonicalJson(call.arguments).slice(0, DESCRIPTION_CHARS).toWellFormed();

export function denialOf(interaction: { status: string; otherText?: string | null }): string {
  if (interaction.status === 'EXPIRED') return 'This call was not approved in time. It was not run.';
  const reason = interaction.otherText ?? '';
  return reason === '' ? 'This call was denied. It was not run.' : `This call was denied, and was not run: ${reason}`;
}
