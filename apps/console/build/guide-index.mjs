const heading = /^## (.+)$/mu;
/** `| [Name](path.md) | content |` */
const row = /^\| \[([^\]]+)\]\(([\w./-]+)\.md\) +\| (.+?) +\|$/gmu;

/** The sections of docs/README.md, with those of their pages that the console serves. */
export function indexOf(readme, served) {
  const isServed = new Set(served);
  return readme
    .split(/^(?=## )/mu)
    .map((text) => ({
      name: heading.exec(text)?.[1] ?? '',
      pages: [...text.matchAll(row)]
        .map(([, title, guide, content]) => ({ guide, title, content: content.replaceAll('`', '') }))
        .filter(({ guide }) => isServed.has(guide)),
    }))
    .filter(({ pages }) => pages.length > 0);
}
