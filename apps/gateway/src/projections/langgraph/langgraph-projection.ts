import type { ReadDelta } from '@switchyard/contracts';
import { isPlainObject, type JsonObject } from '@switchyard/kernel';
import { callName } from '../call-names';
import type { FrameData, Projection, ProtocolEvent, TurnFrame } from '../projection';
import { Stretches } from '../stretches';
import { aiMessage, toolCallOf, toolMessage, wordsOf } from './langgraph-messages';

export interface RunTold {
  threadId: string;
  turnId: string;
  /** The number before the first event of this turn. */
  before: number;
  /** What its reader has heard already. */
  since: number;
  wants: (channel: string) => boolean;
}

type Said = 'text' | 'reasoning';
const SPOKEN = { 'content-delta': 'text', 'reasoning-delta': 'reasoning' } as const;

interface Told {
  kind: 'ai';
  id: string;
  /** Under which name the model's words were streamed. */
  messageId: string;
  seq: number;
  pieces: { seq: number; type: Said; text: string }[];
  calls: JsonObject[];
  usage: JsonObject | null;
}

type Entry = Told | { kind: 'tool'; message: JsonObject };

const textOf = ({ pieces }: Told, wanted: Said): string =>
  pieces.map(({ type, text }) => (type === wanted ? text : '')).join('');

const CHANNELS: Record<string, string> = { 'input.requested': 'input', 'input.answered': 'input' };
const NOT_SAID = { message: 'The step is run again: what this message has said is void.', code: 'STEP_RESTARTED' };

/** A turn in the events of a run of LangGraph's streaming protocol, version 2. */
export class LangGraphProjection implements Projection {
  /** No more frames follow: the turn has ended, and does not only wait. */
  isOver = false;
  /** It has paused for an answer of its user: frames follow when that is given. */
  isWaiting = false;
  private readonly stretches = new Stretches();
  /** What this turn has added to the messages of its thread. */
  private readonly added: Entry[] = [];
  private readonly ids = new Set<string>();
  private readonly started = new Set<string>();
  private readonly settled = new Set<string>();
  private readonly run = new Set<string>();
  private open: Told | null = null;
  private block: { index: number; type: Said; text: string } | null = null;
  private blocks = 0;
  /** What the turn waits for at the moment, by the names under which it is answered. */
  private interrupts: { id: string; value: unknown }[] = [];
  private waits = false;
  private error: string | undefined;
  private graph: JsonObject = {};
  private count = 0;
  private events: ProtocolEvent[] = [];
  private now = 0;

  /** Whether this reader hears the events of the platform beside those of the protocol. */
  private readonly hearsProduct: boolean;

  constructor(private readonly about: RunTold) {
    this.hearsProduct = about.wants('custom:service');
  }

  read(frame: TurnFrame): ProtocolEvent[] {
    this.events = [];
    this.now = frame.timestamp;
    this.isWaiting = false;
    const { number } = this.stretches;
    this.tell(frame, number);
    const ends = this.stretches.read(frame);
    if (ends && frame.data.event === 'stream-ended') this.end(String(frame.data['status']));
    else if (ends) this.pause();
    return this.events;
  }

  readDelta(read: ReadDelta): string | null {
    const { open, block } = this;
    const type = SPOKEN[read.event];
    if (!open || block?.type !== type || this.hearsProduct || !read.isOf(open.messageId)) return null;
    this.isWaiting = false;
    const text = read.delta;
    block.text += text;
    open.pieces.push({ seq: read.seq, type, text });
    const at = this.nextHeard('messages');
    // Its other event has a number as well, which this reader does not hear.
    this.count += 1;
    return at === null ? '' : `id: ${at}\nevent: messages\ndata: ${deltaOf(at, read.timestamp, block, read.json)}\n\n`;
  }

  private tell({ method, data, seq }: TurnFrame, stretch: number): void {
    if (method === 'lifecycle') this.lives(data);
    else if (method === 'messages') this.speaks(data, seq);
    else if (method === 'tools') this.works(data);
    else if (method === 'custom:service') this.serves(data, seq, stretch);
  }

  private lives({ event, graph_name: name }: FrameData): void {
    if (typeof name === 'string') this.graph = { graph_name: name };
    // How it ends is told with the end.
    if (event === 'started') {
      this.say('lifecycle', () => ({ event, ...this.graph }));
      this.values();
    } else if (event === 'running') this.goOn();
  }

