/**
 * A quick guess at the tokens of a text: four Latin characters to a token, most other letters one each.
 * Used where the tokenizer is out of reach or not worth the wait; it errs upwards rather than downwards.
 */
export function estimateTokens(text: string): number {
  if (text === '') return 0;
  const sample = text.length > 20_000 ? text.slice(0, 20_000) : text;
  const wide = sample.replaceAll(/[\u0000-\u024f]/gu, '').length;
  const tokens = (sample.length - wide) / 4 + wide;
  return Math.ceil((tokens * text.length) / sample.length);
}
