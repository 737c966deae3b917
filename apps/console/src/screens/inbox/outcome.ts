import type { InboxInteraction, Message } from '@switchyard/client';
import type { Tone } from '../../api/status';
import { textOfAnswer } from '../../ui/interaction-answer';
import { textOf } from './last-messages';

export interface Verdict {
  tone: Tone;
  words: string;
  /** A free text of the answer. */
  note: string | null;
}

/** The decision in one or two words. */
export function verdictOf(interaction: InboxInteraction): Verdict {
  const { purpose, status, kind, calls = [], selectedOptionIds = [], otherText } = interaction;
  const note = otherText?.trim() ? otherText : null;
  if (status === 'EXPIRED') return { tone: 'bad', words: 'Expired', note: null };
  if (status === 'CANCELLED') return { tone: 'none', words: 'Cancelled', note: null };
  if (purpose === 'question') {
    return { tone: 'good', words: 'Answered', note: textOfAnswer(interaction) || null };
  }
  if (kind === 'multiple_choice') {
    const count = selectedOptionIds.length;
    return { tone: count > 0 ? 'good' : 'bad', words: `${count} of ${calls.length} approved`, note };
  }
  return selectedOptionIds.includes('approve')
    ? { tone: 'good', words: 'Approved', note }
    : { tone: 'bad', words: 'Denied', note };
}

export interface DecisionOutcome {
  /** Results of the calls that were decided on. */
  results: { tool: string; text: string; executionId: string | null }[];
  /** The last text of the agent. */
  answer: string | null;
}

/** Results and answer, as the messages of its turn show them. */
export function outcomeOf(interaction: InboxInteraction, messages: readonly Message[]): DecisionOutcome {
  const { kind, calls = [], selectedOptionIds = [] } = interaction;
  const isApproved = ({ call_id: callId }: { call_id: string }): boolean =>
    selectedOptionIds.includes(kind === 'multiple_choice' ? callId : 'approve');
  const results = calls.filter(isApproved).flatMap(({ call_id: callId, name }) => {
    const message = messages.find(({ role, toolCallId }) => role === 'tool' && toolCallId === callId);
    return message ? [{ tool: name, text: textOf(message), executionId: executionIn(textOf(message)) }] : [];
  });
  const last = messages.findLast((message) => message.role === 'assistant' && textOf(message) !== '');
  return { results, answer: last ? textOf(last) : null };
}

function executionIn(text: string): string | null {
  try {
    const value: unknown = JSON.parse(text);
    const id = typeof value === 'object' && value !== null && 'executionId' in value ? value.executionId : null;
    return typeof id === 'string' ? id : null;
  } catch {
    return null;
  }
}
