import {
  type EveryProductEvent,
  handleFrame,
  isFrame,
  PRODUCT_EVENTS,
  type ProductFields,
  type ReadDelta,
  type TurnFailure,
  type TurnFrame,
} from '@switchyard/contracts';
import type { JsonObject } from '@switchyard/kernel';
import type { Projection, ProtocolEvent } from '../../turn-events/protocol-projection';
import { failureIn } from '../../turn-events/turn-failure-from-frame';
import { TurnSegments } from '../../turn-events/turn-segments';
import { callName, type SegmentName } from '../../turn-events/client-call-ids';
import { conversationId, itemId, type ItemKind, responseId } from './openai-ids';
import { SegmentUsage } from '../../turn-events/segment-usage';

/** Request fields that the response repeats; they do not affect the output. */
export interface ResponseContext extends SegmentName {
  model: string;
  fields: JsonObject;
  /** Events up to this number are known to the client. */
  startingAfter?: number;
}

type Status = 'in_progress' | 'completed' | 'incomplete' | 'failed' | 'cancelled';

interface Item {
  id: string;
  index: number;
  type: 'message' | 'reasoning' | 'function_call' | 'mcp_call';
  status: 'in_progress' | 'completed' | 'incomplete' | 'failed';
  /** Output of a model: its message id, and the sequence number of its newest frame. */
  messageId?: string;
  lastSeq: number;
  text: string;
  /** The text is complete; until the next item begins, a crash can make it void. */
  isTextSent: boolean;
  isVoid: boolean;
  /** Text before and after the delta in an event. */
  deltaTemplate?: [string, string];
  fields: JsonObject;
}

/** Size of a response and its items without their text. */
const RESPONSE_BYTES = 4096;
const ITEM_BYTES = 1024;

const ID_PREFIXES: Record<Item['type'], ItemKind> = {
  message: 'msg',
  reasoning: 'rs',
  function_call: 'fc',
  mcp_call: 'mcp',
};
const DELTA_KINDS = { [PRODUCT_EVENTS.contentDelta]: 'message', [PRODUCT_EVENTS.reasoningDelta]: 'reasoning' } as const;
const deltaEventOf = ({ type }: Item): string =>
  type === 'message' ? 'response.output_text.delta' : 'response.reasoning_summary_text.delta';
const deltaTemplateOf = (item: Item, location: JsonObject): [string, string] => [
  `{"type":"${deltaEventOf(item)}","sequence_number":`,
  `,${JSON.stringify({ ...location, ...(item.type === 'message' ? { logprobs: [] } : {}) }).slice(1)}`,
];
const INCOMPLETE_REASONS: Record<string, string> = { length: 'max_output_tokens', content_filter: 'content_filter' };

const outputItem = (item: Item): JsonObject => {
  const base = { id: item.id, type: item.type, status: item.status };
  const text = item.isVoid || item.text === '' ? [] : [item.text];
  if (item.type === 'message') return { ...base, role: 'assistant', content: text.map((words) => textPart(words)) };
  if (item.type === 'reasoning')
    return { ...base, summary: text.map((words) => ({ type: 'summary_text', text: words })) };
  return { ...base, ...item.fields };
};

const textPart = (text: string): JsonObject => ({ type: 'output_text', text, annotations: [], logprobs: [] });

/** The form for clients that throw the `error` field of an event. */
export const clientError = ({ code, message }: { code: string; message: string }): JsonObject => ({
  message,
  type: 'server_error',
  param: null,
  code,
});

/** One segment of a turn as events of OpenAI's Responses API. */
export class ResponsesProjection implements Projection {
  private readonly segments = new TurnSegments();
  private readonly usage = new SegmentUsage();
  private readonly items: Item[] = [];
  /** Output of one model message so far: reasoning and text, each an item. */
  private open: Item[] = [];
  private readonly toolExecutions = new Map<string, Item>();
  private sessionId: string | null | undefined;
  private metadata: JsonObject = {};
  private createdAt: number | null = null;
  private completedAt: number | null = null;
  private status: Status = 'in_progress';
  private reason: string | null = null;
  private error: TurnFailure | null = null;
  private sequence = 0;
  private events: ProtocolEvent[] = [];

