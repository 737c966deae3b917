const MIB = 1024 * 1024;
const MOST_FRAMES = 2048;
const MOST_BYTES = 4 * MIB;
const PACE_EVERY_FRAMES = 256;
const PACE_EVERY_BYTES = MIB;

export interface SentFrame {
  /** Counted from 1 in each answer. */
  number: number;
  /** A reply to this frame confirms all up to it. */
  isPace: boolean;
}

/** How many frames of one answer are ahead of their reader. */
export class FrameWindow {
  private frames = 0;
  private bytes = 0;
  private confirmed = { frames: 0, bytes: 0 };
  /** Frames that can be confirmed, with the bytes up to each. */
  private readonly marks = new Map<number, number>();
  private pacedMib = 0;

  /** Whether a frame of so many bytes has to wait. The first after a confirmation never does. */
  isFullFor(bytes: number): boolean {
    const unconfirmed = this.frames - this.confirmed.frames;
    if (unconfirmed === 0) return false;
    return unconfirmed >= MOST_FRAMES || this.bytes - this.confirmed.bytes + bytes > MOST_BYTES;
  }

  add(bytes: number): SentFrame {
    this.frames += 1;
    this.bytes += bytes;
    const mib = Math.floor(this.bytes / PACE_EVERY_BYTES);
    const isPace = this.frames % PACE_EVERY_FRAMES === 0 || mib > this.pacedMib;
    this.pacedMib = mib;
    if (isPace) this.marks.set(this.frames, this.bytes);
    return { number: this.frames, isPace };
  }

  /** False if this frame carried no request to be confirmed, or was confirmed already. */
  confirm(number: number): boolean {
    const bytes = this.marks.get(number);
    if (bytes === undefined) return false;
    for (const mark of this.marks.keys()) if (mark <= number) this.marks.delete(mark);
    this.confirmed = { frames: number, bytes };
    return true;
  }
}
