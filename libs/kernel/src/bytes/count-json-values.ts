const QUOTE = 34;
const COMMA = 44;
const BACKSLASH = 92;
const OPEN_LIST = 91;
const OPEN_OBJECT = 123;

/**
 * Upper bound of the number of values in a JSON text (an empty list counts as two); stops at `most`. Builds nothing.
 */
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

const NEW_LINE = 10;
const RETURN = 13;

/**
 * Counts the values of JSON or server-sent events that arrive in chunks. Every line is counted by itself, so a stray
 * quote hides only the rest of its line.
 */
export class ValueCounter {
  private inString = false;
  private isEscaped = false;

  /** Upper bound of the values that begin in this chunk. */
  count(piece: Uint8Array): number {
    let count = 0;
    for (const sign of piece) {
      if (sign === NEW_LINE || sign === RETURN) this.inString = this.isEscaped = false;
      else if (!this.inString) {
        if (sign === QUOTE) this.inString = true;
        else if (sign === COMMA || sign === OPEN_LIST || sign === OPEN_OBJECT) count += 1;
      } else if (this.isEscaped) this.isEscaped = false;
      else if (sign === BACKSLASH) this.isEscaped = true;
      else if (sign === QUOTE) this.inString = false;
    }
    return count;
  }
}

/** Approximate memory of a value besides its text: a list of empty objects takes twenty times its text. */
export const VALUE_BYTES = 64;

/** Number of values in parsed JSON, without recursion; stops at `most`. */
export function valuesIn(value: unknown, most = Infinity): number {
  const stack: object[] = typeof value === 'object' && value !== null ? [value] : [];
  let count = 1;
  for (let node = stack.pop(); node !== undefined && count <= most; node = stack.pop()) {
    const children: unknown[] = Array.isArray(node) ? node : Object.values(node);
    count += children.length;
    for (const child of children) if (typeof child === 'object' && child !== null) stack.push(child);
  }
  return count;
}