  private readonly handlers: EveryProductEvent = {
    sessionStarted: null,
    contentDelta: (data, { seq }) => this.onDelta('message', data, seq),
    reasoningDelta: (data, { seq }) => this.onDelta('reasoning', data, seq),
    toolExecution: (data, { seq }) => this.onToolExecution(data, seq),
    knowledgeEvidence: null,
    agentInputRequired: ({ interaction }, { seq }) =>
      this.onLocalToolCall('ask_user', interaction, { interactionId: interaction.id }, seq),
    localToolCall: (data, { seq }) => this.onLocalToolCall(data.name, data.arguments, { callId: data.call_id }, seq),
    contextUsage: null,
    responseCompleted: (data) => {
      this.reason = INCOMPLETE_REASONS[data.finish_reason ?? ''] ?? null;
    },
    turnPersistPending: null,
    stepRestarted: (data) => this.onStepRestarted(data.from_seq),
    errorOccurred: (data) => {
      this.error = failureIn(data);
    },
    streamEnded: null,
  };

  constructor(private readonly context: ResponseContext) {}

  get isOver(): boolean {
    return this.status !== 'in_progress';
  }

  get hasBegun(): boolean {
    return this.createdAt !== null;
  }

  /** Estimated memory: text outside Latin-1 takes two bytes a character. */
  get bytes(): number {
    const characters = this.items.reduce(
      (sum, { text, fields }) => sum + text.length + JSON.stringify(fields).length,
      JSON.stringify(this.metadata).length,
    );
    return RESPONSE_BYTES + this.items.length * ITEM_BYTES + 2 * characters;
  }

  get failure(): TurnFailure | null {
    return this.error;
  }

  read(frame: TurnFrame): ProtocolEvent[] {
    this.events = [];
    const { number } = this.segments;
    const isMine = number === this.context.segment;
    this.usage.read(frame, number < this.context.segment);
    if (isFrame(frame, 'sessionStarted')) {
      this.sessionId = frame.data.session_id;
      this.metadata = frame.data.metadata ?? {};
    }
    if (isMine) {
      // The second frame names the conversation; nothing is sent before it.
      if (!this.hasBegun && this.sessionId !== undefined) this.begin(frame.timestamp);
      handleFrame(frame, this.handlers);
    }
    if (this.segments.read(frame) && isMine) this.finish(frame);
    return this.events;
  }

  response(status: string = this.status): JsonObject {
    const { input, output } = this.usage.tokens;
    const usage = {
      input_tokens: input,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: output,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: input + output,
    };
    const { turnId, segment } = this.context;
    return {
      id: responseId(this.context),
      object: 'response',
      created_at: this.createdAt ?? Math.floor(Date.now() / 1000),
      completed_at: this.completedAt,
      status,
      background: false,
      conversation: this.sessionId ? { id: conversationId(this.sessionId) } : null,
      error: this.error,
      incomplete_details: this.reason === null ? null : { reason: this.reason },
      instructions: null,
      max_output_tokens: null,
      model: this.context.model,
      output: this.items.map(outputItem),
      parallel_tool_calls: true,
      previous_response_id: segment === 1 ? null : responseId({ turnId, segment: segment - 1 }),
      reasoning: { effort: null, summary: null },
      service_tier: 'default',
      store: this.sessionId !== null,
      temperature: null,
      text: { format: { type: 'text' } },
      tool_choice: 'auto',
      tools: [],
      top_p: null,
      truncation: 'auto',
      usage: this.isOver ? usage : null,
      user: null,
      metadata: this.metadata,
      ...this.context.fields,
    };
  }

  /** A response whose turn has not started. */
  queuedResponse(sessionId: string | null): JsonObject {
    this.sessionId = sessionId;
    return this.response('queued');
  }

  /** The protocol's event for a stream that cannot go on, in the form that all of its clients throw. */
  streamError(error: { code: string; message: string }): ProtocolEvent {
    const data = { type: 'error', sequence_number: this.sequence, ...error, param: null, error: clientError(error) };
    return { event: 'error', data };
  }

