import type { ReadDelta } from '@switchyard/contracts';
import type { JsonObject } from '@switchyard/kernel';
import type { FrameData, Projection, ProtocolEvent, TurnFrame } from '../projection';
import { Stretches } from '../stretches';
import { callName, type StretchName } from '../call-names';
import { StretchUsage } from '../stretch-usage';

export interface ChatAbout extends StretchName {
  model: string;
  created: number;
  includeUsage: boolean;
  /**
   * `streamed`: chunks reach the client as they are made. `whole`: the answer is read at its end. `retold`: chunks as
   * well, and none before all is said: who asks again has perhaps been told words that a crash has made void. What is
   * `streamed` becomes `retold` where the answer is JSON of a schema: it may have to be repaired, and half of it is of
   * use to nobody.
   */
  telling: 'streamed' | 'whole' | 'retold';
}

interface Piece {
  seq: number;
  messageId: string;
  text: string;
}

const FINISHES = new Set(['stop', 'length', 'content_filter']);

const textOf = (pieces: readonly Piece[]): string => pieces.map(({ text }) => text).join('');
const pieceOf = (data: FrameData, seq: number): Piece => ({
  seq,
  messageId: String(data['message_id']),
  text: String(data['delta']),
});

const errorOf = ({ code, message }: { code: string; message: string }): ProtocolEvent => ({
  data: { error: { message, type: 'server_error', param: null, code } },
});

/** One stretch of a turn as chunks of a chat completion. What a chunk has said cannot be taken back. */
export class ChatProjection implements Projection {
  private readonly stretches = new Stretches();
  private readonly usage = new StretchUsage();
  private said: Piece[] = [];
  private thought: Piece[] = [];
  private readonly calls: JsonObject[] = [];
  /** Said before it was void, and not yet again after it. */
  private owed = '';
  /** The step that is run again, of which the client has thoughts already: by its name, once it says anything. */
  private thoughtAgain: { messageId: string | null } | null = null;
  /** Of a turn whose answer is JSON of a schema, the message that is that answer. */
  private structuredAnswer: string | null = null;
  private finishReason: string | null = null;
  private error: { code: string; message: string } | null = null;
  private telling: ChatAbout['telling'];
  /** Whether the answer has a schema stands in a frame before its first words; nothing is told before that one. */
  private isKnown = false;
  private hasBegun = false;
  private ended = false;
  private chunks: ProtocolEvent[] = [];
  /** The beginning and the end of the chunks that carry words. */
  private wire: [string, string] | undefined;

  constructor(private readonly about: ChatAbout) {
    this.telling = about.telling;
  }

  get isOver(): boolean {
    return this.ended;
  }

  get failure(): { code: string; message: string } | null {
    return this.error;
  }

  read(frame: TurnFrame): ProtocolEvent[] {
    this.chunks = [];
    const { number } = this.stretches;
    const isMine = number === this.about.stretch;
    this.usage.read(frame, number < this.about.stretch);
    if (frame.data.event === 'session-started') this.known(frame.data);
    if (isMine) {
      if (this.isKnown && !this.hasBegun) this.begin();
      this.tell(frame);
    }
    if (this.stretches.read(frame) && isMine && !this.ended) this.finish(frame);
    return this.chunks;
  }

