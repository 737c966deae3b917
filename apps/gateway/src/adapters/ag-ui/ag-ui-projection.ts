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
import type { Projection, ProtocolEvent } from '../../turn-events/projection';
import { callName } from '../../turn-events/call-names';
import { StretchUsage } from '../../turn-events/stretch-usage';
import { Stretches } from '../../turn-events/stretches';
import { interruptOf } from './interrupt';
import { ownToolId } from './tool-ids';

export interface RunAbout {
  threadId: string;
  runId: string;
  turnId: string;
  /** Which stretch of the turn this run is: by its number, or as the one after an interaction. */
  from: { stretch: number } | { interactionId: string };
  /** The client's state: if output of this run became void, it gets a full snapshot. */
  messages: readonly JsonObject[];
}

interface Told {
  id: string;
  kind: 'text' | 'reasoning';
  /** Under which name the model's words were streamed. */
  messageId: string;
  pieces: { seq: number; text: string }[];
  /** The beginning and the end of the events that carry it: there are more of these than of all others together. */
  wire: [string, string];
}

type Entry = Told | JsonObject;

const isTold = (entry: Entry): entry is Told => 'pieces' in entry;
const wireOf = (kind: Told['kind'], id: string): Told['wire'] => [
  `{"type":"${kind === 'text' ? 'TEXT_MESSAGE_CONTENT' : 'REASONING_MESSAGE_CONTENT'}","timestamp":`,
  `,"messageId":${JSON.stringify(id)},"delta":`,
];
const deltaOf = ({ wire: [head, tail] }: Told, timestamp: number, json: string): string =>
  `${head}${timestamp}${tail}${json}}`;
const SPOKEN = { [PRODUCT_EVENTS.contentDelta]: 'text', [PRODUCT_EVENTS.reasoningDelta]: 'reasoning' } as const;
const textOf = ({ pieces }: Told): string => pieces.map(({ text }) => text).join('');
const wordsOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value ?? null));

/** One stretch of a turn in the events of an AG-UI run. */
export class AgUiProjection implements Projection {
  private readonly stretches = new Stretches();
  private readonly usage = new StretchUsage();
  /** Messages that this run has added to its thread. */
  private readonly added: Entry[] = [];
  private open: Told | null = null;
  private readonly runs = new Map<string, { isOver: boolean }>();
  private readonly ids = new Set<string>();
  private readonly waiting: string[] = [];
  private stretch: number;
  private steps = 0;
  private step: string | null = null;
  private interrupt: JsonObject | null = null;
  private error: { code: string; message: string } | null = null;
  private hasBegun = false;
  private ended = false;
  private events: ProtocolEvent[] = [];
  private now = 0;
  /** The messages of the thread that are not of this run. */
  private before: readonly JsonObject[];

  private readonly handlers: EveryProductEvent = {
    messageStart: () => this.nextStep(),
    sessionStarted: null,
    contentDelta: (data, { seq }) => this.spoken('text', data, seq),
    reasoningDelta: (data, { seq }) => this.spoken('reasoning', data, seq),
    toolExecution: (data) => this.ran(data),
    knowledgeEvidence: null,
    agentInputRequired: ({ interaction }) => {
      this.interrupt = interruptOf(interaction);
    },
    localToolCall: (data) => this.called(data),
    contextUsage: null,
    responseCompleted: null,
    turnPersistPending: null,
    stepRestarted: (data) => this.restarted(data.from_seq),
    errorOccurred: ({ code, message }) => {
      this.error = { code, message };
    },
    streamEnded: null,
  };

  constructor(private readonly about: RunAbout) {
    this.before = about.messages;
    this.stretch = 'stretch' in about.from ? about.from.stretch : Number.POSITIVE_INFINITY;
  }

  get isOver(): boolean {
    return this.ended;
  }

  read(frame: TurnFrame): ProtocolEvent[] {
    this.events = [];
    this.now = frame.timestamp;
    const { number } = this.stretches;
    const isMine = number === this.stretch;
    this.usage.read(frame, number < this.stretch);
    if (isMine) {
      if (!this.hasBegun) this.begin();
      handleFrame(frame, this.handlers);
    } else this.look(frame, number);
    if (this.stretches.read(frame) && isMine) this.finish(frame);
    return this.events;
  }

  readDelta(read: ReadDelta): string | null {
    const told = this.open;
    if (told?.kind !== SPOKEN[read.event] || !read.isOf(told.messageId)) return null;
    told.pieces.push({ seq: read.seq, text: read.delta });
    return `data: ${deltaOf(told, read.timestamp, read.json)}\n\n`;
  }

  cutOff({ code, message }: { code: string; message: string }): ProtocolEvent[] {
    return [{ data: { type: 'RUN_ERROR', timestamp: Date.now(), code, message } }];
  }

  private begin(): void {
    this.hasBegun = true;
    const { threadId, runId, turnId } = this.about;
    this.say('RUN_STARTED', { threadId, runId, protocolVersion: '1.0', metadata: { turnId } });
  }

  /** For the interaction that this run goes on after. */
  private look(frame: TurnFrame, number: number): void {
    const { from } = this.about;
    if (!('interactionId' in from) || !isFrame(frame, 'agentInputRequired')) return;
    if (frame.data.interaction.id === from.interactionId) this.stretch = number + 1;
  }

  /** A step is one call of a model, and the tools that it asks for. */
  private nextStep(): void {
    this.endStep();
    this.steps += 1;
    this.step = `step ${this.steps}`;
    this.say('STEP_STARTED', { stepName: this.step });
  }

