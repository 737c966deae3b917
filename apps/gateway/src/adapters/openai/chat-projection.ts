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
import type { Projection, ProtocolEvent } from '../../turn-events/projection';
import { type TextPiece, pieceOf, OUTPUT_IS_VOID, ReplayDeduplicator, textOf } from './replay-deduplicator';
import { failureIn } from '../../turn-events/failure-in';
import { TurnSegments } from '../../turn-events/turn-segments';
import { callName, type SegmentName } from '../../turn-events/call-names';
import { SegmentUsage } from '../../turn-events/segment-usage';

export interface ChatAbout extends SegmentName {
  model: string;
  created: number;
  includeUsage: boolean;
  /**
   * How chunks are sent. `streamed`: as they are made. `whole`: the client reads the complete answer. `retold`: as chunks,
   * but only once the output is final, because the client may have received output that became void in a crash. Structured
   * output is `retold` instead of `streamed`: it may need repair, and half of it is of no use.
   */
  delivery: 'streamed' | 'whole' | 'retold';
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
  /** Of a turn whose answer is JSON of a schema, the message that is that answer. */
  private structuredAnswer: string | null = null;
  private finishReason: string | null = null;
  private error: TurnFailure | null = null;
  private delivery: ChatAbout['delivery'];
  /** Whether the answer has a schema stands in a frame before its first words; nothing is told before that one. */
  private isStarted = false;
  private hasBegun = false;
  private ended = false;
  private chunks: ProtocolEvent[] = [];
  /** The beginning and the end of the chunks that carry words. */
  private wire: [string, string] | undefined;

  private readonly handlers: EveryProductEvent = {
    sessionStarted: null,
    contentDelta: (data, { seq }) => this.onDelta(pieceOf(data, seq)),
    reasoningDelta: (data, { seq }) => this.thinks(pieceOf(data, seq)),
    toolExecution: null,
    knowledgeEvidence: null,
    agentInputRequired: null,
    localToolCall: (data) => this.called(data),
    contextUsage: null,
    responseCompleted: ({ finish_reason: reason, message_id: messageId, result }) => {
      this.finishReason = reason;
      if (result?.output !== undefined) this.structuredAnswer = messageId;
    },
    turnPersistPending: null,
    stepRestarted: (data) => this.deduplicator.restarted(data.from_seq, this.delivery === 'streamed'),
    errorOccurred: (data) => {
      this.error = failureIn(data);
    },
    streamEnded: null,
  };

  constructor(private readonly about: ChatAbout) {
    this.delivery = about.delivery;
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
    const isMine = number === this.about.segment;
    this.usage.read(frame, number < this.about.segment);
    if (isFrame(frame, 'sessionStarted')) this.onStarted(frame.data);
    if (isMine) {
      if (this.isStarted && !this.hasBegun) this.begin();
      handleFrame(frame, this.handlers);
    }
    if (this.segments.read(frame) && isMine && !this.ended) this.finish(frame);
    return this.chunks;
  }

  readDelta(read: ReadDelta): string | null {
    const isPlain = this.hasBegun && !this.ended && this.delivery === 'streamed' && read.event === TEXT;
    if (!isPlain || !this.deduplicator.isPlain || this.segments.number !== this.about.segment) return null;
    this.deduplicator.goesOn(read);
    return read.delta === '' ? '' : `data: ${this.wordsOf(read.json)}\n\n`;
  }

