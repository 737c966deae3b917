import { Injectable } from '@nestjs/common';
import { Gathering } from '@switchyard/kernel';

interface Answer {
  letOut(): void;
}

/** With fewer streams than this, each piece is passed on as it comes. */
const CROWD = 32;
/** Each further stream lengthens the window a little. */
const STREAMS_PER_MS = 2;
/** What a reader may take for one movement. */
const MOST_MS = 60;

/**
 * When the pieces of streams are read. To pass on a piece costs much the same whatever its size: where many streams run,
 * what has come of all of them is read together every few milliseconds. First pieces and ends never wait.
 */
@Injectable()
export class StreamReads {
  private open = 0;
  private readonly come = new Gathering<Answer>(
    () => Math.min(MOST_MS, this.open / STREAMS_PER_MS),
    (answers) => {
      for (const answer of answers) answer.letOut();
    },
  );

  get areTogether(): boolean {
    return this.open >= CROWD;
  }

  enter(): void {
    this.open += 1;
  }

  leave(): void {
    this.open -= 1;
  }

  /** There is more of this answer than its reader has seen. */
  mark(answer: Answer): void {
    if (this.areTogether) this.come.add(answer);
    else answer.letOut();
  }
}
