/** Frames of one turn that were written together. The text of a frame has no raw line break, so one joins them. */
export interface FrameBatch {
  firstSeq: number;
  frames: string[];
}

export const joinFrames = (frames: readonly string[]): string => frames.join('\n');

export const unpackFrames = (bytes: Uint8Array): string[] =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString().split('\n');

/** What may be cut from a batch that begins earlier than the reader wants; null where frames before it are missing. */
export function framesAfter(batch: FrameBatch, after: number): string[] | null {
  if (batch.firstSeq > after + 1) return null;
  return batch.frames.slice(after + 1 - batch.firstSeq);
}
