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
import type { DeltaTemplate, Projection, ProtocolEvent } from '../../turn-events/protocol-projection';
import { type TextPiece, pieceOf, OUTPUT_IS_VOID, ReplayDeduplicator, textOf } from './replay-deduplicator';
import { failureIn } from '../../turn-events/turn-failure-from-frame';
import { TurnSegments } from '../../turn-events/turn-segments';
import { callName, type SegmentName } from '../../turn-events/client-call-ids';
import { SegmentUsage } from '../../turn-events/segment-usage';

export interface ChatContext extends SegmentName {
  model: string;
  created: number;
  includeUsage: boolean;
  /**
   * How chunks are sent. `streamed`: as they are made. `whole`: the client reads the complete answer. `buffered`: as
   * chunks, but only once the output is final, because the client may have received output that became void in a crash.
   * Structured output is `buffered` instead of `streamed`: it may need repair, and half of it is of no use.
   */
  delivery: 'streamed' | 'whole' | 'buffered';
}

interface ChunkTemplate extends DeltaTemplate {
  start: () => string;
}

const TEXT = PRODUCT_EVENTS.contentDelta;
const FINISHES = new Set(['stop', 'length', 'content_filter']);

const errorOf = ({ code, message }: { code: string; message: string }): ProtocolEvent => ({
  data: { error: { message, type: 'server_error', param: null, code } },
});

/** One segment of a turn as chunks of a chat completion. A sent chunk cannot be withdrawn. */
export class ChatProjection implements Projection {
  private readonly segments = new TurnSegments();
  private readonly usage = new SegmentUsage();
  private readonly deduplicator = new ReplayDeduplicator();
  private readonly calls: JsonObject[] = [];
  /** Id of the message with the JSON answer, if the agent has a response schema. */
  private structuredAnswer: string | null = null;
  private finishReason: string | null = null;
  private error: TurnFailure | null = null;
  private delivery: ChatContext['delivery'];
  /** The first frame says whether the answer has a schema; nothing is sent before it. */
  private isStarted = false;
  private hasBegun = false;
  private ended = false;
  private chunks: ProtocolEvent[] = [];
  /** Text before and after the delta in a chunk. */
  private deltas: ChunkTemplate | undefined;

  private readonly handlers: EveryProductEvent = {
    sessionStarted: null,
    contentDelta: (data, { seq }) => this.onDelta(pieceOf(data, seq)),
    reasoningDelta: (data, { seq }) => this.onReasoning(pieceOf(data, seq)),
    toolExecution: null,
    knowledgeEvidence: null,
    agentInputRequired: null,
    localToolCall: (data) => this.onLocalToolCall(data),
    contextUsage: null,
    responseCompleted: ({ finish_reason: reason, message_id: messageId, result }) => {
      this.finishReason = reason;
      if (result?.output !== undefined) this.structuredAnswer = messageId;
    },
    turnPersistPending: null,
    stepRestarted: (data) => this.deduplicator.onStepRestarted(data.from_seq, this.delivery === 'streamed'),
    errorOccurred: (data) => {
      this.error = failureIn(data);
    },
    streamEnded: null,
  };

  constructor(private readonly context: ChatContext) {
    this.delivery = context.delivery;
  }

  get isOver(): boolean {
    return this.ended;
  }

  get failure(): TurnFailure | null {
    return this.error;
  }

  read(frame: TurnFrame): ProtocolEvent[] {
    this.chunks = [];
    const { number } = this.segments;
    const isMine = number === this.context.segment;
    this.usage.read(frame, number < this.context.segment);
    if (isFrame(frame, 'sessionStarted')) this.onStarted(frame.data);
    if (isMine) {
      if (this.isStarted && !this.hasBegun) this.begin();
      handleFrame(frame, this.handlers);
    }
    if (this.segments.read(frame) && isMine && !this.ended) this.finish(frame);
    return this.chunks;
  }

  readDelta(read: ReadDelta): '' | DeltaTemplate | null {
    const isPlain = this.hasBegun && !this.ended && this.delivery === 'streamed' && read.event === TEXT;
    if (!isPlain || !this.deduplicator.isPassThrough || this.segments.number !== this.context.segment) return null;
    this.deduplicator.acceptDelta(read);
    return read.delta === '' ? '' : this.deltaTemplate();
  }

  /** The complete answer, without void output. */
  completion(): JsonObject {
    const { content, thoughts } = this;
    const message = {
      role: 'assistant',
      content: content === '' && this.calls.length > 0 ? null : content,
      refusal: null,
      ...thoughts,
      ...(this.calls.length > 0 ? { tool_calls: this.calls } : {}),
    };
    const choice = { index: 0, message, logprobs: null, finish_reason: this.finishReason };
    return { ...this.head('chat.completion'), choices: [choice], usage: this.usageFields() };
  }

  private onStarted({ structured }: ProductFields<'sessionStarted'>): void {
    this.isStarted = true;
    if (structured === true && this.delivery === 'streamed') this.delivery = 'buffered';
  }

