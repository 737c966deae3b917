import type { FinishReason, UIMessageChunk } from 'ai';
import { type FrameHandlers, frameIn, handleFrame } from '../api/turn-frames';
import type { Interaction, TurnStatus } from '../records/turn';
import type { Frame } from '../stream/frame';
import { type EveryTurnEvent, eventOf, handleEvent, type TurnEventFields } from '../stream/turn-event';
import { SentText } from './emitted-text';

type Execution = TurnEventFields<'toolExecution'>;

const FINISH_REASONS: Readonly<Record<string, FinishReason>> = {
  stop: 'stop',
  length: 'length',
  content_filter: 'content-filter',
  tool_calls: 'tool-calls',
};

const ENDS: Readonly<Record<TurnStatus, FinishReason>> = {
  RUNNING: 'other',
  WAITING_INPUT: 'tool-calls',
  COMPLETED: 'stop',
  FAILED: 'error',
  CANCELLED: 'other',
};

/** The name of an approval of one call; an interaction may be about several. */
export const approvalId = (interactionId: string, callId: string): string => `${interactionId}:${callId}`;

/** The answer is part of the question. */
const ASK_USER = 'ask_user';
const isDenied = (execution: Execution): boolean =>
  ['DENIED', 'EXPIRED'].includes((execution.error as { code?: string } | undefined)?.code ?? '');

/** The frames of one turn as the chunks of one UI message, whose id is the turn's. */
export class UiChunks {
  lastSeq = 0;
  sessionId: string | null = null;
  /** The interaction that the turn waits for, until its stream continues. */
  interaction: Interaction | null = null;
  error: { code: string; message: string } | null = null;
  private readonly text = new SentText('text');
  private readonly reasoning = new SentText('reasoning');
  private readonly shownCalls = new Set<string>();
  private readonly requestedCalls = new Set<string>();
  /** Calls that have begun and not ended; true for those that the host has been told to run. */
  private readonly openCalls = new Map<string, boolean>();
  private finishReason: string | null = null;
  private inStep = false;
  private isRestarted = false;

  constructor(
    private readonly turnId: string,
    /** Calls of a replay that already have results: not run again. */
    private readonly settledCalls: ReadonlySet<string> = new Set(),
  ) {}

  /** Nothing will come until the host has handed in what its tools gave. */
  get waitsForHost(): boolean {
    const open = [...this.openCalls.values()];
    return open.length > 0 && open.every((isAnnounced) => isAnnounced);
  }

  get waitingCalls(): string[] {
    return [...this.openCalls].filter(([, isAnnounced]) => isAnnounced).map(([id]) => id);
  }

  /** A stretch of the stream begins again within the same message. */
  start(metadata: object = {}): UIMessageChunk {
    const { turnId, sessionId } = this;
    return { type: 'start', messageId: turnId, messageMetadata: { turnId, sessionId, ...metadata } };
  }

  add(frame: Frame): UIMessageChunk[] {
    this.lastSeq = frame.seq;
    return handleEvent(eventOf(frame), this.events) ?? handleFrame(frameIn(frame), this.messages) ?? [];
  }

  private readonly messages: FrameHandlers<UIMessageChunk[]> = {
    messageStart: () => {
      // The same step once more is no further step.
      const isSameStep = this.isRestarted && this.inStep;
      this.isRestarted = false;
      return isSameStep ? [] : this.nextStep();
    },
    messageFinish: (_, { seq }) => this.finishTexts(seq),
  };

  private nextStep(): UIMessageChunk[] {
    const chunks: UIMessageChunk[] = [...this.endStep(), { type: 'start-step' }];
    this.inStep = true;
    return chunks;
  }

  private endStep(): UIMessageChunk[] {
    const closed = this.closeTexts();
    if (!this.inStep) return closed;
    this.inStep = false;
    return [...closed, { type: 'finish-step' }];
  }

  private finishTexts(seq: number): UIMessageChunk[] {
    return [...this.reasoning.finish(seq, ''), ...this.text.finish(seq, '')];
  }

  private closeTexts(): UIMessageChunk[] {
    return [...this.reasoning.close(), ...this.text.close()];
  }

