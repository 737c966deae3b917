/** Stored size of frames. */
interface FrameSize {
  bytes: number;
  messages: number;
}

/** Sizes of a turn's frames in segments, so that the oldest can be removed. */
export class FrameSizeSegments {
  /** Oldest first. The last one is still written to. */
  private segments: FrameSize[] = [{ bytes: 0, messages: 0 }];

  constructor(private readonly segmentBytes: number) {}

  add(size: FrameSize): void {
    let last = this.segments.at(-1);
    if (!last || last.bytes >= this.segmentBytes) {
      last = { bytes: 0, messages: 0 };
      this.segments.push(last);
    }
    last.bytes += size.bytes;
    last.messages += size.messages;
  }

  get canBeCut(): boolean {
    return this.segments.length > 1;
  }

  /** Cuts whole segments off until at least `excess` bytes are gone, but never the last one; answers what is left. */
  cut(excess: number): FrameSize {
    let freed = 0;
    while (freed < excess && this.segments.length > 1) freed += this.segments.shift()?.bytes ?? 0;
    return this.segments.reduce(
      (sum, { bytes, messages }) => ({ bytes: sum.bytes + bytes, messages: sum.messages + messages }),
      { bytes: 0, messages: 0 },
    );
  }
}
