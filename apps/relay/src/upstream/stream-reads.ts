import { Injectable } from '@nestjs/common';
import { Gathering } from '@switchyard/kernel';

interface Answer {
  letOut(): void;
}

/** With fewer open streams than this, each piece is passed on as it comes. */
const BATCHED_FROM_STREAMS = 32;
/** Each further stream makes the window a little longer. */
const STREAMS_PER_MS = 2;
const MAX_WINDOW_MS = 60;

/**
 * When the pieces of streams are read. To pass on a piece costs much the same whatever its size, so where many streams
 * are open, what has come of all of them is read in one batch every few milliseconds. The first words and the end of a
 * stream do not wait for it.
 */
@Injectable()
export class StreamReads {
  private open = 0;
  private readonly pending = new Gathering<Answer>(
    () => Math.min(MAX_WINDOW_MS, this.open / STREAMS_PER_MS),
    (answers) => {
      for (const answer of answers) answer.letOut();
    },
  );

  get areBatched(): boolean {
    return this.open >= BATCHED_FROM_STREAMS;
  }

  enter(): void {
    this.open += 1;
  }

  leave(): void {
    this.open -= 1;
  }

  /** There is more of this answer than its reader has seen. */
  mark(answer: Answer): void {
    if (this.areBatched) this.pending.add(answer);
    else answer.letOut();
  }
}
