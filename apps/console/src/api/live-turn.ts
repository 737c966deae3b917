import { type EvidenceItem, type Frame, type Interaction, type TurnEventData, eventOf } from '@switchyard/client';

type ToolRun = TurnEventData['tool.execution'];

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

/** What the frames of one turn add up to, in the order in which it came. */
export class LiveTurn {
  readonly frames: Frame[] = [];
  sessionId: string | null = null;
  context: Context | null = null;
  status: TurnEventData['stream.ended']['status'] = 'RUNNING';
  private readonly entries: Entry[] = [];

  add(frame: Frame): void {
    this.frames.push(frame);
    // A question has its answer when the turn says anything more.
    if (this.status === 'WAITING_INPUT') this.status = 'RUNNING';
    const event = eventOf(frame);
    switch (event?.name) {
      case 'session.started':
        this.sessionId = event.data.session_id;
        this.status = 'RUNNING';
        return;
      case 'content.delta':
        return this.append('text', event.data.message_id, event.seq, event.data.delta);
      case 'reasoning.delta':
        return this.append('reasoning', event.data.message_id, event.seq, event.data.delta);
      case 'step.restarted':
        return this.forget(event.data.from_seq);
      case 'tool.execution':
        return this.tool(event.data);
      case 'knowledge.evidence':
        this.entries.push({ type: 'evidence', key: `evidence-${event.seq}`, items: event.data.items });
        return;
      case 'agent.input.required':
        this.entries.push({
          type: 'question',
          key: event.data.interaction.id,
          interaction: event.data.interaction,
        });
        return;
      case 'context.usage':
        this.context = { used: event.data.used_tokens, most: event.data.max_tokens };
        return;
      case 'error.occurred':
        this.entries.push({ type: 'error', key: `error-${event.seq}`, ...event.data });
        return;
      case 'stream.ended':
        this.status = event.data.status;
        return;
      default:
    }
  }

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
    const known = this.entries.find((entry) => entry.type === 'tool' && entry.key === tool.tool_call_id);
    if (known?.type === 'tool') known.tool = { ...known.tool, ...tool };
    else this.entries.push({ type: 'tool', key: tool.tool_call_id, tool });
  }
}
