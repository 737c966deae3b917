import type { StoredSize } from '@switchyard/messaging';
import { FrameSizeSegments } from '../../domain/frame-size-segments';

/** A process's view of the frames of one Space. */
export interface SpaceFrames {
  id: string;
  /** When a turn of it began here last. */
  usedAt: number;
  /** Bytes that its turns have written here since their sum was last compared with the bound. */
  unchecked: number;
  /** The sum over all processes, as it was found last. */
  storedBytes: number;
  /** It was over its bound, and is being freed. */
  isOver: boolean;
}

/** Counts the frames that one stretch of a turn writes. */
export class FrameUsage {
  /** Bytes that are not in the database yet. */
  unwritten = 0;
  /** Whether the database knows how the turn stands; a turn that goes on may be in it as one that has ended. */
  isCounted: boolean;
  /** Undefined: another process goes on with the turn. */
  isRunning: boolean | undefined = true;
  readonly segments: FrameSizeSegments;
  /** Whether earlier stretches of the turn wrote frames that may still be there. */
  hasEarlier: boolean;

  constructor(
    readonly key: string,
    readonly space: SpaceFrames,
    segmentBytes: number,
    isNew: boolean,
    private readonly noteFrames: (count: number) => void = () => undefined,
  ) {
    this.segments = new FrameSizeSegments(segmentBytes);
    this.isCounted = isNew;
    this.hasEarlier = !isNew;
  }

  get canBeCut(): boolean {
    return this.isRunning === true && (this.hasEarlier || this.segments.canBeCut);
  }

  /** `frames`: how many of them were written. */
  add(size: StoredSize, frames: number): void {
    this.noteFrames(frames);
    this.segments.add(size);
    this.unwritten += size.bytes;
    this.space.unchecked += size.bytes;
  }

  /** The stretch has ended: with the turn's end or pause, or because another process has the turn now. */
  end(isTakenOver: boolean): void {
    this.isRunning = isTakenOver ? undefined : false;
    this.isCounted = false;
  }
}
