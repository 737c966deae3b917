import { type FrameHandlers, handleFrame, isFrame, type TurnFrame } from '@switchyard/contracts';
import type { Projection, ProtocolEvent } from './projection';

/**
 * Parts a turn where it waits for its client: at a question, an approval, or tools of the host application. Protocols
 * that answer each request in full tell such a stretch as an answer of its own. Where a turn is parted follows from its
 * frames alone.
 */
export class TurnSegments {
  /** Of the frame that is read next. */
  number = 1;
  private readonly running = new Set<string>();
  private readonly waiting = new Set<string>();
  private isNew = false;

  private readonly handlers: FrameHandlers<boolean> = {
    toolExecution: ({ tool_call_id: id, name, status }) => {
      this.execution(id, name !== 'ask_user', status === 'started');
      return this.endsHere();
    },
    localToolCall: ({ call_id: id }) => {
      this.waiting.add(id);
      this.isNew = true;
      return this.endsHere();
    },
    streamEnded: () => this.next(),
  };

  /** Whether this frame is the last one of its stretch. */
  read(frame: TurnFrame): boolean {
    return handleFrame(frame, this.handlers) ?? false;
  }

  private endsHere(): boolean {
    if (this.waiting.size === 0) this.isNew = false;
    // Calls that the platform runs in the same step are sent first.
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

/**
 * Reads of a turn whether there is such a segment: one that has begun, or that begins when its client's tools are done.
 */
export class Reached implements Projection {
  isOver = false;
  /** It begins when a question is answered. Whether that has happened stands in no frame that was read. */
  isRequested = false;
  private readonly segments = new TurnSegments();

  /** `afterQuestion`: a stretch is reached where the question before it was asked, be it answered or not. */
  constructor(
    private readonly segment: number,
    private readonly afterQuestion: boolean,
  ) {}

  read(frame: TurnFrame): ProtocolEvent[] {
    if (this.segments.number >= this.segment) this.isOver = true;
    else if (this.segments.read(frame) && this.segments.number >= this.segment) {
      const ends = isFrame(frame, 'streamEnded');
      this.isRequested = ends && frame.data.status === 'WAITING_INPUT';
      this.isOver = this.isRequested ? this.afterQuestion : !ends;
    }
    return [];
  }
}
