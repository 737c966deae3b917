const QUOTE = 34;
const COMMA = 44;
const BACKSLASH = 92;
const OPEN_LIST = 91;
const OPEN_OBJECT = 123;

/** How many values a JSON text has at most (an empty list counts as two), counted no further than `most`: a look at each character, nothing is built. */
export function countValues(text: string, most: number): number {
  let count = 1;
  let inString = false;
  for (let at = 0; at < text.length && count <= most; at += 1) {
    const sign = text.charCodeAt(at);
    if (inString) {
      if (sign === BACKSLASH) at += 1;
      else if (sign === QUOTE) inString = false;
    } else if (sign === QUOTE) inString = true;
    else if (sign === COMMA || sign === OPEN_LIST || sign === OPEN_OBJECT) count += 1;
  }
  return count;
}
