const ESCAPED = /["\\\u0000-\u001f\ud800-\udfff]/;

/**
 * How many bytes the JSON of a value has, without building that JSON. The count stops once it is over `limit`: the
 * answer is then some number over the limit, and the rest of the value has not been looked at. For a value that may be
 * very large, give a limit, or better, ask the database for its size.
 */
export function jsonBytes(value: unknown, limit = Infinity): number {
  const stack: unknown[] = [value];
  let bytes = 0;
  while (stack.length > 0 && bytes <= limit) {
    const node = stack.pop();
    if (typeof node === 'string') bytes += textBytes(node, limit - bytes);
    else if (typeof node === 'number') bytes += Number.isFinite(node) ? String(node).length : 4;
    else if (typeof node !== 'object' || node === null) bytes += node === false ? 5 : 4;
    else if (Array.isArray(node)) {
      bytes += 2 + Math.max(0, node.length - 1);
      if (bytes <= limit) for (const item of node) stack.push(item);
    } else if (hasToJson(node)) stack.push(node.toJSON());
    else bytes += fieldBytes(node, stack);
  }
  return bytes;
}

const hasToJson = (node: object): node is { toJSON(): unknown } =>
  'toJSON' in node && typeof node.toJSON === 'function';

/** Braces, keys, colons and commas; the values go on the stack. */
function fieldBytes(node: object, stack: unknown[]): number {
  let bytes = 2;
  let fields = 0;
  for (const [key, child] of Object.entries(node)) {
    if (child === undefined) continue;
    fields += 1;
    bytes += textBytes(key, Infinity) + 1;
    stack.push(child);
  }
  return bytes + Math.max(0, fields - 1);
}

function textBytes(text: string, limit: number): number {
  // A character is at least one byte: a text with more characters than the limit needs no closer look.
  if (text.length > limit) return text.length + 2;
  return ESCAPED.test(text) ? Buffer.byteLength(JSON.stringify(text)) : Buffer.byteLength(text) + 2;
}
