import {
  type EveryProductEvent,
  handleFrame,
  isFrame,
  PRODUCT_EVENTS,
  type ProductFields,
  type ReadDelta,
  type TurnFrame,
  type TurnFrameKinds,
} from '@switchyard/contracts';
import type { JsonObject } from '@switchyard/kernel';
import { callName } from '../../turn-events/client-call-ids';
import { failureMessage } from '../../turn-events/turn-failure-from-frame';
import type { Projection, ProtocolEvent } from '../../turn-events/protocol-projection';
import { TurnSegments } from '../../turn-events/turn-segments';
import { aiMessage, toolCallOf, toolMessage, stringOrJson } from './langgraph-messages';

export interface RunContext {
  threadId: string;
  turnId: string;
  /** The number before the first event of this turn. */
  firstEventOffset: number;
  /** Events that the reader already has. */
  lastReceived: number;
  isSubscribed: (channel: string) => boolean;
}

type DeltaKind = 'text' | 'reasoning';
const DELTA_KINDS = { [PRODUCT_EVENTS.contentDelta]: 'text', [PRODUCT_EVENTS.reasoningDelta]: 'reasoning' } as const;

interface MessageEntry {
  kind: 'ai';
  id: string;
  /** Under which name the model's words were streamed. */
  messageId: string;
  seq: number;
  pieces: { seq: number; type: DeltaKind; text: string }[];
  calls: JsonObject[];
  usage: JsonObject | null;
}

type ToolCall = TurnFrameKinds['toolStarted' | 'toolFinished' | 'toolFailed']['data'];
type ThreadEntry = MessageEntry | { kind: 'tool'; message: JsonObject };

const textOf = ({ pieces }: MessageEntry, id: DeltaKind): string =>
  pieces.map(({ type, text }) => (type === id ? text : '')).join('');

const CHANNELS: Record<string, string> = { 'input.requested': 'input', 'input.answered': 'input' };
const VOID_ERROR = { message: 'The step is run again: what this message has said is void.', code: 'STEP_RESTARTED' };

/** A turn in the events of a run of LangGraph's streaming protocol, version 2. */
export class LangGraphProjection implements Projection {
  /** No more frames follow: the turn has ended, and does not only wait. */
  isOver = false;
  /** It has paused for an answer of its user: frames follow when that is given. */
  isWaiting = false;
  private readonly segments = new TurnSegments();
  /** Messages that this turn has added to its thread. */
  private readonly added: ThreadEntry[] = [];
  private readonly ids = new Set<string>();
  private readonly startedToolCalls = new Set<string>();
  private readonly settledToolCalls = new Set<string>();
  private readonly executedToolCalls = new Set<string>();
  private open: MessageEntry | null = null;
  private block: { index: number; type: DeltaKind; text: string } | null = null;
  private blocks = 0;
  /** Pending interrupts of the turn, by the id with which they are answered. */
  private interrupts: { id: string; value: unknown }[] = [];
  private isInterrupted = false;
  private error: string | undefined;
  private graph: JsonObject = {};
  private count = 0;
  private events: ProtocolEvent[] = [];
  private now = 0;

  /** Whether the client subscribes to the platform's own events. */
  private readonly includesProduct: boolean;

  private readonly handlers: EveryProductEvent = {
    lifecycle: (data) => this.onLifecycle(data),
    messageStart: ({ id, metadata }, { seq }) => this.startMessage(id, metadata, seq),
    blockStart: (data) => this.onBlockStart(data),
    blockFinish: (data) => this.onBlockFinish(data),
    messageFinish: (data) => this.onMessageFinish(data),
    toolStarted: (data) =>
      this.sendToolEvent(this.startedToolCalls, data, { tool_name: data.tool_name, input: data.input }),
    toolFinished: (data) => this.sendToolEvent(this.settledToolCalls, data, { output: data.output }),
    toolFailed: (data) => this.sendToolEvent(this.settledToolCalls, data, { message: data.message, code: data.code }),
    sessionStarted: null,
    contentDelta: (data, { seq }) => this.onDelta('text', data, seq),
    reasoningDelta: (data, { seq }) => this.onDelta('reasoning', data, seq),
    toolExecution: (data) => this.onToolExecution(data),
    knowledgeEvidence: null,
    agentInputRequired: ({ interaction }) => {
      this.interrupts = [{ id: interaction.id, value: interaction }];
    },
    localToolCall: (data) => this.onLocalToolCall(data),
    contextUsage: null,
    responseCompleted: null,
    turnPersistPending: null,
    stepRestarted: (data) => this.onStepRestarted(data.from_seq),
    errorOccurred: (fields) => {
      this.error = `${fields.code}: ${failureMessage(fields)}`;
    },
    streamEnded: null,
  };

  constructor(private readonly context: RunContext) {
    this.includesProduct = context.isSubscribed('custom:service');
  }

