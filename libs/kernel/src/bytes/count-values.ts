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

const NEW_LINE = 10;
const RETURN = 13;

/**
 * The same of a text that comes in pieces, as bytes: JSON, or JSON in server-sent events. A text of JSON ends with its
 * line at the latest, so a stray quote hides nothing that comes after it.
 */
export class ValueCounter {
  private inString = false;
  private isEscaped = false;

  /** How many values begin in this piece, at most. */
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

/** Roughly the memory of a value beside its text: a list of empty objects takes twenty times its text. */
export const VALUE_BYTES = 64;

/** How many values parsed JSON has, without recursion; once there are more than `most`, the rest is not looked at. */
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
