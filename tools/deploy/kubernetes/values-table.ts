import { type Pair, type YAMLMap, isMap, isScalar, parseDocument } from 'yaml';

interface Row {
  name: string;
  value: string;
  description: string;
}

const CELL_MAX = 60;

/** A comment with `# -- ` describes the value below it. */
function described(comment: string | null | undefined): string {
  const text = (comment ?? '').split('\n').map((line) => line.trim()).join(' ');
  const start = text.lastIndexOf('-- ');
  return start < 0 ? '' : text.slice(start + 3).trim();
}

function shown(value: unknown): string {
  const text = JSON.stringify(value ?? null);
  return text.length > CELL_MAX ? 'see values.yaml' : `\`${text}\``;
}

const nameOf = (pair: Pair): string => (isScalar(pair.key) ? String(pair.key.value) : '');

/** Maps that operators replace as a whole have one row. */
const WHOLE = new Set(['config', 'annotations', 'startupProbe', 'livenessProbe', 'readinessProbe', 'strategy', 'resources', 'behavior', 'podSecurityContext', 'containerSecurityContext']);

function rowsOf(map: YAMLMap, at: string, outer = ''): Row[] {
  return map.items.flatMap((pair, index) => {
    const name = `${at}${nameOf(pair)}`;
    // The comment of a first entry belongs to its map.
    const comment = index === 0 && outer !== '' ? outer : isScalar(pair.key) ? pair.key.commentBefore : undefined;
    const description = described(comment);
    const { value } = pair;
    if (!isMap(value) || value.items.length === 0 || WHOLE.has(nameOf(pair)))
      return [{ name, value: shown((value as { toJSON(): unknown } | null)?.toJSON()), description }];
    const own = description === '' ? [] : [{ name, value: '', description }];
    return [...own, ...rowsOf(value, `${name}.`, value.commentBefore ?? '')];
  });
}

/** Services after the first one repeat its fields. */
const isRepeated = ({ name }: Row): boolean => /^services\.(?!gateway\b)/.test(name);

/** The table of values in the chart's README, from values.yaml and its comments. */
export function valuesTable(text: string): string {
  const { contents } = parseDocument(text);
  if (!isMap(contents)) throw new Error('values.yaml is not a map');
  const rows = rowsOf(contents as YAMLMap, '', contents.commentBefore ?? '').filter((row) => !isRepeated(row));
  const cell = (value: string): string => value.replaceAll('|', '\\|');
  const lines = rows.map(({ name, value, description }) => `| \`${name.replace(/^services\.gateway/, 'services.<name>')}\` | ${cell(value)} | ${cell(description)} |`);
  return ['| Value | Default | Meaning |', '| --- | --- | --- |', ...lines, ''].join('\n');
}