  private begin(timestamp: number): void {
    this.createdAt = Math.floor(timestamp / 1000);
    this.send('response.created', { response: this.response() });
    this.send('response.in_progress', { response: this.response() });
  }

  private onDelta(type: 'message' | 'reasoning', data: ProductFields<'contentDelta'>, seq: number): void {
    const { message_id: messageId, delta } = data;
    const last = this.open.at(-1);
    const item = last?.type === type && last.messageId === messageId ? last : this.nextDeltaItem(type, messageId, seq);
    item.text += delta;
    item.lastSeq = seq;
    this.sendDelta(item, delta);
  }

  readDelta(read: ReadDelta): string | null {
    const item = this.open.at(-1);
    if (item?.type !== DELTA_KINDS[read.event] || !read.isOf(item.messageId)) return null;
    item.text += read.delta;
    item.lastSeq = read.seq;
    const data = this.deltaOf(item, read.escaped);
    return data === null ? '' : `event: ${deltaEventOf(item)}\ndata: ${data}\n\n`;
  }

  private sendDelta(item: Item, delta: string): void {
    const data = this.deltaOf(item, JSON.stringify(delta).slice(1, -1));
    if (data !== null) this.events.push({ event: deltaEventOf(item), data });
  }

  /** Serialized once, as it does not change. Null if the client already has it. */
  private deltaOf(item: Item, escaped: string): string | null {
    item.deltaTemplate ??= deltaTemplateOf(item, this.location(item));
    const sequence = this.nextSequence();
    const [head, tail] = item.deltaTemplate;
    return sequence === null ? null : `${head}${sequence},"delta":"${escaped}"${tail}`;
  }

  private nextDeltaItem(type: 'message' | 'reasoning', messageId: string, seq: number): Item {
    const last = this.open.at(-1);
    if (last?.messageId === messageId) this.sendTextDone(last);
    else this.close('completed');
    const item = this.add(type, seq, {}, messageId);
    this.open.push(item);
    this.send(type === 'message' ? 'response.content_part.added' : 'response.reasoning_summary_part.added', {
      ...this.location(item),
      part: type === 'message' ? textPart('') : { type: 'summary_text', text: '' },
    });
    return item;
  }

  /** A model message is final when the next item begins; until then a crash can make it void. */
  private close(status: 'completed' | 'incomplete'): void {
    const items = this.open;
    this.open = [];
    for (const item of items) {
      // If text is interrupted, the reasoning before it is complete.
      item.status = item.isTextSent && !item.isVoid ? 'completed' : status;
      if (item.status === 'completed') this.sendTextDone(item);
      this.send('response.output_item.done', { output_index: item.index, item: outputItem(item) });
    }
  }

  private sendTextDone(item: Item): void {
    if (item.isTextSent) return;
    item.isTextSent = true;
    const { text } = item;
    const location = this.location(item);
    if (item.type === 'message') {
      this.send('response.output_text.done', { ...location, text, logprobs: [] });
      this.send('response.content_part.done', { ...location, part: textPart(text) });
    } else {
      this.send('response.reasoning_summary_text.done', { ...location, text });
      this.send('response.reasoning_summary_part.done', { ...location, part: { type: 'summary_text', text } });
    }
  }

  /** The step runs again: its items are void, and are closed as incomplete before new ones begin. */
  private onStepRestarted(fromSeq: number): void {
    for (const item of this.items) if (item.messageId !== undefined && item.lastSeq >= fromSeq) item.isVoid = true;
    if (this.open.some(({ isVoid }) => isVoid)) this.close('incomplete');
    for (const item of this.items) if (item.isVoid) item.status = 'incomplete';
  }

