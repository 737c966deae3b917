import {
  type EvidenceItem,
  eventOf,
  type Frame,
  handleEvent,
  type Interaction,
  type TurnEventFields,
  type TurnEventHandlers,
} from '@switchyard/client';

type ToolRun = TurnEventFields<'toolExecution'>;

export type Block =
  | { type: 'text' | 'reasoning'; key: string; text: string }
  | { type: 'tool'; key: string; tool: ToolRun }
  | { type: 'evidence'; key: string; items: EvidenceItem[] }
  | { type: 'question'; key: string; interaction: Interaction }
  | { type: 'error'; key: string; code: string; message: string };

interface Piece {
  seq: number;
  text: string;
}

type Entry =
  | { type: 'text' | 'reasoning'; key: string; pieces: Piece[] }
  | Exclude<Block, { type: 'text' | 'reasoning' }>;

export interface Context {
  used: number;
  most: number;
}

/** The state of one turn, built from its frames in order. */
export class LiveTurn {
  readonly frames: Frame[] = [];
  sessionId: string | null = null;
  context: Context | null = null;
  status: TurnEventFields<'streamEnded'>['status'] = 'RUNNING';
  private readonly entries: Entry[] = [];

  add(frame: Frame): void {
    this.frames.push(frame);
    // A question has its answer when the turn says anything more.
    if (this.status === 'WAITING_INPUT') this.status = 'RUNNING';
    handleEvent(eventOf(frame), this.handlers);
  }

  private readonly handlers: TurnEventHandlers = {
    sessionStarted: ({ session_id: sessionId }) => {
      this.sessionId = sessionId;
      this.status = 'RUNNING';
    },
    contentDelta: (data, { seq }) => {
      this.append('text', data.message_id, seq, data.delta);
    },
    reasoningDelta: (data, { seq }) => {
      this.append('reasoning', data.message_id, seq, data.delta);
    },
    stepRestarted: ({ from_seq: fromSeq }) => {
      this.forget(fromSeq);
    },
    toolExecution: (tool) => {
      this.tool(tool);
    },
    knowledgeEvidence: ({ items }, { seq }) => {
      this.entries.push({ type: 'evidence', key: `evidence-${seq}`, items });
    },
    agentInputRequired: ({ interaction }) => {
      this.entries.push({ type: 'question', key: interaction.id, interaction });
    },
    contextUsage: ({ used_tokens: used, max_tokens: most }) => {
      this.context = { used, most };
    },
    errorOccurred: ({ code, message }, { seq }) => {
      this.entries.push({ type: 'error', key: `error-${seq}`, code, message });
    },
    streamEnded: ({ status }) => {
      this.status = status;
    },
  };

  get blocks(): Block[] {
    return this.entries
      .map((entry): Block =>
        'pieces' in entry
          ? { type: entry.type, key: entry.key, text: entry.pieces.map(({ text }) => text).join('') }
          : entry,
      )
      .filter((block) => !('text' in block) || block.text !== '');
  }

  /** Text goes on where it stopped; after a tool it begins anew, although its message is the same. */
  private append(type: 'text' | 'reasoning', messageId: string, seq: number, text: string): void {
    const last = this.entries.at(-1);
    if (last?.type === type && 'pieces' in last && last.key.startsWith(messageId)) last.pieces.push({ seq, text });
    else this.entries.push({ type, key: `${messageId}-${seq}`, pieces: [{ seq, text }] });
  }

  /** The step runs again: what it had said is void. */
  private forget(fromSeq: number): void {
    for (const entry of this.entries)
      if ('pieces' in entry) entry.pieces = entry.pieces.filter(({ seq }) => seq < fromSeq);
  }

  private tool(tool: ToolRun): void {
    const existing = this.entries.find((entry) => entry.type === 'tool' && entry.key === tool.tool_call_id);
    if (existing?.type === 'tool') existing.tool = { ...existing.tool, ...tool };
    else this.entries.push({ type: 'tool', key: tool.tool_call_id, tool });
  }
}
