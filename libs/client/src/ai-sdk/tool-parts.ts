import type { UIMessage } from 'ai';
import type { Answer, Interaction } from '../records/turn';
import { approvalId } from './ui-chunks';

interface ToolPart {
  type: string;
  toolCallId: string;
  state: string;
  output?: unknown;
  errorText?: string;
  providerExecuted?: boolean;
  approval?: { id: string; approved?: boolean; reason?: string };
}

const toolParts = (message: UIMessage): ToolPart[] =>
  message.parts.filter(({ type }) => type.startsWith('tool-') || type === 'dynamic-tool') as unknown as ToolPart[];

/** The decisions about an interaction in the parts of a message; null if one is missing. */
export function decisionOf(message: UIMessage, interaction: Interaction): Answer | null {
  const calls = interaction.calls ?? [];
  const decided = calls.map((call) => {
    const id = approvalId(interaction.id, call.call_id);
    const part = toolParts(message).find(({ approval }) => approval?.id === id);
    return { callId: call.call_id, approved: part?.approval?.approved, reason: part?.approval?.reason };
  });
  if (decided.length === 0 || decided.some(({ approved }) => approved === undefined)) return null;
  const approved = decided.filter((call) => call.approved === true).map(({ callId }) => callId);
  const reasons = decided.filter((call) => call.approved === false && call.reason).map(({ reason }) => reason);
  const otherText = reasons.length > 0 ? reasons.join('\n') : null;
  if (interaction.kind === 'multiple_choice') return { selectedOptionIds: approved, otherText };
  return { selectedOptionIds: [approved.length > 0 ? 'approve' : 'deny'], otherText };
}

export interface HostOutcome {
  callId: string;
  result?: unknown;
  error?: string;
}

/** The host's results of the calls that the turn waits for. */
export const outcomesOf = (message: UIMessage, waiting: readonly string[]): HostOutcome[] =>
  toolParts(message)
    .filter((part) => waiting.includes(part.toolCallId))
    .flatMap(({ toolCallId: callId, state, output, errorText }): HostOutcome[] => {
      if (state === 'output-available') return [{ callId, result: output ?? null }];
      return state === 'output-error' ? [{ callId, error: errorText || 'The tool failed.' }] : [];
    });