  private onToolExecution(execution: ProductFields<'toolExecution'>, seq: number): void {
    const { name, source, status, tool_call_id: callId, result, error } = execution;
    if (source === 'local' || name === 'ask_user') return;
    this.close('completed');
    const [server, tool] = name.includes('__') ? (name.split(/__(.*)/s) as [string, string]) : ['switchyard', name];
    const args = JSON.stringify(execution.arguments ?? {});
    let item = this.toolExecutions.get(callId);
    if (!item) {
      const fields = { server_label: server, name: tool, arguments: '', approval_request_id: null };
      item = this.add('mcp_call', seq, { ...fields, output: null, error: null });
      this.toolExecutions.set(callId, item);
      item.fields['arguments'] = args;
      const location = { output_index: item.index, item_id: item.id };
      this.send('response.mcp_call.in_progress', location);
      this.send('response.mcp_call_arguments.delta', { ...location, delta: args });
      this.send('response.mcp_call_arguments.done', { ...location, arguments: args });
    }
    // A repeated frame, or a restart after a crash, is the same call.
    if (status === 'started' || item.status !== 'in_progress') return;
    item.status = error ? 'failed' : 'completed';
    if (error) item.fields['error'] = `${error.code}: ${error.message}`;
    else item.fields['output'] = typeof result === 'string' ? result : JSON.stringify(result ?? null);
    this.send(`response.mcp_call.${item.status}`, { output_index: item.index, item_id: item.id });
    this.send('response.output_item.done', { output_index: item.index, item: outputItem(item) });
  }

  private onLocalToolCall(
    name: string,
    args: unknown,
    call: { callId: string } | { interactionId: string },
    seq: number,
  ): void {
    this.close('completed');
    const text = JSON.stringify(args ?? {});
    const { turnId, segment } = this.context;
    const item = this.add('function_call', seq, {
      call_id: callName({ turnId, segment, ...call }),
      name,
      arguments: '',
    });
    item.fields['arguments'] = text;
    item.status = 'completed';
    const location = { output_index: item.index, item_id: item.id };
    this.send('response.function_call_arguments.delta', { ...location, delta: text });
    this.send('response.function_call_arguments.done', { ...location, name, arguments: text });
    this.send('response.output_item.done', { output_index: item.index, item: outputItem(item) });
  }

  private add(type: Item['type'], seq: number, fields: JsonObject, messageId?: string): Item {
    const index = this.items.length;
    const item: Item = {
      id: itemId(ID_PREFIXES[type], this.context, index),
      index,
      type,
      status: 'in_progress',
      ...(messageId === undefined ? {} : { messageId }),
      lastSeq: seq,
      text: '',
      isTextSent: false,
      isVoid: false,
      fields,
    };
    this.items.push(item);
    this.send('response.output_item.added', { output_index: index, item: outputItem(item) });
    return item;
  }

  private location(item: Item): JsonObject {
    const at = { item_id: item.id, output_index: item.index };
    return item.type === 'message' ? { ...at, content_index: 0 } : { ...at, summary_index: 0 };
  }

  private finish(frame: TurnFrame): void {
    const ended = isFrame(frame, 'streamEnded') ? frame.data.status : 'WAITING_INPUT';
    this.close(ended === 'COMPLETED' || ended === 'WAITING_INPUT' ? 'completed' : 'incomplete');
    for (const item of this.items) if (item.status === 'in_progress') item.status = 'incomplete';
    this.completedAt = Math.floor(frame.timestamp / 1000);
    if (ended === 'FAILED') {
      this.error ??= { code: 'SERVER_ERROR', message: 'The turn failed.' };
      this.status = 'failed';
    } else if (ended === 'CANCELLED') this.status = 'cancelled';
    else this.status = this.reason === null ? 'completed' : 'incomplete';
    // The protocol has no event for a cancelled response.
    const type = this.status === 'cancelled' ? 'incomplete' : this.status;
    this.send(`response.${type}`, { response: this.response() });
  }

  private send(type: string, fields: JsonObject): void {
    const sequence = this.nextSequence();
    if (sequence !== null) this.events.push({ event: type, data: { type, sequence_number: sequence, ...fields } });
  }

  /** Null for events that the client already has. */
  private nextSequence(): number | null {
    const { startingAfter = -1 } = this.context;
    const sequence = this.sequence;
    this.sequence += 1;
    return sequence > startingAfter ? sequence : null;
  }
}
