import { Injectable } from '@nestjs/common';
import { ThrottledBatch } from '@switchyard/concurrency';

interface ForwardedResponse {
  passOn(): void;
}

/** From so many pieces a millisecond on, to pass each on by itself takes an eighth of a core or more. */
const BATCHED_FROM_PER_MS = 4;
/** Over which time they are counted. */
const COUNTED_MS = 100;
const WINDOW_MS = 60;

/**
 * When the pieces of streams are read. The cost of passing a piece on hardly depends on its size. So under load, what
 * has come of all streams is read together, once in each window. The first words and the end of a stream do not wait.
 */
@Injectable()
export class BatchedStreamReads {
  private countedFrom = 0;
  private count = 0;
  private perMs = 0;
  private readonly pending = new ThrottledBatch<ForwardedResponse>(
    () => WINDOW_MS,
    (answers) => {
      for (const answer of answers) answer.passOn();
    },
  );

  get areBatched(): boolean {
    return this.perMs >= BATCHED_FROM_PER_MS && performance.now() - this.countedFrom < 2 * COUNTED_MS;
  }

  /** There is more of this answer than its reader has seen. */
  mark(answer: ForwardedResponse): void {
    this.count += 1;
    const now = performance.now();
    const tookMs = now - this.countedFrom;
    if (tookMs >= COUNTED_MS) {
      this.perMs = this.count / tookMs;
      this.countedFrom = now;
      this.count = 0;
    }
    if (this.areBatched) this.pending.add(answer);
    else answer.passOn();
  }
}
