interface Tree {
  type: string;
  tagName?: string;
  value?: string;
  properties?: Record<string, unknown>;
  children?: Tree[];
}

const CITATION = /\[(\d{1,3})\]/u;
/** Text in these elements stays as it is. */
const LITERAL = new Set(['a', 'code', 'pre']);

/** Turns `[1]` in the text into a `cite` element, for numbers up to `count`. */
export function markCitations(count: number): (tree: Tree) => void {
  const visit = (node: Tree): void => {
    if (!node.children || LITERAL.has(node.tagName ?? '')) return;
    node.children = node.children.flatMap((child) =>
      child.type === 'text' ? partsOf(child.value ?? '', count) : [child],
    );
    node.children.filter(({ tagName }) => tagName !== 'cite').forEach(visit);
  };
  return (tree) => {
    if (count > 0) visit(tree);
  };
}

const partsOf = (text: string, count: number): Tree[] =>
  text.split(CITATION).flatMap((part, index): Tree[] => {
    const isNumber = index % 2 === 1;
    const at = Number(part);
    if (isNumber && at >= 1 && at <= count)
      return [{ type: 'element', tagName: 'cite', properties: {}, children: [{ type: 'text', value: String(at) }] }];
    const value = isNumber ? `[${part}]` : part;
    return value === '' ? [] : [{ type: 'text', value }];
  });