  private begin(): void {
    this.hasBegun = true;
    this.sendIfStreamed({ role: 'assistant', content: '' });
  }

  /** The final answer. For JSON, text before it (beside tool calls) is not part of it. */
  private get content(): string {
    const { texts: words } = this.deduplicator;
    const { structuredAnswer: answer } = this;
    return textOf(answer === null ? words : words.filter(({ messageId }) => messageId === answer));
  }

  private get thoughts(): JsonObject {
    const { thoughts } = this.deduplicator;
    return thoughts.length === 0 ? {} : { reasoning_content: textOf(thoughts) };
  }

  private onReasoning(piece: TextPiece): void {
    if (this.deduplicator.acceptReasoning(piece)) this.sendIfStreamed({ reasoning_content: piece.text });
  }

  /** Void output is not sent twice; if the regenerated output differs, the stream ends. */
  private onDelta(piece: TextPiece): void {
    const fresh = this.deduplicator.acceptText(piece);
    if (fresh === null) this.failAsVoid();
    else if (fresh !== '' && this.delivery === 'streamed') this.sendText(fresh);
  }

  private onLocalToolCall({ call_id: callId, name, arguments: args }: ProductFields<'localToolCall'>): void {
    const { turnId, segment } = this.context;
    const call = {
      id: callName({ turnId, segment, callId }),
      type: 'function',
      function: { name, arguments: JSON.stringify(args ?? {}) },
    };
    this.sendIfStreamed({ tool_calls: [{ index: this.calls.length, ...call }] });
    this.calls.push(call);
  }

  private finish(frame: TurnFrame): void {
    this.ended = true;
    const status = isFrame(frame, 'streamEnded') ? frame.data.status : null;
    // The protocol has no finish_reason for an incomplete answer.
    if (status === 'CANCELLED') this.error ??= { code: 'CONFLICT', message: 'The turn was cancelled.' };
    if (status === 'FAILED') this.error ??= { code: 'SERVER_ERROR', message: 'The turn failed.' };
    if (this.error) {
      this.fail(this.error);
      return;
    }
    if (this.deduplicator.hasMoreToRepeat) {
      this.failAsVoid();
      return;
    }
    if (status === null) this.finishReason = 'tool_calls';
    else if (!FINISHES.has(this.finishReason ?? '')) this.finishReason = 'stop';
    if (this.delivery === 'buffered') this.sendAll();
    this.sendChunk({}, this.finishReason);
    if (this.context.includeUsage)
      this.chunks.push({ data: { ...this.head('chat.completion.chunk'), choices: [], usage: this.usageFields() } });
    this.chunks.push({ data: '[DONE]' });
  }

  private sendAll(): void {
    const { content, thoughts } = this;
    const toolCalls = this.calls.map((call, index) => ({ index, ...call }));
    this.sendChunk({
      role: 'assistant',
      ...thoughts,
      content,
      ...(toolCalls.length > 0 ? { tool_calls: toolCalls } : {}),
    });
  }

  private failAsVoid(): void {
    this.ended = true;
    this.fail(OUTPUT_IS_VOID);
  }

  private fail(error: { code: string; message: string }): void {
    this.chunks.push(errorOf(error));
  }

  /** Clients read a stream without an error as a complete answer. */
  cutOff(reason: { code: string; message: string }): ProtocolEvent[] {
    return [errorOf(reason)];
  }

  private sendIfStreamed(delta: JsonObject): void {
    if (this.delivery === 'streamed') this.sendChunk(delta);
  }

  private sendChunk(delta: JsonObject, finish: string | null = null): void {
    const choices = [{ index: 0, delta, logprobs: null, finish_reason: finish }];
    const usage = this.context.includeUsage ? { usage: null } : {};
    this.chunks.push({ data: { ...this.head('chat.completion.chunk'), choices, ...usage } });
  }

  private sendText(text: string): void {
    const { start, end } = this.deltaTemplate();
    this.chunks.push({ data: `${start()}${JSON.stringify(text)}${end}` });
  }

  /** As `sendChunk`, for text deltas: most chunks are such, so the constant part is serialized once. */
  private deltaTemplate(): ChunkTemplate {
    if (this.deltas) return this.deltas;
    const head = `${JSON.stringify(this.head('chat.completion.chunk')).slice(0, -1)},"choices":[{"index":0,"delta":{"content":`;
    const usage = this.context.includeUsage ? ',"usage":null' : '';
    this.deltas = { start: () => head, end: `},"logprobs":null,"finish_reason":null}]${usage}}` };
    return this.deltas;
  }

  private head(object: string): JsonObject {
    const { turnId, segment, created, model } = this.context;
    return { id: `chatcmpl-${turnId}${segment === 1 ? '' : `_${segment}`}`, object, created, model };
  }

  private usageFields(): JsonObject {
    const { input, output } = this.usage.tokens;
    return { prompt_tokens: input, completion_tokens: output, total_tokens: input + output };
  }
}