  private endStep(): void {
    this.close();
    if (this.step !== null) this.say('STEP_FINISHED', { stepName: this.step });
    this.step = null;
  }

  private spoken(kind: Told['kind'], data: ProductFields<'contentDelta'>, seq: number): void {
    const { message_id: messageId, delta } = data;
    if (this.open?.kind !== kind || this.open.messageId !== messageId) {
      this.close();
      const id = this.newId(kind === 'text' ? messageId : `${messageId}_reasoning`);
      this.takeBack(id);
      this.open = { id, kind, messageId, pieces: [], wire: wireOf(kind, id) };
      this.added.push(this.open);
      if (kind === 'text') this.say('TEXT_MESSAGE_START', { messageId: id, role: 'assistant' });
      else {
        this.say('REASONING_START', { messageId: id });
        this.say('REASONING_MESSAGE_START', { messageId: id, role: 'reasoning' });
      }
    }
    this.open.pieces.push({ seq, text: delta });
    this.events.push({ data: deltaOf(this.open, this.now, JSON.stringify(delta)) });
  }

  private close(): void {
    const told = this.open;
    if (!told) return;
    this.open = null;
    if (told.kind === 'text') this.say('TEXT_MESSAGE_END', { messageId: told.id });
    else {
      this.say('REASONING_MESSAGE_END', { messageId: told.id });
      this.say('REASONING_END', { messageId: told.id });
    }
  }

  /**
   * The step is run again: what it had said is closed, taken back, and said anew under another id. The client keeps
   * what was thought unless it is told something else.
   */
  private restarted(fromSeq: number): void {
    this.endStep();
    const isVoid: Told[] = [];
    for (const told of this.added.filter(isTold)) {
      const kept = told.pieces.filter(({ seq }) => seq < fromSeq);
      if (kept.length < told.pieces.length) isVoid.push(told);
      told.pieces = kept;
    }
    if (isVoid.length === 0) return;
    const thoughts = isVoid.filter(({ kind, pieces }) => kind === 'reasoning' && pieces.length === 0);
    this.snapshot(thoughts.map(({ id }) => ({ id, role: 'reasoning', content: '' })));
  }

  /**
   * The client has a message of this run already: it was told the run before, and lost the connection. All that it has
   * of it is taken back, since it would be added to.
   */
  private takeBack(id: string): void {
    const at = this.before.findIndex((message) => message['id'] === id);
    if (at === -1) return;
    const thoughts = this.before.slice(at).filter(({ role }) => role === 'reasoning');
    this.before = this.before.slice(0, at);
    this.snapshot(thoughts.map((message) => ({ ...message, content: '' })));
  }

  private snapshot(more: JsonObject[] = []): void {
    const added = this.added.flatMap((entry): JsonObject[] => {
      if (!isTold(entry)) return [entry];
      const role = entry.kind === 'text' ? 'assistant' : 'reasoning';
      return entry.pieces.length === 0 ? [] : [{ id: entry.id, role, content: textOf(entry) }];
    });
    this.say('MESSAGES_SNAPSHOT', { messages: [...this.before, ...added, ...more] });
  }

  private ran(execution: ProductFields<'toolExecution'>): void {
    const { name, source, status, result, error } = execution;
    // Tools of the client have its own results; questions interrupt the run.
    if (source === 'local' || name === 'ask_user') return;
    const id = ownToolId(this.about.turnId, execution.tool_call_id);
    let run = this.runs.get(id);
    if (!run) {
      run = { isOver: false };
      this.runs.set(id, run);
      this.call(id, name, execution.arguments);
    }
    // Started again after a crash, or told twice: it is one call.
    if (status === 'started' || run.isOver) return;
    run.isOver = true;
    const content = error ? `${error.code}: ${error.message}` : wordsOf(result);
    const messageId = `${id}_result`;
    this.say('TOOL_CALL_RESULT', { messageId, toolCallId: id, content, role: 'tool' });
    this.added.push({ id: messageId, role: 'tool', toolCallId: id, content });
  }

  private called({ call_id: callId, name, arguments: args }: ProductFields<'localToolCall'>): void {
    const id = callName({ turnId: this.about.turnId, stretch: this.stretch, callId });
    if (this.waiting.includes(id)) return;
    this.waiting.push(id);
    this.call(id, name, args);
  }

  private call(id: string, name: string, args: unknown): void {
    this.close();
    this.takeBack(id);
    const text = JSON.stringify(args ?? {});
    this.say('TOOL_CALL_START', { toolCallId: id, toolCallName: name });
    this.say('TOOL_CALL_ARGS', { toolCallId: id, delta: text });
    this.say('TOOL_CALL_END', { toolCallId: id });
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
      this.say('RUN_ERROR', { ...this.error, usage });
      return;
    }
    const { threadId, runId } = this.about;
    this.say('RUN_FINISHED', { threadId, runId, outcome: this.outcome(status), usage });
  }

  private outcome(status: string): JsonObject {
    if (status === 'CANCELLED') return { type: 'cancelled' };
    if (status === 'WAITING_INPUT' && this.interrupt) return { type: 'interrupt', interrupts: [this.interrupt] };
    return { type: 'success', ...(status === 'WAITING_TOOLS' ? { pendingToolCallIds: this.waiting } : {}) };
  }

  private newId(wanted: string): string {
    let id = wanted;
    for (let n = 2; this.ids.has(id); n += 1) id = `${wanted}_${n}`;
    this.ids.add(id);
    return id;
  }

  private say(type: string, fields: object): void {
    this.events.push({ data: { type, timestamp: this.now, ...fields } });
  }
}
