import { invalid } from '@switchyard/kernel';

/** Where the value of a top-level key stands in the text. */
export interface KeySpan {
  key: string;
  start: number;
  end: number;
}

const QUOTE = 34;
const BACKSLASH = 92;

const isSpace = (code: number): boolean => code === 32 || code === 10 || code === 13 || code === 9;

function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let slashes = 0;
    while (text.charCodeAt(at - 1 - slashes) === BACKSLASH) slashes += 1;
    if (slashes % 2 === 0) return at + 1;
  }
  return text.length;
}

function endOfValue(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = endOfString(text, at) - 1;
      if (depth === 0) return at + 1;
    } else if (code === 0x7b || code === 0x5b) depth += 1;
    else if (code === 0x7d || code === 0x5d) {
      if (depth === 0) return at;
      depth -= 1;
      if (depth === 0) return at + 1;
    } else if (depth === 0 && (code === 0x2c || isSpace(code))) return at;
  }
  return text.length;
}

/** The top-level keys of a JSON object that JSON.parse has accepted. */
export function* spansOf(text: string): Generator<KeySpan, void> {
  let at = text.indexOf('{') + 1;
  for (;;) {
    while (isSpace(text.charCodeAt(at)) || text.charCodeAt(at) === 0x2c) at += 1;
    if (text.charCodeAt(at) !== QUOTE) return;
    const keyEnd = endOfString(text, at);
    const key = JSON.parse(text.slice(at, keyEnd)) as string;
    at = keyEnd;
    while (isSpace(text.charCodeAt(at)) || text.charCodeAt(at) === 0x3a) at += 1;
    const end = endOfValue(text, at);
    yield { key, start: at, end };
    at = end;
  }
}

/**
 * The same of a body. A key that stands twice is refused: readers disagree on which one counts, and what is metered
 * must be what the upstream reads.
 */
export function topLevelKeys(text: string): KeySpan[] {
  const spans: KeySpan[] = [];
  const seen = new Set<string>();
  for (const span of spansOf(text)) {
    if (seen.has(span.key)) throw invalid(span.key, 'must not stand in the body twice');
    seen.add(span.key);
    spans.push(span);
  }
  return spans;
}

/** Replaces or adds top-level values and leaves every other byte of the text as it was. */
export function setTopLevel(
  text: string,
  spans: readonly KeySpan[],
  values: Readonly<Record<string, unknown>>,
): string {
  let result = text;
  const byKey = new Map(spans.map((span) => [span.key, span]));
  const replaced = Object.entries(values)
    .map(([key, value]) => ({ span: byKey.get(key), key, json: JSON.stringify(value) }))
    .sort((a, b) => (b.span?.start ?? 0) - (a.span?.start ?? 0));
  for (const { span, key, json } of replaced) {
    if (span) result = result.slice(0, span.start) + json + result.slice(span.end);
    else {
      const open = result.indexOf('{') + 1;
      result = `${result.slice(0, open)}${JSON.stringify(key)}:${json}${spans.length > 0 ? ',' : ''}${result.slice(open)}`;
    }
  }
  return result;
}
