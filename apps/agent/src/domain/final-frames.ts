import { frameTexts, seqOfFrame } from '@switchyard/contracts';
import type { TurnState } from './turn-state';

/**
 * The frames up to `lastSeq` that were written and not confirmed when their turn was stored, joined by line breaks.
 * They are stored with it: if its process dies, readers get them from there.
 */
export interface FinalFrames {
  firstSeq: number;
  lastSeq: number;
  text: string;
}

/** A turn as it is stored while it runs or waits. Versions before have no `finalFrames`. */
export interface Checkpoint {
  state: TurnState;
  /** Number of the last frame. */
  seq: number;
  finalFrames?: FinalFrames;
}

/** Of more text than this, the newest frames are stored. */
export const FINAL_FRAMES_CHARS = 64 * 1024;

/** `texts` are frames that follow each other, the last of them with the number `lastSeq`. */
export function newestFrames(texts: readonly string[], lastSeq: number): FinalFrames {
  const all = texts.join('\n');
  const excess = all.length - FINAL_FRAMES_CHARS;
  const cut = excess > 0 ? all.indexOf('\n', excess - 1) : -1;
  const text = excess <= 0 ? all : cut < 0 ? '' : all.slice(cut + 1);
  return { firstSeq: lastSeq - frameTexts(text).length + 1, lastSeq, text };
}

/** Whether they are all that the turn had written by then. */
export const isFromFirst = (final: FinalFrames | undefined): boolean => final?.firstSeq === 1 && final.lastSeq > 0;

/** Those behind the number `last`; null if they do not follow it, so that readers of the log would miss some. */
export function finalFramesAfter(final: FinalFrames, last: number): readonly string[] | null {
  if (final.lastSeq <= last) return [];
  if (final.firstSeq > last + 1) return null;
  const frames = frameTexts(final.text).slice(last + 1 - final.firstSeq);
  return frames.every((frame, at) => seqOfFrame(frame) === last + 1 + at) ? frames : null;
}
