import {
  type EveryProductEvent,
  handleFrame,
  isFrame,
  PRODUCT_EVENTS,
  type ProductFields,
  type ReadDelta,
  type TurnFrame,
} from '@switchyard/contracts';
import type { JsonObject } from '@switchyard/kernel';
import type { DeltaTemplate, Projection, ProtocolEvent } from '../../turn-events/protocol-projection';
import { callName } from '../../turn-events/client-call-ids';
import { failureMessage } from '../../turn-events/turn-failure-from-frame';
import { SegmentUsage } from '../../turn-events/segment-usage';
import { TurnSegments } from '../../turn-events/turn-segments';
import { interruptOf } from './interrupt-schema';
import { ownToolId } from './platform-tool-ids';

export interface RunContext {
  threadId: string;
  runId: string;
  turnId: string;
  /** The segment of the turn that this run shows: by its number, or the one after an interaction. */
  from: { segment: number } | { interactionId: string };
  /** The client's state: if output of this run became void, it gets a full snapshot. */
  messages: readonly JsonObject[];
}

interface TextEntry {
  id: string;
  kind: 'text' | 'reasoning';
  /** Under which name the model's words were streamed. */
  messageId: string;
  pieces: { seq: number; text: string }[];
  deltas: DeltaTemplate;
}

type RunEntry = TextEntry | JsonObject;

const isTextEntry = (entry: RunEntry): entry is TextEntry => 'pieces' in entry;
function deltaTemplateOf(kind: TextEntry['kind'], id: string): DeltaTemplate {
  const head = `{"type":"${kind === 'text' ? 'TEXT_MESSAGE_CONTENT' : 'REASONING_MESSAGE_CONTENT'}","timestamp":`;
  const tail = `,"messageId":${JSON.stringify(id)},"delta":`;
  return { start: ({ timestamp }) => `${head}${timestamp}${tail}`, end: '}' };
}
const DELTA_KINDS = { [PRODUCT_EVENTS.contentDelta]: 'text', [PRODUCT_EVENTS.reasoningDelta]: 'reasoning' } as const;
const textOf = ({ pieces }: TextEntry): string => pieces.map(({ text }) => text).join('');
const stringOrJson = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value ?? null));

/** One segment of a turn as the events of an AG-UI run. */
export class AgUiProjection implements Projection {
  private readonly segments = new TurnSegments();
  private readonly usage = new SegmentUsage();
  /** Messages that this run has added to its thread. */
  private readonly added: RunEntry[] = [];
  private open: TextEntry | null = null;
  private readonly toolExecutions = new Map<string, { isOver: boolean }>();
  private readonly ids = new Set<string>();
  private readonly pendingToolCallIds: string[] = [];
  private segment: number;
  private steps = 0;
  private step: string | null = null;
  private interrupt: JsonObject | null = null;
  private error: { code: string; message: string } | null = null;
  private hasBegun = false;
  private ended = false;
  private events: ProtocolEvent[] = [];
  private now = 0;
  /** The messages of the thread that are not of this run. */
  private earlierMessages: readonly JsonObject[];

  private readonly handlers: EveryProductEvent = {
    messageStart: () => this.nextStep(),
    sessionStarted: null,
    contentDelta: (data, { seq }) => this.onDelta('text', data, seq),
    reasoningDelta: (data, { seq }) => this.onDelta('reasoning', data, seq),
    toolExecution: (data) => this.onToolExecution(data),
    knowledgeEvidence: null,
    agentInputRequired: ({ interaction }) => {
      this.interrupt = interruptOf(interaction);
    },
    localToolCall: (data) => this.onLocalToolCall(data),
    contextUsage: null,
    responseCompleted: null,
    turnPersistPending: null,
    stepRestarted: (data) => this.onStepRestarted(data.from_seq),
    errorOccurred: (fields) => {
      this.error = { code: fields.code, message: failureMessage(fields) };
    },
    streamEnded: null,
  };

  constructor(private readonly context: RunContext) {
    this.earlierMessages = context.messages;
    this.segment = 'segment' in context.from ? context.from.segment : Number.POSITIVE_INFINITY;
  }

  get isOver(): boolean {
    return this.ended;
  }

