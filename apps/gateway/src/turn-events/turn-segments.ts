import { type FrameHandlers, handleFrame, isFrame, type TurnFrame } from '@switchyard/contracts';
import type { Projection, ProtocolEvent } from './protocol-projection';

/**
 * Splits a turn into segments where it waits for its client: at a question, an approval, or tools of the host
 * application. Protocols that answer each request in full send each segment as one answer. The split follows from the
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

  /** Whether this frame is the last one of its segment. */
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
 * Finds whether a turn has such a segment: one that has begun, or begins when the client's tools are done.
 */
export class Reached implements Projection {
  isOver = false;
  /** The segment begins when a question is answered; the frames read so far do not show whether it was. */
  isRequested = false;
  private readonly segments = new TurnSegments();

  /** `afterQuestion`: a segment counts as reached once the question before it was asked. */
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
