import { seqOfFrame } from '@switchyard/contracts';
import { type FrameBatch, framesAfter, unpackFrames } from './frame-batch';
import type { Pulled } from './frame-puller';

/** Brings the batches of one turn into their order, and leaves out what a holder wrote who was one no more. */
export class BatchOrder {
  /** Whether there was anything to read at all. */
  any = false;
  private waiting: FrameBatch[] = [];
  private epoch = 0;

  /** `after`: the number that the reader has; null to begin with whatever is kept. */
  constructor(private after: number | null) {}

  get last(): number {
    return this.after ?? 0;
  }

  /** Batches that came before others which belong in front of them. */
  get early(): number {
    return this.waiting.length;
  }

  take({ bytes, epoch }: Pulled): string[][] {
    if (epoch < this.epoch) return [];
    // What of the earlier holder still waited for its predecessors waits for ever: the new one begins before it.
    if (epoch > this.epoch) this.waiting = [];
    this.epoch = epoch;
    if (bytes.byteLength === 0) return [];
    this.any = true;
    const frames = unpackFrames(bytes);
    const firstSeq = seqOfFrame(frames[0] ?? '');
    this.after ??= firstSeq - 1;
    this.waiting.push({ firstSeq, frames });
    this.waiting.sort((a, b) => a.firstSeq - b.firstSeq);
    return [...this.inOrder()];
  }

  private *inOrder(): Generator<string[]> {
    for (let next = this.waiting[0]; next !== undefined; next = this.waiting[0]) {
      const fresh = framesAfter(next, this.last);
      if (fresh === null) return;
      this.waiting.shift();
      if (fresh.length === 0) continue;
      this.after = this.last + fresh.length;
      yield fresh;
    }
  }
}
