// Tests read untyped responses: their shape is what is checked.
// oxlint-disable-next-line typescript/no-explicit-any
export type Answer = any;

/** Parsed when it is JSON, else the text as it came. */
export function parseAnswer(text: string): Answer {
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
