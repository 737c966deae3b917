import type { Projection, ProtocolEvent, TurnFrame } from './projection';

/**
 * Parts a turn where it waits for its client: at a question, an approval, or tools of the host application. Protocols
 * that answer each request in full tell such a stretch as an answer of its own. Where a turn is parted follows from its
 * frames alone.
 */
export class Stretches {
  /** Of the frame that is read next. */
  number = 1;
  private readonly running = new Set<string>();
  private readonly waiting = new Set<string>();
  private isNew = false;

  /** Whether this frame is the last one of its stretch. */
  read({ method, data }: TurnFrame): boolean {
    if (method !== 'custom:service') return false;
    switch (data.event) {
      case 'tool-execution':
        this.execution(String(data['tool_call_id']), data['name'] !== 'ask_user', data['status'] === 'started');
        break;
      case 'local-tool-call':
        this.waiting.add(String(data['call_id']));
        this.isNew = true;
        break;
      case 'stream-ended':
        return this.next();
      default:
        return false;
    }
    if (this.waiting.size === 0) this.isNew = false;
    // What the platform runs itself in the same step is told first.
    return this.isNew && [...this.running].every((id) => this.waiting.has(id)) && this.next();
  }

  private execution(id: string, isRun: boolean, isStarted: boolean): void {
    if (isStarted && isRun) this.running.add(id);
    if (isStarted) return;
    this.running.delete(id);
    this.waiting.delete(id);
  }

  private next(): boolean {
    this.number += 1;
    this.isNew = false;
    return true;
  }
}

/** Reads of a turn whether there is such a stretch: one that has begun, or that begins when its client's tools are done. */
export class Reached implements Projection {
  isOver = false;
  /** It begins when a question is answered. Whether that has happened stands in no frame that was read. */
  isAsked = false;
  private readonly stretches = new Stretches();

  /** `afterQuestion`: a stretch is reached where the question before it was asked, be it answered or not. */
  constructor(
    private readonly stretch: number,
    private readonly afterQuestion: boolean,
  ) {}

  read(frame: TurnFrame): ProtocolEvent[] {
    if (this.stretches.number >= this.stretch) this.isOver = true;
    else if (this.stretches.read(frame) && this.stretches.number >= this.stretch) {
      this.isAsked = frame.data.event === 'stream-ended' && frame.data['status'] === 'WAITING_INPUT';
      this.isOver = this.isAsked ? this.afterQuestion : frame.data.event !== 'stream-ended';
    }
    return [];
  }
}
