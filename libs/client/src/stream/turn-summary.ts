import type { Interaction, TokenUsageBody, TurnStatus } from '../records/turn';
import type { EvidenceItem, TurnEvent, TurnEventData } from './turn-event';

interface Delta {
  seq: number;
  messageId: string;
  text: string;
}

/** What the events of a turn add up to, so far. */
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
  private readonly tools = new Map<string, TurnEventData['tool.execution']>();
  private answerId: string | null = null;

  /** The answer; while the turn runs, everything said so far. */
  get text(): string {
    const answer = this.deltas.filter((delta) => delta.messageId === this.answerId);
    return (answer.length > 0 ? answer : this.deltas).map((delta) => delta.text).join('');
  }

  /** What the model has thought in this turn, message after message. */
  get reasoning(): string {
    const messages = new Map<string, string>();
    for (const { messageId, text } of this.thoughts) messages.set(messageId, (messages.get(messageId) ?? '') + text);
    return [...messages.values()].join('\n\n');
  }

  /** Each tool call as its last event left it. */
  get toolExecutions(): TurnEventData['tool.execution'][] {
    return [...this.tools.values()];
  }

  add(event: TurnEvent): void {
    switch (event.name) {
      case 'session.started':
        this.sessionId = event.data.session_id;
        return;
      case 'content.delta':
        this.deltas.push({ seq: event.seq, messageId: event.data.message_id, text: event.data.delta });
        return;
      case 'reasoning.delta':
        this.thoughts.push({ seq: event.seq, messageId: event.data.message_id, text: event.data.delta });
        return;
      case 'step.restarted':
        this.deltas = this.deltas.filter((delta) => delta.seq < event.data.from_seq);
        this.thoughts = this.thoughts.filter((thought) => thought.seq < event.data.from_seq);
        return;
      case 'tool.execution':
        this.tools.set(event.data.tool_call_id, event.data);
        return;
      case 'knowledge.evidence':
        this.evidence.push(...event.data.items);
        return;
      case 'agent.input.required':
        this.interaction = event.data.interaction;
        return;
      case 'response.completed':
        this.answerId = event.data.message_id;
        this.finishReason = event.data.finish_reason;
        this.usage = event.data.token_usage;
        return;
      case 'error.occurred':
        this.error = event.data;
        return;
      case 'stream.ended':
        this.status = event.data.status;
        if (this.status !== 'WAITING_INPUT') this.interaction = null;
        return;
      case 'local.tool.call':
      case 'context.usage':
      case 'turn.persist_pending':
        return;
    }
  }
}
