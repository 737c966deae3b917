import { LineCounter, isNode, parseDocument, stringify } from 'yaml';

/** The same document as YAML: long texts in blocks, nothing folded. */
export const yamlOf = (value: unknown): string => stringify(value, { lineWidth: 0, aliasDuplicateObjects: false });

export type Read = { value: unknown } | { problem: string };

/** What a text of YAML says, as JSON would hold it; or where it is none. */
export function readYaml(text: string): Read {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const [error] = document.errors;
  if (error) return { problem: `Line ${lines.linePos(error.pos[0]).line}: ${error.message}` };
  try {
    // An alias to what it stands in has no end.
    return { value: JSON.parse(JSON.stringify(document.toJS() ?? null)) as unknown };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

/** The line, from 1, at which a path such as `[1].with.url` stands: of the deepest part that is there. */
export function yamlLineOf(text: string, path: string): number {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const parts = [...path.matchAll(/\[(\d+)\]|([^.[\]]+)/gu)].map(([, place, name]) =>
    place === undefined ? (name ?? '') : Number(place),
  );
  for (let depth = parts.length; depth > 0; depth -= 1) {
    const node: unknown = document.getIn(parts.slice(0, depth), true);
    if (isNode(node) && node.range) return lines.linePos(node.range[0]).line;
  }
  return 1;
}
