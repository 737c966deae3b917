/** ASCII that JSON writes as it is. */
const PLAIN = /^[\u0020\u0021\u0023-\u005b\u005d-\u007e]*$/;
const ESCAPED = /["\\\u0000-\u001f\ud800-\udfff]/;

/**
 * Size of a value's JSON in bytes, without building it. Stops above `limit`; give one for values that may be large, or
 * ask the database for the size.
 */
export function jsonBytes(value: unknown, limit = Infinity): number {
  const stack: unknown[] = [value];
  let bytes = 0;
  while (stack.length > 0 && bytes <= limit) {
    const node = stack.pop();
    if (typeof node === 'string') bytes += textBytes(node, limit - bytes);
    else if (typeof node === 'number') bytes += numberBytes(node);
    else if (typeof node !== 'object' || node === null) bytes += node === false ? 5 : 4;
    else if (Array.isArray(node)) {
      bytes += 2 + Math.max(0, node.length - 1);
      if (bytes <= limit) for (const item of node) stack.push(item);
    } else if (hasToJson(node)) stack.push(node.toJSON());
    else bytes += fieldBytes(node, stack);
  }
  return bytes;
}

/**
 * A number with an exponent counts as it is written out, at most a few bytes more: the database keeps it so, and gives
 * three hundred digits for `1e308`.
 */
function numberBytes(value: number): number {
  if (!Number.isFinite(value)) return 4;
  const text = String(value);
  const at = text.indexOf('e');
  return at === -1 ? text.length : at + Math.abs(Number(text.slice(at + 1))) + 2;
}

const hasToJson = (node: object): node is { toJSON(): unknown } =>
  'toJSON' in node && typeof node.toJSON === 'function';

/** Braces, keys, colons and commas; the values are pushed on the stack. */
function fieldBytes(node: object, stack: unknown[]): number {
  let bytes = 2;
  let fields = 0;
  const values = node as Readonly<Record<string, unknown>>;
  for (const key of Object.keys(values)) {
    const child = values[key];
    if (child === undefined) continue;
    fields += 1;
    bytes += textBytes(key, Infinity) + 1;
    stack.push(child);
  }
  return bytes + Math.max(0, fields - 1);
}

function textBytes(text: string, limit: number): number {
  // A character is at least one byte, so this text is over the limit.
  if (text.length > limit) return text.length + 2;
  if (PLAIN.test(text)) return text.length + 2;
  return ESCAPED.test(text) ? Buffer.byteLength(JSON.stringify(text)) : Buffer.byteLength(text) + 2;
}
