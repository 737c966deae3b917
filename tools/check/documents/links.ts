import path from 'node:path';

const CODE = /^ *(`{3,})[^`]*\n[^]*?^ *\1 *$|`[^`\n]*`/gmu;
const TARGET = /\]\(([^)\s]+)\)|\b(?:src|srcset|href)="([^"]+)"/gu;
const ABSOLUTE = /^[a-z]+:/u;

const anchorOf = (heading: string): string =>
  heading
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/gu, '$1')
    .toLowerCase()
    .replaceAll(/[^\p{Letter}\p{Number}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/gu, '-');

/** The anchors of a page's headings, as the hosts of repositories make them, and those that it declares itself. */
export function anchorsOf(markdown: string): string[] {
  const times = new Map<string, number>();
  const text = markdown.replaceAll(/^ *(`{3,})[^`]*\n[^]*?^ *\1 *$/gmu, '');
  const declared = [...text.matchAll(/<a id="([^"]+)"><\/a>/gu)].map(([, id = '']) => id);
  const ofHeadings = [...text.matchAll(/^#+ (.+)$/gmu)].map(([, heading = '']) => {
    const anchor = anchorOf(heading);
    const earlier = times.get(anchor) ?? 0;
    times.set(anchor, earlier + 1);
    return earlier === 0 ? anchor : `${anchor}-${earlier}`;
  });
  return [...ofHeadings, ...declared];
}

export interface Repository {
  exists: (file: string) => boolean;
  textOf: (file: string) => string;
}

/** The relative links of a page that lead to a file or a heading that does not exist. */
export function brokenLinksOf(file: string, { exists, textOf }: Repository): string[] {
  const links = [...textOf(file).replaceAll(CODE, '').matchAll(TARGET)].map(([, link, source]) => link ?? source ?? '');
  return links.filter((link) => {
    if (ABSOLUTE.test(link)) return false;
    const [target = '', anchor = ''] = link.split('#');
    const found = target === '' ? file : path.posix.join(path.posix.dirname(file), target);
    if (!exists(found)) return true;
    return anchor !== '' && found.endsWith('.md') && !anchorsOf(textOf(found)).includes(anchor);
  });
}
