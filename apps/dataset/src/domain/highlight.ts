import { SPACELESS } from './scripts-without-spaces';

/** Characters of the private-use area: they stand for the marks until the text around them is escaped. */
export const MARK = { start: '\uE000', stop: '\uE001' } as const;

/**
 * Control characters that stand for `<` and `>` while an excerpt is made: what they enclose would be left out of it.
 */
export const BRACKETS = '\u0002\u0003';

/** These markers must not occur in stored text. */
export const MARKER_CHARACTERS = `${BRACKETS}${MARK.start}${MARK.stop}`;
const MARKERS = new RegExp(`[${MARKER_CHARACTERS}]`, 'g');

const ESCAPES: Record<string, string> = {
  '\u0002': '&lt;',
  '\u0003': '&gt;',
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const AROUND = 60;

/** An excerpt as HTML that is safe to show; nothing when no word was marked in it. */
export function shownExcerpt(marked: string): string | null {
  if (!marked.includes(MARK.start)) return null;
  return marked
    .replace(/[\u0002\u0003&<>"']/g, (character) => ESCAPES[character] ?? '')
    .replaceAll(MARK.start, '<mark>')
    .replaceAll(MARK.stop, '</mark>');
}

const RUN = new RegExp(`[${SPACELESS}]+`, 'gu');

export const spacelessWords = (query: string): string[] => [...new Set(query.match(RUN) ?? [])];

/** Marks words in a text that has no spaces to find them by, and cuts the text around the first one. */
export function markWords(text: string, words: readonly string[]): string {
  const slots = words.map((word) => text.indexOf(word)).filter((index) => index >= 0);
  if (slots.length === 0) return '';
  const start = Math.max(0, Math.min(...slots) - AROUND);
  const cut = text
    .slice(start, start + AROUND * 4)
    .toWellFormed()
    .replace(MARKERS, ' ');
  return words.reduce((marked, word) => marked.replaceAll(word, `${MARK.start}${word}${MARK.stop}`), cut);
}