  /** The whole answer: what was void in it was never said. */
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
    return { ...this.head('chat.completion'), choices: [choice], usage: this.used() };
  }

  private onStarted({ structured }: ProductFields<'sessionStarted'>): void {
    this.isStarted = true;
    if (structured === true && this.delivery === 'streamed') this.delivery = 'retold';
  }

  private begin(): void {
    this.hasBegun = true;
    this.stream({ role: 'assistant', content: '' });
  }

  /** The final answer. For JSON, text before it (beside tool calls) is not part of it. */
  private get content(): string {
    const { words } = this.deduplicator;
    const { structuredAnswer: answer } = this;
    return textOf(answer === null ? words : words.filter(({ messageId }) => messageId === answer));
  }

  private get thoughts(): JsonObject {
    const { thoughts } = this.deduplicator;
    return thoughts.length === 0 ? {} : { reasoning_content: textOf(thoughts) };
  }

  private thinks(piece: TextPiece): void {
    if (this.deduplicator.thinks(piece)) this.stream({ reasoning_content: piece.text });
  }

  /** Void output is not sent twice; if the regenerated output differs, the stream ends. */
  private onDelta(piece: TextPiece): void {
    const fresh = this.deduplicator.acceptText(piece);
    if (fresh === null) this.breakOff();
    else if (fresh !== '' && this.delivery === 'streamed')
      this.chunks.push({ data: this.wordsOf(JSON.stringify(fresh)) });
  }

  private called({ call_id: callId, name, arguments: args }: ProductFields<'localToolCall'>): void {
    const { turnId, segment } = this.about;
    const call = {
      id: callName({ turnId, segment, callId }),
      type: 'function',
      function: { name, arguments: JSON.stringify(args ?? {}) },
    };
    this.stream({ tool_calls: [{ index: this.calls.length, ...call }] });
    this.calls.push(call);
  }

  private finish(frame: TurnFrame): void {
    this.ended = true;
    const status = isFrame(frame, 'streamEnded') ? frame.data.status : null;
    // The protocol has no finish_reason for what is not whole.
    if (status === 'CANCELLED') this.error ??= { code: 'CONFLICT', message: 'The turn was cancelled.' };
    if (status === 'FAILED') this.error ??= { code: 'SERVER_ERROR', message: 'The turn failed.' };
    if (this.error) {
      this.fail(this.error);
      return;
    }
    if (this.deduplicator.isOwing) {
      this.breakOff();
      return;
    }
    if (status === null) this.finishReason = 'tool_calls';
    else if (!FINISHES.has(this.finishReason ?? '')) this.finishReason = 'stop';
    if (this.delivery === 'retold') this.sendAll();
    this.chunk({}, this.finishReason);
    if (this.about.includeUsage)
      this.chunks.push({ data: { ...this.head('chat.completion.chunk'), choices: [], usage: this.used() } });
    this.chunks.push({ data: '[DONE]' });
  }

  private sendAll(): void {
    const { content, thoughts } = this;
    const toolCalls = this.calls.map((call, index) => ({ index, ...call }));
    this.chunk({
      role: 'assistant',
      ...thoughts,
      content,
      ...(toolCalls.length > 0 ? { tool_calls: toolCalls } : {}),
    });
  }

  private breakOff(): void {
    this.ended = true;
    this.fail(OUTPUT_IS_VOID);
  }

  private fail(error: { code: string; message: string }): void {
    this.chunks.push(errorOf(error));
  }

  /** A stream of chunks that just ends is read as a whole answer. */
  cutOff(reason: { code: string; message: string }): ProtocolEvent[] {
    return [errorOf(reason)];
  }

  private stream(delta: JsonObject): void {
    if (this.delivery === 'streamed') this.chunk(delta);
  }

  private chunk(delta: JsonObject, finish: string | null = null): void {
    const choices = [{ index: 0, delta, logprobs: null, finish_reason: finish }];
    const usage = this.about.includeUsage ? { usage: null } : {};
    this.chunks.push({ data: { ...this.head('chat.completion.chunk'), choices, ...usage } });
  }

  /** As `chunk`. There are more of these than of all others together: what does not change is written once. */
  private wordsOf(json: string): string {
    this.wire ??= [
      `${JSON.stringify(this.head('chat.completion.chunk')).slice(0, -1)},"choices":[{"index":0,"delta":{"content":`,
      `},"logprobs":null,"finish_reason":null}]${this.about.includeUsage ? ',"usage":null' : ''}}`,
    ];
    const [head, tail] = this.wire;
    return `${head}${json}${tail}`;
  }

  private head(object: string): JsonObject {
    const { turnId, segment, created, model } = this.about;
    return { id: `chatcmpl-${turnId}${segment === 1 ? '' : `_${segment}`}`, object, created, model };
  }

  private used(): JsonObject {
    const { input, output } = this.usage.tokens;
    return { prompt_tokens: input, completion_tokens: output, total_tokens: input + output };
  }
}