  private goOn(): void {
    const answered = this.interrupts.map(({ id }) => id);
    this.interrupts = [];
    this.waits = false;
    if (answered.length > 0) this.say('input.answered', () => ({ interrupt_ids: answered }));
    this.say('lifecycle', () => ({ event: 'running', ...this.graph }));
  }

  private speaks(data: FrameData, seq: number): void {
    const content = data['content'] as FrameData | undefined;
    switch (data.event) {
      case 'message-start':
        this.begin(String(data['id']), data['metadata'], seq);
        break;
      case 'content-block-start':
        if (content?.['type'] === 'tool_call_chunk') {
          this.closeBlock();
          this.say('messages', () => ({ event: 'content-block-start', index: this.blocks, content }));
        }
        break;
      case 'content-block-finish':
        if (content?.['type'] === 'tool_call') this.calls(content);
        else this.closeBlock();
        break;
      case 'message-finish':
        this.finish(data['usage'] as FrameData | undefined);
        break;
      default:
    }
  }

  private begin(messageId: string, metadata: unknown, seq: number): void {
    this.block = null;
    this.blocks = 0;
    const id = this.newId(messageId);
    this.open = { kind: 'ai', id, messageId, seq, pieces: [], calls: [], usage: null };
    this.added.push(this.open);
    const { threadId, turnId } = this.about;
    this.say('messages', () => ({
      event: 'message-start',
      role: 'ai',
      id,
      metadata: { ...(isPlainObject(metadata) ? metadata : {}), run_id: turnId, thread_id: threadId },
    }));
  }

  private spoken(type: Said, data: FrameData, seq: number): void {
    const messageId = String(data['message_id']);
    if (this.open?.messageId !== messageId) this.begin(messageId, {}, seq);
    if (this.block?.type !== type) {
      this.closeBlock();
      const index = this.blocks;
      this.block = { index, type, text: '' };
      this.blocks += 1;
      this.say('messages', () => ({ event: 'content-block-start', index, content: { type, [type]: '' } }));
    }
    const text = String(data['delta']);
    const { block } = this;
    block.text += text;
    this.open?.pieces.push({ seq, type, text });
    this.sayDelta(block.index, type, text);
  }

  private closeBlock(): void {
    const { block } = this;
    if (!block) return;
    this.block = null;
    const { index, type, text } = block;
    this.say('messages', () => ({ event: 'content-block-finish', index, content: { type, [type]: text } }));
  }

  private calls({ id, name, args }: FrameData): void {
    const index = this.blocks;
    this.blocks += 1;
    const content = toolCallOf(id, name, args);
    this.open?.calls.push(content);
    this.say('messages', () => ({ event: 'content-block-finish', index, content }));
  }

  private finish(usage: FrameData | undefined): void {
    this.closeBlock();
    const { input_tokens: input, output_tokens: output, total_tokens: total } = usage ?? {};
    const used = { input_tokens: input ?? 0, output_tokens: output ?? 0, total_tokens: total ?? 0 };
    if (this.open) this.open.usage = used;
    this.open = null;
    this.say('messages', () => ({ event: 'message-finish', usage: used }));
  }

  /** Begun again after a crash, or told twice: it is one call. */
  private works(data: FrameData): void {
    const id = String(data['tool_call_id']);
    const { event } = data;
    const told = event === 'tool-started' ? this.started : this.settled;
    if (event !== 'tool-output-delta') {
      if (told.has(id)) return;
      told.add(id);
    }
    const { tool_name, input, output, delta, message, code } = data;
    this.say('tools', () => ({ event, tool_call_id: id, tool_name, input, output, delta, message, code }));
  }

  private serves(data: FrameData, seq: number, stretch: number): void {
    switch (data.event) {
      case 'content-delta':
        this.spoken('text', data, seq);
        break;
      case 'reasoning-delta':
        this.spoken('reasoning', data, seq);
        break;
      case 'tool-execution':
        this.ran(data);
        break;
      case 'local-tool-call':
        this.asksHost(data, stretch);
        break;
      case 'agent-input-required': {
        const interaction = data['interaction'] as FrameData;
        this.interrupts = [{ id: String(interaction['id']), value: interaction }];
        break;
      }
      case 'step-restarted':
        this.restarted(Number(data['from_seq']));
        break;
      case 'error-occurred':
        this.error = `${String(data['code'])}: ${String(data['message'])}`;
        break;
      default:
    }
    this.say('custom', () => ({ name: 'service', payload: data }), 'custom:service');
  }

