import { createHash } from 'node:crypto';
import { isPlainObject } from './json';
import { TimeSlice } from './time-slice';

const HASHED_AT_ONCE = 64 * 1024;

/** JSON with sorted keys and no white space: equal values give equal texts. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) {
    let items = '';
    for (let at = 0; at < value.length; at += 1) items += `${at > 0 ? ',' : ''}${canonicalJson(value[at] ?? null)}`;
    return `[${items}]`;
  }
  if (isPlainObject(value)) {
    let fields = '';
    for (const key of Object.keys(value).sort())
      if (value[key] !== undefined)
        fields += `${fields === '' ? '' : ','}${JSON.stringify(key)}:${canonicalJson(value[key])}`;
    return `{${fields}}`;
  }
  // undefined and functions have no JSON, against the declared type.
  // oxlint-disable-next-line typescript/no-unnecessary-condition -- the declared type is wrong
  return JSON.stringify(value) ?? 'null';
}

/** Yields the canonical JSON in chunks, for values too large to serialize at once. */
function* canonicalParts(value: unknown): Generator<string> {
  if (Array.isArray(value)) {
    yield '[';
    for (let at = 0; at < value.length; at += 1) {
      if (at > 0) yield ',';
      yield* canonicalParts(value[at] ?? null);
    }
    yield ']';
  } else if (isPlainObject(value)) {
    yield '{';
    let isFirst = true;
    for (const key of Object.keys(value).sort()) {
      if (value[key] === undefined) continue;
      yield `${isFirst ? '' : ','}${JSON.stringify(key)}:`;
      isFirst = false;
      yield* canonicalParts(value[key]);
    }
    yield '}';
  } else yield canonicalJson(value);
}

/** Does not split surrogate pairs. */
function* slicesOf(text: string): Generator<string> {
  for (let from = 0, to = 0; from < text.length; from = to) {
    to = from + HASHED_AT_ONCE;
    if (/[\uD800-\uDBFF]/.test(text.charAt(to - 1))) to += 1;
    yield text.slice(from, to);
  }
}

/** Stable id of a value: SHA-256 of its canonical JSON. */
export const fingerprint = (value: unknown): string =>
  createHash('sha256').update(canonicalJson(value)).digest('base64url');

/** As `fingerprint`, yielding to the event loop in between, for large values. */
export async function fingerprintOfLarge(value: unknown): Promise<string> {
  const pace = new TimeSlice();
  const hash = createHash('sha256');
  let text = '';
  for (const part of canonicalParts(value)) {
    text += part;
    if (text.length < HASHED_AT_ONCE) continue;
    if (pace.isDue) await pace.rest();
    for (const slice of slicesOf(text)) {
      hash.update(slice);
      if (pace.isDue) await pace.rest();
    }
    text = '';
  }
  return hash.update(text).digest('base64url');
}
