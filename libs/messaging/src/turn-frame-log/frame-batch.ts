/** Frames of one turn that were written together. Frames contain no raw line break, so they are joined by one. */
export interface FrameBatch {
  firstSeq: number;
  frames: string[];
}

export const joinFrames = (frames: readonly string[]): string => frames.join('\n');

export const unpackFrames = (bytes: Uint8Array): string[] =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString().split('\n');

/** The frames of a batch after a number; null if frames before the batch are missing. */
export function framesAfter(batch: FrameBatch, after: number): string[] | null {
  if (batch.firstSeq > after + 1) return null;
  return batch.frames.slice(after + 1 - batch.firstSeq);
}