  readDelta({ event, delta: text, json, messageId, seq }: ReadDelta): string | null {
    const isPlain = this.hasBegun && !this.ended && this.telling === 'streamed' && event === 'content-delta';
    const isNew = this.owed === '' && this.thoughtAgain === null;
    if (!isPlain || !isNew || this.stretches.number !== this.about.stretch) return null;
    this.said.push({ seq, messageId, text });
    return text === '' ? '' : `data: ${this.wordsOf(json)}\n\n`;
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

  private known(data: FrameData): void {
    this.isKnown = true;
    if (data['structured'] === true && this.telling === 'streamed') this.telling = 'retold';
  }

  private begin(): void {
    this.hasBegun = true;
    this.stream({ role: 'assistant', content: '' });
  }

  private tell({ method, data, seq }: TurnFrame): void {
    if (method !== 'custom:service') return;
    switch (data.event) {
      case 'content-delta':
        this.spoken(pieceOf(data, seq));
        break;
      case 'reasoning-delta':
        this.thinks(pieceOf(data, seq));
        break;
      case 'local-tool-call':
        this.called(data);
        break;
      case 'step-restarted':
        this.restarted(Number(data['from_seq']));
        break;
      case 'response-completed':
        this.finishReason = String(data['finish_reason']);
        if ((data['result'] as FrameData | undefined)?.['output'] !== undefined)
          this.structuredAnswer = String(data['message_id']);
        break;
      case 'error-occurred':
        this.error = { code: String(data['code']), message: String(data['message']) };
        break;
      default:
    }
  }

  /** What counts of the answer. JSON stands alone: what was said before it, beside a call of a tool, is no part of it. */
  private get content(): string {
    const { structuredAnswer: answer } = this;
    return textOf(answer === null ? this.said : this.said.filter(({ messageId }) => messageId === answer));
  }

  private get thoughts(): JsonObject {
    return this.thought.length === 0 ? {} : { reasoning_content: textOf(this.thought) };
  }

  private thinks(piece: Piece): void {
    this.thought.push(piece);
    if (!this.isToldAgain(piece)) this.stream({ reasoning_content: piece.text });
  }

  /** What the first words after it belong to is the step that is run again. */
  private isToldAgain({ messageId }: Piece): boolean {
    if (this.thoughtAgain) this.thoughtAgain.messageId ??= messageId;
    return this.thoughtAgain?.messageId === messageId;
  }

  /** What was void is not said twice; where the second telling differs, the stream must end. */
  private spoken(piece: Piece): void {
    this.said.push(piece);
    this.isToldAgain(piece);
    const { text: delta } = piece;
    const fresh = delta.slice(this.owed.length);
    if (!this.owed.startsWith(delta.slice(0, this.owed.length))) this.breakOff();
    else {
      this.owed = this.owed.slice(delta.length);
      if (fresh !== '' && this.telling === 'streamed') this.chunks.push({ data: this.wordsOf(JSON.stringify(fresh)) });
    }
  }

  private restarted(fromSeq: number): void {
    const isVoid = ({ seq }: Piece): boolean => seq >= fromSeq;
    if (this.telling === 'streamed') this.owed = textOf(this.said.filter(isVoid)) + this.owed;
    // Begun a third time before it was done a second time, it is the same step still.
    const again = this.said.some((piece) => isVoid(piece) && piece.messageId === this.thoughtAgain?.messageId);
    if (again || this.thought.some(isVoid)) this.thoughtAgain = { messageId: null };
    this.said = this.said.filter((piece) => !isVoid(piece));
    this.thought = this.thought.filter((piece) => !isVoid(piece));
  }

  private called(data: FrameData): void {
    const { turnId, stretch } = this.about;
    const call = {
      id: callName({ turnId, stretch, callId: String(data['call_id']) }),
      type: 'function',
      function: { name: String(data['name']), arguments: JSON.stringify(data['arguments'] ?? {}) },
    };
    this.stream({ tool_calls: [{ index: this.calls.length, ...call }] });
    this.calls.push(call);
  }

  private finish({ data }: TurnFrame): void {
    this.ended = true;
    // The protocol has no finish_reason for what is not whole.
    if (data['status'] === 'CANCELLED') this.error ??= { code: 'CONFLICT', message: 'The turn was cancelled.' };
    if (data['status'] === 'FAILED') this.error ??= { code: 'SERVER_ERROR', message: 'The turn failed.' };
    if (this.error) {
      this.fail(this.error);
      return;
    }
    if (this.owed !== '') {
      this.breakOff();
      return;
    }
    if (data.event !== 'stream-ended') this.finishReason = 'tool_calls';
    else if (!FINISHES.has(this.finishReason ?? '')) this.finishReason = 'stop';
    if (this.telling === 'retold') this.tellAll();
    this.chunk({}, this.finishReason);
    if (this.about.includeUsage)
      this.chunks.push({ data: { ...this.head('chat.completion.chunk'), choices: [], usage: this.used() } });
    this.chunks.push({ data: '[DONE]' });
  }

  private tellAll(): void {
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
    this.fail({
      code: 'RUNTIME_UNAVAILABLE',
      message:
        'What was said is void, and the answer begins anew in other words. Ask again; with the same Idempotency-Key the answer is read to its end.',
    });
  }

  private fail(error: { code: string; message: string }): void {
    this.chunks.push(errorOf(error));
  }

  /** A stream of chunks that just ends is read as a whole answer. */
  cutOff(reason: { code: string; message: string }): ProtocolEvent[] {
    return [errorOf(reason)];
  }

  private stream(delta: JsonObject): void {
    if (this.telling === 'streamed') this.chunk(delta);
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
    const { turnId, stretch, created, model } = this.about;
    return { id: `chatcmpl-${turnId}${stretch === 1 ? '' : `_${stretch}`}`, object, created, model };
  }

  private used(): JsonObject {
    const { input, output } = this.usage.tokens;
    return { prompt_tokens: input, completion_tokens: output, total_tokens: input + output };
  }
}