  private ran(data: FrameData): void {
    const callId = String(data['tool_call_id']);
    if (data['status'] === 'started' || this.run.has(callId)) return;
    this.run.add(callId);
    if (this.waits) this.goOn();
    const failure = data['error'] as FrameData | undefined;
    const content = failure ? `${String(failure['code'])}: ${String(failure['message'])}` : wordsOf(data['result']);
    const id = `${this.about.turnId}_${callId}`;
    const message = toolMessage({ id, callId, name: String(data['name']), content, failed: failure !== undefined });
    this.added.push({ kind: 'tool', message });
  }

  /** In the form in which LangGraph's clients run their own tools. */
  private asksHost(data: FrameData, stretch: number): void {
    const callId = String(data['call_id']);
    const id = callName({ turnId: this.about.turnId, stretch, callId });
    if (this.interrupts.some(({ value }) => (value as { toolCall?: JsonObject }).toolCall?.['id'] === callId)) return;
    const toolCall = { id: callId, name: String(data['name']), args: data['arguments'] ?? {} };
    this.interrupts.push({ id, value: { type: 'tool', toolCall } });
  }

  /** What the step had said is closed, taken back, and said anew under another id. */
  private restarted(fromSeq: number): void {
    if (this.open) {
      this.block = null;
      this.open = null;
      this.say('messages', () => ({ event: 'error', ...NOT_SAID }));
    }
    const kept = this.added.filter((entry) => {
      if (entry.kind === 'tool' || entry.seq < fromSeq) return true;
      entry.pieces = entry.pieces.filter(({ seq }) => seq < fromSeq);
      return entry.pieces.length > 0;
    });
    this.added.splice(0, this.added.length, ...kept);
    this.values();
  }

  /** Of this turn alone: who tells of it puts the transcript before them. */
  private values(): void {
    this.say('values', () => ({ messages: this.added.map(messageIn) }));
  }

  private requested(): void {
    for (const { id, value } of this.interrupts)
      this.say('input.requested', () => ({ interrupt_id: id, payload: value }));
  }

  /** Tools of the client's own are to be run; the turn goes on when their results are there. */
  private pause(): void {
    this.waits = true;
    this.values();
    this.requested();
    this.say('lifecycle', () => ({ event: 'interrupted', ...this.graph }));
  }

  private end(status: string): void {
    this.isWaiting = status === 'WAITING_INPUT';
    this.values();
    if (this.isWaiting) this.requested();
    const failure = status === 'FAILED' ? { error: this.error ?? 'The turn failed.' } : {};
    const event = status === 'FAILED' ? 'failed' : status === 'COMPLETED' ? 'completed' : 'interrupted';
    this.say('lifecycle', () => ({ event, ...this.graph, ...failure }));
    this.isOver = !this.isWaiting;
    if (this.isOver) this.added.length = 0;
  }

  private newId(wanted: string): string {
    let id = wanted;
    for (let n = 2; this.ids.has(id); n += 1) id = `${wanted}_${n}`;
    this.ids.add(id);
    return id;
  }

  /** Every event has its number, whether this reader hears it or not: so it is the same for each. */
  private say(method: string, data: () => object, channel = CHANNELS[method] ?? method): void {
    const seq = this.nextHeard(channel);
    if (seq === null) return;
    const id = String(seq);
    const params = { namespace: [], timestamp: this.now, data: data() };
    this.events.push({ id, event: method, data: { type: 'event', event_id: id, seq, method, params } });
  }

  /** As `say`. There are more of these than of all others together: what does not change is not made anew. */
  private sayDelta(index: number, type: Said, text: string): void {
    const seq = this.nextHeard('messages');
    if (seq === null) return;
    const data = deltaOf(seq, this.now, { index, type }, JSON.stringify(text));
    this.events.push({ id: String(seq), event: 'messages', data });
  }

  /** The number of the next event; null where this reader does not hear it. */
  private nextHeard(channel: string): number | null {
    this.count += 1;
    const seq = this.about.before + this.count;
    return seq <= this.about.since || !this.about.wants(channel) ? null : seq;
  }
}

const deltaOf = (
  seq: number,
  timestamp: number,
  { index, type }: { index: number; type: Said },
  json: string,
): string =>
  `{"type":"event","event_id":"${seq}","seq":${seq},"method":"messages","params":{"namespace":[],"timestamp":${timestamp},"data":` +
  `{"event":"content-block-delta","index":${index},"delta":{"type":"${type}-delta","${type}":${json}}}}}`;

const messageIn = (entry: Entry): JsonObject =>
  entry.kind === 'tool'
    ? entry.message
    : aiMessage({ ...entry, text: textOf(entry, 'text'), reasoning: textOf(entry, 'reasoning') });
