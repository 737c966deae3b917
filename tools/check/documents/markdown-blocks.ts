const FENCE = /^ *(`{3,})[^`]*\n[^]*?^ *\1 *$/gmu;
const ITEM = /^\s*(?:[-*]|\d+\.)\s+/u;
const HEADING = /^#{1,6} /u;

const cellsOf = (row: string): string[] => row.split(/(?<!\\)\|/u);

/** Paragraphs, headings, items of lists and cells of tables, each as one line. Code blocks are left out. */
export function blocksOf(markdown: string): string[] {
  const blocks: string[] = [];
  let open = '';
  const close = (): void => {
    blocks.push(open);
    open = '';
  };
  for (const line of markdown.replaceAll(FENCE, '').split('\n')) {
    const isTable = line.trimStart().startsWith('|');
    if (line.trim() === '' || isTable || HEADING.test(line) || ITEM.test(line)) close();
    if (isTable) blocks.push(...cellsOf(line));
    else open += ` ${line.replace(HEADING, '').replace(ITEM, '')}`;
    if (HEADING.test(line)) close();
  }
  close();
  return blocks.map((block) => block.trim()).filter((block) => /\p{Letter}/u.test(block));
}

/** Text that is read: links by their names, no inline code, no HTML. */
export const proseOf = (block: string): string =>
  block
    .replaceAll(/`[^`]*`/gu, '`')
    .replaceAll(/\]\([^)]*\)/gu, ']')
    .replaceAll(/<[^>]*>/gu, ' ');

export const wordsOf = (block: string): number =>
  proseOf(block)
    .split(/\s+/u)
    .filter((word) => /[\p{Letter}\p{Number}`]/u.test(word)).length;
