/** Text of a JSON object: what cannot be read as one stays a text, and is refused where it is saved. */
export function objectOf(text: string): unknown {
  if (text.trim() === '') return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : text;
  } catch {
    return text;
  }
}

/** An object, or the text that is not one yet. */
export const textOfObject = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value);

export const textOfValue = (value: unknown): string =>
  value === undefined ? '' : typeof value === 'string' && !isJson(value) ? value : JSON.stringify(value);

export function valueOf(text: string): unknown {
  if (text === '') return undefined;
  return isJson(text) ? JSON.parse(text) : text;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

export const textOfHeaders = (headers: unknown): string =>
  typeof headers === 'object' && headers !== null
    ? Object.entries(headers)
        .map(([name, value]) => `${name}: ${String(value)}`)
        .join('\n')
    : '';

/** Undefined where none is written: those that are stored stay. */
export function headersOf(text: string): Record<string, string> | undefined {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  if (lines.length === 0) return undefined;
  return Object.fromEntries(
    lines.map((line) => {
      const at = line.indexOf(':');
      return at === -1 ? [line.trim(), ''] : [line.slice(0, at).trim(), line.slice(at + 1).trim()];
    }),
  );
}

export const wordsIn = (text: string): string[] | undefined => {
  const words = text.split(/[\s,]+/u).filter((word) => word !== '');
  return words.length === 0 ? undefined : words;
};