  read(frame: TurnFrame): ProtocolEvent[] {
    this.events = [];
    this.now = frame.timestamp;
    const { number } = this.segments;
    const isMine = number === this.segment;
    this.usage.read(frame, number < this.segment);
    if (isMine) {
      if (!this.hasBegun) this.begin();
      handleFrame(frame, this.handlers);
    } else this.findSegment(frame, number);
    if (this.segments.read(frame) && isMine) this.finish(frame);
    return this.events;
  }

  readDelta(read: ReadDelta): DeltaTemplate | null {
    const entry = this.open;
    if (entry?.kind !== DELTA_KINDS[read.event] || !read.isOf(entry.messageId)) return null;
    entry.pieces.push({ seq: read.seq, text: read.delta });
    return entry.deltas;
  }

  cutOff({ code, message }: { code: string; message: string }): ProtocolEvent[] {
    return [{ data: { type: 'RUN_ERROR', timestamp: Date.now(), code, message } }];
  }

  private begin(): void {
    this.hasBegun = true;
    const { threadId, runId, turnId } = this.context;
    this.send('RUN_STARTED', { threadId, runId, protocolVersion: '1.0', metadata: { turnId } });
  }

  /** Finds the interaction after which this run continues. */
  private findSegment(frame: TurnFrame, number: number): void {
    const { from } = this.context;
    if (!('interactionId' in from) || !isFrame(frame, 'agentInputRequired')) return;
    if (frame.data.interaction.id === from.interactionId) this.segment = number + 1;
  }

  /** A step is one call of a model, and the tools that it asks for. */
  private nextStep(): void {
    this.endStep();
    this.steps += 1;
    this.step = `step ${this.steps}`;
    this.send('STEP_STARTED', { stepName: this.step });
  }

  private endStep(): void {
    this.close();
    if (this.step !== null) this.send('STEP_FINISHED', { stepName: this.step });
    this.step = null;
  }

  private onDelta(kind: TextEntry['kind'], data: ProductFields<'contentDelta'>, seq: number): void {
    const { message_id: messageId, delta } = data;
    if (this.open?.kind !== kind || this.open.messageId !== messageId) {
      this.close();
      const id = this.newId(kind === 'text' ? messageId : `${messageId}_reasoning`);
      this.removeFromClient(id);
      this.open = { id, kind, messageId, pieces: [], deltas: deltaTemplateOf(kind, id) };
      this.added.push(this.open);
      if (kind === 'text') this.send('TEXT_MESSAGE_START', { messageId: id, role: 'assistant' });
      else {
        this.send('REASONING_START', { messageId: id });
        this.send('REASONING_MESSAGE_START', { messageId: id, role: 'reasoning' });
      }
    }
    this.open.pieces.push({ seq, text: delta });
    const { deltas } = this.open;
    this.events.push({ data: `${deltas.start({ timestamp: this.now })}${JSON.stringify(delta)}${deltas.end}` });
  }

  private close(): void {
    const entry = this.open;
    if (!entry) return;
    this.open = null;
    if (entry.kind === 'text') this.send('TEXT_MESSAGE_END', { messageId: entry.id });
    else {
      this.send('REASONING_MESSAGE_END', { messageId: entry.id });
      this.send('REASONING_END', { messageId: entry.id });
    }
  }

  /**
   * The step runs again: its messages are closed and removed, and sent again under another id. Reasoning messages stay
   * at the client until a snapshot empties them.
   */
  private onStepRestarted(fromSeq: number): void {
    this.endStep();
    const voidEntries: TextEntry[] = [];
    for (const entry of this.added.filter(isTextEntry)) {
      const retained = entry.pieces.filter(({ seq }) => seq < fromSeq);
      if (retained.length < entry.pieces.length) voidEntries.push(entry);
      entry.pieces = retained;
    }
    if (voidEntries.length === 0) return;
    const thoughts = voidEntries.filter(({ kind, pieces }) => kind === 'reasoning' && pieces.length === 0);
    this.sendSnapshot(thoughts.map(({ id }) => ({ id, role: 'reasoning', content: '' })));
  }

