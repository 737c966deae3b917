import texts from 'virtual:guide-texts';

const guides = new Map(Object.entries(texts));

export interface GuideText {
  title: string;
  text: string;
}

/** Null where there is none of that name. */
export async function readGuide(name: string): Promise<GuideText | null> {
  const whole = (await guides.get(name)?.())?.default;
  if (whole === undefined) return null;
  const [, title = name, text = whole] = /^# (.+)\n([^]*)$/u.exec(whole) ?? [];
  return { title, text: withoutPictures(text) };
}

/** Screenshots show the console itself, and diagrams would need a renderer of their own. */
const withoutPictures = (text: string): string =>
  text
    .replaceAll(/^```mermaid\n[^]*?^```\n/gmu, '')
    .replaceAll(/^\|.*!\[.*\n\|[\s|:-]+\n/gmu, '')
    .replaceAll(/^.*!\[[^\]]*\]\([^)]*\).*\n/gmu, '')
    .replaceAll(/^\|[ |]+\|\n\|[ |:-]+\n(?!\|)/gmu, '');

/** Where a link of a guide leads: to another guide, within this one, elsewhere, or nowhere that a reader could open. */
export function indexOfRow(from: string, href: string): { guide: string; hash: string } | { url: string } | null {
  if (/^https?:/u.test(href)) return { url: href };
  const [, file, hash = ''] = /^([\w./-]+\.md)?(?:#(.*))?$/u.exec(href) ?? [];
  if (file === undefined) return hash === '' ? null : { guide: from, hash };
  const { pathname } = new URL(file, `http://docs/${from}`);
  const guide = pathname.slice(1, -'.md'.length);
  return guides.has(guide) ? { guide, hash } : null;
}
