export const DIMENSIONS = 384;

const WORD_WEIGHT = 1;
const TRIGRAM_WEIGHT = 0.35;

/** FNV-1a, finished with a stir so that near strings land far apart. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  value = Math.imul(value ^ (value >>> 16), 0x7feb352d);
  value = Math.imul(value ^ (value >>> 15), 0x846ca68b);
  return (value ^ (value >>> 16)) >>> 0;
}

function add(vector: Float64Array, feature: string, weight: number): void {
  const bits = hash(feature);
  const at = bits % vector.length;
  vector[at] = (vector[at] ?? 0) + ((bits & 0x80000000) === 0 ? weight : -weight);
}

/** A unit vector of the text's words and their character trigrams: like texts are near, equal texts are equal. */
export function embed(text: string, dimensions = DIMENSIONS): Float32Array {
  const sums = new Float64Array(dimensions);
  for (const word of text
    .normalize('NFKC')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? []) {
    add(sums, word, WORD_WEIGHT);
    const padded = `^${word}$`;
    for (let i = 0; i + 3 <= padded.length; i += 1) add(sums, `#${padded.slice(i, i + 3)}`, TRIGRAM_WEIGHT);
  }
  let length = Math.sqrt(sums.reduce((sum, value) => sum + value * value, 0));
  if (length === 0) {
    // No words, or words that cancel out: still a unit vector, and the same one each time.
    add(sums, `whole:${text}`, 1);
    length = 1;
  }
  return Float32Array.from(sums, (value) => value / length);
}