  /**
   * If the client has this message from an earlier connection, new deltas would be appended to it: remove it and all
   * after it.
   */
  private removeFromClient(id: string): void {
    const at = this.earlierMessages.findIndex((message) => message['id'] === id);
    if (at === -1) return;
    const thoughts = this.earlierMessages.slice(at).filter(({ role }) => role === 'reasoning');
    this.earlierMessages = this.earlierMessages.slice(0, at);
    this.sendSnapshot(thoughts.map((message) => ({ ...message, content: '' })));
  }

  private sendSnapshot(more: JsonObject[] = []): void {
    const added = this.added.flatMap((entry): JsonObject[] => {
      if (!isTextEntry(entry)) return [entry];
      const role = entry.kind === 'text' ? 'assistant' : 'reasoning';
      return entry.pieces.length === 0 ? [] : [{ id: entry.id, role, content: textOf(entry) }];
    });
    this.send('MESSAGES_SNAPSHOT', { messages: [...this.earlierMessages, ...added, ...more] });
  }

  private onToolExecution(execution: ProductFields<'toolExecution'>): void {
    const { name, source, status, result, error } = execution;
    // Tools of the client have its own results; questions interrupt the run.
    if (source === 'local' || name === 'ask_user') return;
    const id = ownToolId(this.context.turnId, execution.tool_call_id);
    let run = this.toolExecutions.get(id);
    if (!run) {
      run = { isOver: false };
      this.toolExecutions.set(id, run);
      this.sendToolCall(id, name, execution.arguments);
    }
    // A repeated frame, or a restart after a crash, is the same call.
    if (status === 'started' || run.isOver) return;
    run.isOver = true;
    const content = error ? `${error.code}: ${error.message}` : stringOrJson(result);
    const messageId = `${id}_result`;
    this.send('TOOL_CALL_RESULT', { messageId, toolCallId: id, content, role: 'tool' });
    this.added.push({ id: messageId, role: 'tool', toolCallId: id, content });
  }

  private onLocalToolCall({ call_id: callId, name, arguments: args }: ProductFields<'localToolCall'>): void {
    const id = callName({ turnId: this.context.turnId, segment: this.segment, callId });
    if (this.pendingToolCallIds.includes(id)) return;
    this.pendingToolCallIds.push(id);
    this.sendToolCall(id, name, args);
  }

  private sendToolCall(id: string, name: string, args: unknown): void {
    this.close();
    this.removeFromClient(id);
    const text = JSON.stringify(args ?? {});
    this.send('TOOL_CALL_START', { toolCallId: id, toolCallName: name });
    this.send('TOOL_CALL_ARGS', { toolCallId: id, delta: text });
    this.send('TOOL_CALL_END', { toolCallId: id });
    const toolCalls = [{ id, type: 'function', function: { name, arguments: text } }];
    this.added.push({ id, role: 'assistant', toolCalls });
  }

  private finish(frame: TurnFrame): void {
    this.endStep();
    this.ended = true;
    const status = isFrame(frame, 'streamEnded') ? frame.data.status : 'WAITING_TOOLS';
    const { input, output } = this.usage.tokens;
    const usage = [{ inputTokens: input, outputTokens: output, totalTokens: input + output }];
    if (status === 'FAILED') {
      this.error ??= { code: 'INTERNAL_ERROR', message: 'The turn failed.' };
      this.send('RUN_ERROR', { ...this.error, usage });
      return;
    }
    const { threadId, runId } = this.context;
    this.send('RUN_FINISHED', { threadId, runId, outcome: this.outcome(status), usage });
  }

  private outcome(status: string): JsonObject {
    if (status === 'CANCELLED') return { type: 'cancelled' };
    if (status === 'WAITING_INPUT' && this.interrupt) return { type: 'interrupt', interrupts: [this.interrupt] };
    return { type: 'success', ...(status === 'WAITING_TOOLS' ? { pendingToolCallIds: this.pendingToolCallIds } : {}) };
  }

  private newId(baseId: string): string {
    let id = baseId;
    for (let n = 2; this.ids.has(id); n += 1) id = `${baseId}_${n}`;
    this.ids.add(id);
    return id;
  }

  private send(type: string, fields: object): void {
    this.events.push({ data: { type, timestamp: this.now, ...fields } });
  }
}
