import type { Interaction, TokenUsageBody, TurnStatus } from '../records/turn';
import {
  type EveryTurnEvent,
  type EvidenceItem,
  handleEvent,
  type TurnEvent,
  type TurnEventFields,
} from './turn-event';

interface Delta {
  seq: number;
  messageId: string;
  text: string;
}

/** Current state of a turn, from its events. */
export class TurnSummary {
  status: TurnStatus = 'RUNNING';
  sessionId: string | null = null;
  /** The question that the turn waits with, once it has stopped for one. */
  interaction: Interaction | null = null;
  error: { code: string; message: string; retryable: boolean } | null = null;
  finishReason: string | null = null;
  usage: TokenUsageBody | null = null;
  readonly evidence: EvidenceItem[] = [];
  private deltas: Delta[] = [];
  private thoughts: Delta[] = [];
  private readonly tools = new Map<string, TurnEventFields<'toolExecution'>>();
  private answerId: string | null = null;

  /** The answer; while the turn runs, everything said so far. */
  get text(): string {
    const answer = this.deltas.filter((delta) => delta.messageId === this.answerId);
    return (answer.length > 0 ? answer : this.deltas).map((delta) => delta.text).join('');
  }

  /** The model's reasoning in this turn, message after message. */
  get reasoning(): string {
    const messages = new Map<string, string>();
    for (const { messageId, text } of this.thoughts) messages.set(messageId, (messages.get(messageId) ?? '') + text);
    return [...messages.values()].join('\n\n');
  }

  /** Each tool call as its last event left it. */
  get toolExecutions(): TurnEventFields<'toolExecution'>[] {
    return [...this.tools.values()];
  }

  add(event: TurnEvent): void {
    handleEvent(event, this.handlers);
  }

  private readonly handlers: EveryTurnEvent = {
    sessionStarted: ({ session_id: sessionId }) => {
      this.sessionId = sessionId;
    },
    contentDelta: ({ message_id: messageId, delta }, { seq }) => {
      this.deltas.push({ seq, messageId, text: delta });
    },
    reasoningDelta: ({ message_id: messageId, delta }, { seq }) => {
      this.thoughts.push({ seq, messageId, text: delta });
    },
    stepRestarted: ({ from_seq: fromSeq }) => {
      this.deltas = this.deltas.filter(({ seq }) => seq < fromSeq);
      this.thoughts = this.thoughts.filter(({ seq }) => seq < fromSeq);
    },
    toolExecution: (execution) => {
      this.tools.set(execution.tool_call_id, execution);
    },
    knowledgeEvidence: ({ items }) => {
      this.evidence.push(...items);
    },
    agentInputRequired: ({ interaction }) => {
      this.interaction = interaction;
    },
    responseCompleted: (completed) => {
      this.answerId = completed.message_id;
      this.finishReason = completed.finish_reason;
      this.usage = completed.token_usage;
    },
    errorOccurred: (error) => {
      this.error = error;
    },
    streamEnded: ({ status }) => {
      this.status = status;
      if (status !== 'WAITING_INPUT') this.interaction = null;
    },
    localToolCall: null,
    contextUsage: null,
    turnPersistPending: null,
  };
}
