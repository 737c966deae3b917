export interface TextSlice {
  /** Of which text it is a part. */
  index: number;
  text: string;
}

/** Texts in groups of at most so many bytes; a longer text is cut into several slices. */
export function* tokenPieces(texts: readonly string[], maxBytes: number): Generator<TextSlice[]> {
  let piece: TextSlice[] = [];
  let bytes = 0;
  for (const [index, text] of texts.entries()) {
    for (const slice of slicesOf(text, maxBytes)) {
      const own = Buffer.byteLength(slice);
      if (piece.length > 0 && bytes + own > maxBytes) {
        yield piece;
        piece = [];
        bytes = 0;
      }
      piece.push({ index, text: slice });
      bytes += own;
    }
  }
  if (piece.length > 0) yield piece;
}

function* slicesOf(text: string, maxBytes: number): Generator<string> {
  if (text === '') return;
  // Three bytes to a UTF-16 unit at most.
  if (text.length * 3 <= maxBytes || Buffer.byteLength(text) <= maxBytes) {
    yield text;
    return;
  }
  const length = Math.max(1, Math.floor(maxBytes / 3));
  for (let at = 0; at < text.length; at += length) yield text.slice(at, at + length);
}
