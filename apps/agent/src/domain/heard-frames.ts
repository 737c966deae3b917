import type { OpenMessage } from './turn-state';

/** A message as far as readers have heard it. */
export interface HeardMessage extends OpenMessage {
  /** The number of its first frame. */
  seq: number;
  /** Blocks of calls that were begun, and those that were finished too. */
  begunCalls: Set<string>;
  calls: Set<string>;
  isFinished: boolean;
  /** Its beginning is kept no more: how much of it was said, nobody knows. */
  isCut: boolean;
}

/** The frames of a tool, each by its number: two say that it began, two what came of it. */
interface HeardCall {
  started?: number | undefined;
  shown?: number | undefined;
  settled?: number | undefined;
  done?: number | undefined;
}

interface Frame {
  method: string;
  params: { data: Record<string, unknown> };
  seq: number;
}

/** What the log has of a turn, frame by frame: as whoever hears them would understand them. */
export class HeardFrames {
  /** The number of the last frame. */
  last = 0;
  /** The status in the last frame, if that is an end: of the turn, or of a stretch of it. */
  endedAs: string | null = null;
  /** The interaction that was asked for last. */
  askedFor: string | null = null;
  /** Whether the knowledge that the turn began with was told. */
  hasEvidence = false;
  private first = 0;
  private messages: HeardMessage[] = [];
  private readonly calls = new Map<string, HeardCall>();

  /** Whether the first frame of the turn is kept. */
  get isWhole(): boolean {
    return this.first === 1;
  }

  /** The message that was begun last, if it was not finished. */
  get open(): HeardMessage | null {
    const newest = this.messages.at(-1);
    return newest && !newest.isFinished ? newest : null;
  }

  message(id: string | undefined): HeardMessage | undefined {
    return this.messages.findLast((message) => message.id === id);
  }

  call(id: string | undefined): Readonly<HeardCall> {
    return this.calls.get(id ?? '') ?? {};
  }

  take(text: string): void {
    const frame = JSON.parse(text) as Frame;
    const { method, params, seq } = frame;
    this.last = seq;
    if (this.first === 0) this.first = seq;
    this.endedAs = null;
    if (method === 'messages') this.takeMessage(params.data, seq);
    else if (method === 'tools') this.takeTool(params.data, seq);
    else if (method === 'custom:service') this.takeProduct(params.data, seq);
  }

  private takeProduct(data: Frame['params']['data'], seq: number): void {
    switch (data['event']) {
      case 'content-delta':
        this.named(data['message_id'] as string, seq).text += data['delta'] as string;
        break;
      case 'reasoning-delta':
        this.named(data['message_id'] as string, seq).reasoning += data['delta'] as string;
        break;
      case 'knowledge-evidence':
        this.hasEvidence = true;
        break;
      case 'tool-execution':
        this.callOf(data['tool_call_id'])[data['status'] === 'started' ? 'shown' : 'done'] = seq;
        break;
      case 'step-restarted':
        this.forgetSince(data['from_seq'] as number);
        break;
      case 'stream-ended':
        this.endedAs = String(data['status']);
        break;
      case 'agent-input-required':
        this.askedFor = (data['interaction'] as { id: string }).id;
    }
  }

  private takeMessage(data: Frame['params']['data'], seq: number): void {
    if (data['event'] === 'message-start') {
      this.begin(data['id'] as string, seq, false);
      return;
    }
    const message = this.open;
    if (!message) return;
    const content = data['content'] as { type: string; id: string } | undefined;
    const type = content?.type;
    if (data['event'] === 'message-finish') {
      message.isFinished = true;
      // What is said whole is not completed: the words of a long turn need not be kept.
      message.text = message.reasoning = '';
    } else if (data['event'] === 'content-block-start') {
      if (type === 'text' || type === 'reasoning') {
        message.block = { type, from: message[type].length };
        message.blocks += 1;
      } else message.begunCalls.add(content?.id ?? '');
    } else if (data['event'] === 'content-block-finish') {
      if (type === 'tool_call') message.calls.add(content?.id ?? '');
      else message.block = null;
    }
  }

  private takeTool(data: Frame['params']['data'], seq: number): void {
    const { event } = data;
    if (event === 'tool-started') this.callOf(data['toolCallId']).started = seq;
    else if (event === 'tool-finished' || event === 'tool-error') this.callOf(data['toolCallId']).settled = seq;
  }

  /** A step that is said anew: what was heard of it since is void, its calls included. */
  private forgetSince(seq: number): void {
    this.messages = this.messages.filter((message) => message.seq < seq);
    for (const call of this.calls.values())
      for (const part of ['started', 'shown', 'settled', 'done'] as const)
        if ((call[part] ?? 0) >= seq) call[part] = undefined;
  }

  private named(id: string, seq: number): HeardMessage {
    const newest = this.messages.at(-1);
    return newest?.id === id ? newest : this.begin(id, seq, true);
  }

  private begin(id: string, seq: number, isCut: boolean): HeardMessage {
    const message: HeardMessage = {
      id,
      seq,
      text: '',
      reasoning: '',
      announced: true,
      block: null,
      blocks: 0,
      begunCalls: new Set(),
      calls: new Set(),
      isFinished: false,
      isCut,
    };
    this.messages.push(message);
    return message;
  }

  private callOf(id: unknown): HeardCall {
    let call = this.calls.get(String(id));
    if (!call) this.calls.set(String(id), (call = {}));
    return call;
  }
}