  private readonly events: EveryTurnEvent<UIMessageChunk[]> = {
    sessionStarted: ({ session_id: sessionId, agent_id: agentId }) => {
      this.sessionId = sessionId;
      return [this.start({ agentId })];
    },
    contentDelta: (data, { seq }) => [...this.reasoning.close(), ...this.text.add(seq, data.message_id, data.delta)],
    reasoningDelta: (data, { seq }) => this.reasoning.add(seq, data.message_id, data.delta),
    stepRestarted: ({ from_seq: fromSeq }) => {
      this.isRestarted = true;
      this.text.restart(fromSeq);
      this.reasoning.restart(fromSeq);
      return [];
    },
    toolExecution: (execution) => this.execution(execution),
    localToolCall: ({ call_id: callId, name, arguments: input }) => {
      this.openCalls.set(callId, true);
      return this.showCall(callId, name, input, 'local');
    },
    knowledgeEvidence: (data, { seq }) => [{ type: 'data-evidence', id: `evidence-${seq}`, data }],
    agentInputRequired: ({ interaction }) => {
      this.interaction = interaction;
      return [...this.closeTexts(), ...this.onQuestion(interaction)];
    },
    responseCompleted: ({ finish_reason: finishReason, token_usage: usage, execution_time: executionTime }) => {
      this.finishReason = finishReason;
      return [{ type: 'message-metadata', messageMetadata: { usage, finishReason, executionTime } }];
    },
    errorOccurred: (error) => {
      this.error = error;
      return [];
    },
    streamEnded: ({ status }) => this.ended(status),
    contextUsage: null,
    turnPersistPending: null,
  };

  private execution(execution: Execution): UIMessageChunk[] {
    const { tool_call_id: toolCallId, name, source, status } = execution;
    if (name === ASK_USER && source === 'builtin') return this.answered(execution);
    this.interaction = null;
    if (status === 'started') {
      if (!this.openCalls.has(toolCallId)) this.openCalls.set(toolCallId, false);
      // The host runs it when it is told to, and not before.
      return source === 'local' ? [] : this.showCall(toolCallId, name, execution.arguments, source);
    }
    this.openCalls.delete(toolCallId);
    const shown = this.showCall(toolCallId, name, execution.arguments, source, true);
    const providerExecuted = source === 'local' ? {} : { providerExecuted: true };
    if (status === 'succeeded')
      return [...shown, { type: 'tool-output-available', toolCallId, output: execution.result, ...providerExecuted }];
    if (this.requestedCalls.has(toolCallId) && isDenied(execution))
      return [...shown, { type: 'tool-output-denied', toolCallId }];
    const errorText = (execution.error as { message?: string } | undefined)?.message ?? 'The tool failed.';
    return [...shown, { type: 'tool-output-error', toolCallId, errorText, ...providerExecuted }];
  }

  /** The question is answered from here on: a replay does not ask again. */
  private answered({ status, result }: Execution): UIMessageChunk[] {
    const { interaction } = this;
    if (status === 'started' || interaction === null) return [];
    this.interaction = null;
    const { selected, otherText } = (result ?? {}) as { selected?: { id: string }[]; otherText?: string };
    const data: Interaction = {
      ...interaction,
      status: status === 'succeeded' ? 'ANSWERED' : 'CANCELLED',
      ...(selected ? { selectedOptionIds: selected.map(({ id }) => id) } : {}),
      ...(otherText ? { otherText } : {}),
    };
    return [{ type: 'data-question', id: interaction.id, data }];
  }

  /** The tools of the host have parts with their names; all others are dynamic, and the client does not run them. */
  private showCall(
    toolCallId: string,
    toolName: string,
    input: unknown,
    source: Execution['source'],
    isDone = false,
  ): UIMessageChunk[] {
    if (this.shownCalls.has(toolCallId)) return [];
    this.shownCalls.add(toolCallId);
    const call = { type: 'tool-input-available' as const, toolCallId, toolName, input };
    const closed = this.closeTexts();
    if (source !== 'local') return [...closed, { ...call, dynamic: true, providerExecuted: true }];
    return [...closed, isDone || this.settledCalls.has(toolCallId) ? { ...call, providerExecuted: true } : call];
  }

  private onQuestion(interaction: Interaction): UIMessageChunk[] {
    if (interaction.purpose !== 'approval') return [{ type: 'data-question', id: interaction.id, data: interaction }];
    return (interaction.calls ?? []).flatMap((call): UIMessageChunk[] => {
      this.requestedCalls.add(call.call_id);
      return [
        ...this.showCall(call.call_id, call.name, call.arguments, 'builtin'),
        {
          type: 'tool-approval-request',
          approvalId: approvalId(interaction.id, call.call_id),
          toolCallId: call.call_id,
        },
      ];
    });
  }

  private ended(status: TurnStatus): UIMessageChunk[] {
    const finishReason = status === 'COMPLETED' ? (FINISH_REASONS[this.finishReason ?? ''] ?? 'other') : ENDS[status];
    return [
      // A step that was to be said anew, and never was, has said nothing.
      ...this.finishTexts(this.lastSeq),
      ...this.endStep(),
      ...(status === 'CANCELLED' ? [{ type: 'abort' as const }] : []),
      { type: 'finish', finishReason, messageMetadata: { status } },
    ];
  }
}
