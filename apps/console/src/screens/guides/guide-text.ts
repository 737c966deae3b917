import diagrams from 'virtual:guide-diagrams';
import texts from 'virtual:guide-texts';

const guides = new Map(Object.entries(texts));
const drawings = new Map(Object.entries(diagrams));

export interface GuideText {
  title: string;
  text: string;
  /** Its Mermaid block, drawn as SVG when the repository's diagrams were. */
  diagram: string | null;
  textBelow: string;
}

/** Null where there is none of that name. */
export async function readGuide(name: string): Promise<GuideText | null> {
  const [whole, diagram] = await Promise.all([guides.get(name)?.(), drawings.get(name)?.()]);
  if (whole === undefined) return null;
  const [, title = name, text = whole.default] = /^# (.+)\n([^]*)$/u.exec(whole.default) ?? [];
  const [above = '', below = ''] = withoutScreenshots(text.replaceAll(OLD_ANCHORS, '')).split(MERMAID);
  return { title, text: above, diagram: diagram?.default ?? null, textBelow: below };
}

const MERMAID = /^```mermaid\n[^]*?^```\n/mu;

/** Names of former headings, for links from elsewhere. */
const OLD_ANCHORS = /^(?:<a id="[^"]+"><\/a>)+\n/gmu;

/** Screenshots show the console itself. */
const withoutScreenshots = (text: string): string =>
  text
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