  read(frame: TurnFrame): ProtocolEvent[] {
    this.events = [];
    this.now = frame.timestamp;
    this.isWaiting = false;
    handleFrame(frame, this.handlers);
    if (frame.method === 'custom:service')
      this.send('custom', () => ({ name: 'service', payload: frame.data }), 'custom:service');
    if (this.segments.read(frame)) {
      if (isFrame(frame, 'streamEnded')) this.end(frame.data.status);
      else this.pause();
    }
    return this.events;
  }

  readDelta(read: ReadDelta): string | null {
    const { open, block } = this;
    const type = DELTA_KINDS[read.event];
    if (!open || block?.type !== type || this.includesProduct || !read.isOf(open.messageId)) return null;
    this.isWaiting = false;
    const text = read.delta;
    block.text += text;
    open.pieces.push({ seq: read.seq, type, text });
    const at = this.nextSubscribed('messages');
    // The custom event of this delta takes a number too.
    this.count += 1;
    if (at === null) return '';
    const id = String(at);
    return `id: ${id}\nevent: messages\ndata: ${deltaOf(id, read.timestampText, block, read.escaped)}\n\n`;
  }

  private onLifecycle({ event, graph_name: name }: TurnFrameKinds['lifecycle']['data']): void {
    this.graph = { graph_name: name };
    // The end is sent by `end`.
    if (event === 'started') {
      this.send('lifecycle', () => ({ event, ...this.graph }));
      this.sendValues();
    } else if (event === 'running') this.sendRunning();
  }

  private sendRunning(): void {
    const answered = this.interrupts.map(({ id }) => id);
    this.interrupts = [];
    this.isInterrupted = false;
    if (answered.length > 0) this.send('input.answered', () => ({ interrupt_ids: answered }));
    this.send('lifecycle', () => ({ event: 'running', ...this.graph }));
  }

  private onBlockStart({ content }: TurnFrameKinds['blockStart']['data']): void {
    if (content.type !== 'tool_call_chunk') return;
    this.closeBlock();
    this.send('messages', () => ({ event: 'content-block-start', index: this.blocks, content }));
  }

  private onBlockFinish({ content }: TurnFrameKinds['blockFinish']['data']): void {
    if (content.type === 'tool_call') this.onToolCall(content);
    else this.closeBlock();
  }

  private startMessage(messageId: string, metadata: object, seq: number): void {
    this.block = null;
    this.blocks = 0;
    const id = this.newId(messageId);
    this.open = { kind: 'ai', id, messageId, seq, pieces: [], calls: [], usage: null };
    this.added.push(this.open);
    const { threadId, turnId } = this.context;
    this.send('messages', () => ({
      event: 'message-start',
      role: 'ai',
      id,
      metadata: { ...metadata, run_id: turnId, thread_id: threadId },
    }));
  }

  private onDelta(type: DeltaKind, data: ProductFields<'contentDelta'>, seq: number): void {
    const { message_id: messageId, delta: text } = data;
    if (this.open?.messageId !== messageId) this.startMessage(messageId, {}, seq);
    if (this.block?.type !== type) {
      this.closeBlock();
      const index = this.blocks;
      this.block = { index, type, text: '' };
      this.blocks += 1;
      this.send('messages', () => ({ event: 'content-block-start', index, content: { type, [type]: '' } }));
    }
    const { block } = this;
    block.text += text;
    this.open?.pieces.push({ seq, type, text });
    this.sendDelta(block.index, type, text);
  }

  private closeBlock(): void {
    const { block } = this;
    if (!block) return;
    this.block = null;
    const { index, type, text } = block;
    this.send('messages', () => ({ event: 'content-block-finish', index, content: { type, [type]: text } }));
  }

  private onToolCall({ id, name, args }: { id: string; name: string; args: unknown }): void {
    const index = this.blocks;
    this.blocks += 1;
    const content = toolCallOf(id, name, args);
    this.open?.calls.push(content);
    this.send('messages', () => ({ event: 'content-block-finish', index, content }));
  }

  private onMessageFinish({ usage }: TurnFrameKinds['messageFinish']['data']): void {
    this.closeBlock();
    const { input_tokens, output_tokens, total_tokens } = usage;
    const used = { input_tokens, output_tokens, total_tokens };
    if (this.open) this.open.usage = used;
    this.open = null;
    this.send('messages', () => ({ event: 'message-finish', usage: used }));
  }

  /** A call may start again after a crash, and its frames may be repeated: it is one call. */
  private sendToolEvent(done: Set<string>, { event, tool_call_id: id }: ToolCall, fields: object): void {
    if (done.has(id)) return;
    done.add(id);
    this.send('tools', () => ({ event, tool_call_id: id, ...fields }));
  }

