import { type Document, LineCounter, type Node, isNode, isScalar, parseDocument, stringify, visit } from 'yaml';

/** The same document as YAML: long texts in blocks, nothing folded. */
export const yamlOf = (value: unknown): string => stringify(value, { lineWidth: 0, aliasDuplicateObjects: false });

export type Read = { value: unknown } | { problem: string };

/** The parsed YAML as a JSON value, or the position of the error. */
export function readYaml(text: string): Read {
  const lines = new LineCounter();
  // Tags for what JSON does not have are warned of, as unknown ones are.
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, resolveKnownTags: false });
  const problem = (at: number, message: string): Read => ({ problem: `Line ${lines.linePos(at).line}: ${message}` });
  const [error] = [...document.errors, ...document.warnings];
  if (error) return problem(error.pos[0], error.message);
  const name = namesIn(document).find((node) => !isScalar(node));
  if (name) return problem(name.range?.[0] ?? 0, 'A name must be a string. Put a value that begins with {{ in quotes.');
  try {
    // An alias to what it stands in has no end.
    return { value: JSON.parse(JSON.stringify(document.toJS() ?? null)) as unknown };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

/** The names of all fields. To YAML `{{ a }}` is an object, whose one name is an object as well. */
function namesIn(document: Document): Node[] {
  const names: Node[] = [];
  visit(document, {
    Pair: (_, { key }) => {
      if (isNode(key)) names.push(key);
    },
  });
  return names;
}

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

/** The value to save: JSON, or invalid JSON text if the YAML has an error. */
export function jsonOfYaml(yaml: string): string {
  const read = readYaml(yaml);
  if ('value' in read) return JSON.stringify(read.value, null, 2);
  return isJson(yaml) ? `# ${read.problem}\n${yaml}` : yaml;
}

/** The line, from 1, at which a path such as `[1].with.url` stands: of the deepest part that is there. */
export function yamlLineOf(text: string, path: string): number {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const parts = [...path.matchAll(/\[(\d+)\]|([^.[\]]+)/gu)].map(([, path, name]) =>
    path === undefined ? (name ?? '') : Number(path),
  );
  for (let depth = parts.length; depth > 0; depth -= 1) {
    const node: unknown = document.getIn(parts.slice(0, depth), true);
    if (isNode(node) && node.range) return lines.linePos(node.range[0]).line;
  }
  return 1;
}
