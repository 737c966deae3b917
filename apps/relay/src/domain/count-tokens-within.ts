export type CountPlain = (text: string) => number;

const SLICE = 4096;
const SHORT_SLICE = 128;
/** A tokenizer takes a run of one kind of character as one piece, and its time grows with the square of the run. */
const LONG_RUN = /[\p{L}\p{M}\p{Cf}]{128}|[^\s\p{L}\p{N}]{128}|\s{128}/u;

/**
 * Tokens of a text in time that grows with its length alone: texts are cut into slices, runs without a break into
 * shorter ones, which is off by a token a slice at most. When the time is up, the bytes of the rest count: no text has
 * more tokens than bytes.
 */
export function countWithin(text: string, count: CountPlain, isTimeUp: () => boolean): number {
  let tokens = 0;
  for (let at = 0; at < text.length; at += SLICE) {
    if (isTimeUp()) return tokens + Buffer.byteLength(text.slice(at));
    const slice = text.slice(at, at + SLICE);
    if (!LONG_RUN.test(slice)) tokens += count(slice);
    else
      for (let part = 0; part < slice.length; part += SHORT_SLICE)
        tokens += count(slice.slice(part, part + SHORT_SLICE));
  }
  return tokens;
}
