import { seqOfFrame } from '@switchyard/contracts';
import { type FrameBatch, framesAfter, unpackFrames } from './frame-batch';
import type { Pulled } from './frame-puller';

/** Reorders the batches of a turn, and drops those of a holder that had lost its lease. */
export class FrameReorderBuffer {
  /** Whether any batch was read. */
  any = false;
  private waiting: FrameBatch[] = [];
  private epoch = 0;

  /** `after`: the reader's last number; null to start with the first stored frame. */
  constructor(private after: number | null) {}

  get last(): number {
    return this.after ?? 0;
  }

  /** Batches that arrived before their predecessors. */
  get early(): number {
    return this.waiting.length;
  }

  take({ bytes, epoch }: Pulled): string[][] {
    if (epoch < this.epoch) return [];
    // Batches of the previous holder that still wait for a predecessor are dropped: the new one starts before them.
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
