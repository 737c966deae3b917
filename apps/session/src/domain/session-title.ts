import type { ContentItem } from '@switchyard/contracts';

const MAX_LENGTH = 80;

/** A title made of the first text that a user wrote; null when nothing was written. */
export function titleFrom(content: readonly ContentItem[]): string | null {
  const text = content.map((item) => (item.type === 'text' ? (item.text ?? '') : '')).join(' ');
  const line = text.replaceAll(/\s+/gu, ' ').trim();
  if (line === '') return null;
  const letters = Array.from(line);
  if (letters.length <= MAX_LENGTH) return line;
  const cut = letters.slice(0, MAX_LENGTH - 1).join('');
  const space = cut.lastIndexOf(' ');
  // One endless word is cut where it stands.
  return `${space > MAX_LENGTH / 2 ? cut.slice(0, space) : cut}…`;
}
