const FRAME = 128 * 1024;

/** Cuts a text into frames that are small enough to carry, never through a surrogate pair. */
export function* textFrames(text: string): Generator<string> {
  let start = 0;
  while (start < text.length) {
    let end = Math.min(text.length, start + FRAME);
    const last = text.charCodeAt(end - 1);
    if (end < text.length && last >= 0xd800 && last <= 0xdbff) end -= 1;
    yield text.slice(start, end);
    start = end;
  }
}
