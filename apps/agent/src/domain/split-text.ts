import type { ContentItem } from '@switchyard/contracts';

/** Fits one content item, in bytes too. */
const PIECE_CHARS = 256 * 1024;

/** A model's text as content items, of which each may hold so much only. */
export function textItems(text: string): ContentItem[] {
  const items: ContentItem[] = [];
  for (let from = 0; from < text.length;) {
    let to = Math.min(from + PIECE_CHARS, text.length);
    // A pair of surrogates stays together.
    if (to < text.length && /[\ud800-\udbff]/.test(text.charAt(to - 1))) to -= 1;
    items.push({ type: 'text', text: text.slice(from, to) });
    from = to;
  }
  return items;
}