  private onToolExecution({ tool_call_id: callId, name, status, result, error }: ProductFields<'toolExecution'>): void {
    if (status === 'started' || this.executedToolCalls.has(callId)) return;
    this.executedToolCalls.add(callId);
    if (this.isInterrupted) this.sendRunning();
    const content = error ? `${error.code}: ${error.message}` : stringOrJson(result);
    const id = `${this.context.turnId}_${callId}`;
    const message = toolMessage({ id, callId, name, content, failed: error !== undefined });
    this.added.push({ kind: 'tool', message });
  }

  /** In the form in which LangGraph's clients run their own tools. */
  private onLocalToolCall({ call_id: callId, name, arguments: args }: ProductFields<'localToolCall'>): void {
    const id = callName({ turnId: this.context.turnId, segment: this.segments.number, callId });
    if (this.interrupts.some(({ value }) => (value as { toolCall?: JsonObject }).toolCall?.['id'] === callId)) return;
    const toolCall = { id: callId, name, args: args ?? {} };
    this.interrupts.push({ id, value: { type: 'tool', toolCall } });
  }

  /** The step's output is closed and withdrawn, then sent again under another id. */
  private onStepRestarted(fromSeq: number): void {
    if (this.open) {
      this.block = null;
      this.open = null;
      this.send('messages', () => ({ event: 'error', ...VOID_ERROR }));
    }
    const retained = this.added.filter((entry) => {
      if (entry.kind === 'tool' || entry.seq < fromSeq) return true;
      entry.pieces = entry.pieces.filter(({ seq }) => seq < fromSeq);
      return entry.pieces.length > 0;
    });
    this.added.splice(0, this.added.length, ...retained);
    this.sendValues();
  }

  /** Messages of this turn only: `ThreadStreams` adds the transcript before them. */
  private sendValues(): void {
    this.send('values', () => ({ messages: this.added.map(messageOfEntry) }));
  }

  private sendInputRequests(): void {
    for (const { id, value } of this.interrupts)
      this.send('input.requested', () => ({ interrupt_id: id, payload: value }));
  }

  /** The turn waits for the results of the client's tools. */
  private pause(): void {
    this.isInterrupted = true;
    this.sendValues();
    this.sendInputRequests();
    this.send('lifecycle', () => ({ event: 'interrupted', ...this.graph }));
  }

  private end(status: string): void {
    this.isWaiting = status === 'WAITING_INPUT';
    this.sendValues();
    if (this.isWaiting) this.sendInputRequests();
    const failure = status === 'FAILED' ? { error: this.error ?? 'The turn failed.' } : {};
    const event = status === 'FAILED' ? 'failed' : status === 'COMPLETED' ? 'completed' : 'interrupted';
    this.send('lifecycle', () => ({ event, ...this.graph, ...failure }));
    this.isOver = !this.isWaiting;
    if (this.isOver) this.added.length = 0;
  }

  private newId(kind: string): string {
    let id = kind;
    for (let n = 2; this.ids.has(id); n += 1) id = `${kind}_${n}`;
    this.ids.add(id);
    return id;
  }

  /** Every event takes a number, subscribed or not, so numbers are equal for all readers. */
  private send(method: string, data: () => object, channel = CHANNELS[method] ?? method): void {
    const seq = this.nextSubscribed(channel);
    if (seq === null) return;
    const id = String(seq);
    const params = { namespace: [], timestamp: this.now, data: data() };
    this.events.push({ id, event: method, data: { type: 'event', event_id: id, seq, method, params } });
  }

  /** As `send`, for text deltas, which are the most frequent event: built without intermediate objects. */
  private sendDelta(index: number, type: DeltaKind, text: string): void {
    const seq = this.nextSubscribed('messages');
    if (seq === null) return;
    const id = String(seq);
    const data = deltaOf(id, String(this.now), { index, type }, JSON.stringify(text).slice(1, -1));
    this.events.push({ id, event: 'messages', data });
  }

  /** The number of the next event; null if the client has it or does not subscribe to it. */
  private nextSubscribed(channel: string): number | null {
    this.count += 1;
    const seq = this.context.firstEventOffset + this.count;
    return seq <= this.context.lastReceived || !this.context.isSubscribed(channel) ? null : seq;
  }
}

/** Numbers as texts: a number of so many digits takes long to write. */
const deltaOf = (
  seq: string,
  timestamp: string,
  { index, type }: { index: number; type: DeltaKind },
  escaped: string,
): string =>
  `{"type":"event","event_id":"${seq}","seq":${seq},"method":"messages","params":{"namespace":[],"timestamp":${timestamp},"data":` +
  `{"event":"content-block-delta","index":${index},"delta":{"type":"${type}-delta","${type}":"${escaped}"}}}}`;

const messageOfEntry = (entry: ThreadEntry): JsonObject =>
  entry.kind === 'tool'
    ? entry.message
    : aiMessage({ ...entry, text: textOf(entry, 'text'), reasoning: textOf(entry, 'reasoning') });
