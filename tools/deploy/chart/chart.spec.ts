import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { SERVICES } from '../../launcher/service-names';
import { writeSecrets } from '../kubernetes-secrets';
import { exampleFiles } from './examples';
import { chartFiles } from './files';
import { WRONG_VALUES } from './proof/wrong-values';
import { refused } from './proof/values-errors';
import { chartValues } from './values/chart-values';
import { type Settings, defaultsOf } from './values/value';

interface Secret {
  metadata: { name: string; namespace: string };
}

const folder = join(__dirname, '../../../deploy/helm');
const chart = chartFiles();
const made: Record<string, string> = {
  ...Object.fromEntries(Object.entries(chart).map(([path, text]) => [`switchyard/${path}`, text])),
  ...Object.fromEntries(Object.entries(exampleFiles()).map(([path, text]) => [`examples/${path}`, text])),
};
const templates = Object.entries(chart).filter(([path]) => path.startsWith('templates/'));

test.each(Object.entries(made))('%s is the one that the code makes (npm run docs writes it)', (path, text) => {
  expect(readFileSync(join(folder, path), 'utf8')).toBe(text);
});

test('deploy/helm has no file that the code does not make', () => {
  const found = ['switchyard', 'examples'].flatMap((name) =>
    readdirSync(join(folder, name), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1)),
  );
  expect(found.sort()).toEqual(Object.keys(made).sort());
});

test('values.yaml says the defaults, to readers of YAML 1.1 as well', () => {
  for (const version of ['1.1', '1.2'] as const)
    expect(parse(chart['values.yaml'] ?? '', { version })).toEqual(defaultsOf(chartValues()));
});

test('Secrets are made for all that the chart with its own servers names, in any namespace', () => {
  const secrets = mkdtempSync(join(tmpdir(), 'chart-'));
  writeSecrets(secrets, { NAMESPACE: 'other' });
  const found = parseAllDocuments(readFileSync(join(secrets, 'secrets.yaml'), 'utf8')).map((each) => each.toJS() as Secret);
  rmSync(secrets, { recursive: true });
  const needed = [...SERVICES, 'migrate'].map((name) => `switchyard-${name}`);
  expect(found.map(({ metadata }) => metadata.name).sort()).toEqual([...needed, 'nats', 'postgres'].sort());
  for (const { metadata } of found) expect(metadata.namespace).toBe('other');
});

describe('values.schema.json', () => {
  it.each(Object.entries(exampleFiles()))('accepts %s', (_path, text) => {
    expect(refused(parse(text))).toEqual([]);
  });

  it('accepts values.yaml, and what Helm adds for charts in charts', () => {
    expect(refused({ ...(parse(chart['values.yaml'] ?? '') as object), global: { a: 1 } })).toEqual([]);
  });

  it.each(WRONG_VALUES)('refuses %s', (_name, values) => {
    expect(refused(values)).not.toEqual([]);
  });
});

/** Paths of the values that templates read. `$service` stands for each service. */
function readPaths(): string[] {
  const paths = new Set<string>();
  for (const [path, text] of templates) {
    const service = SERVICES.find((name) => path === `templates/${name}.yaml`);
    for (const [, name = ''] of text.matchAll(/\.Values\.([\w.]+)/g)) paths.add(name);
    for (const [, name = ''] of text.matchAll(/\$service\.([\w.]+)/g)) paths.add(`services.${service ?? ''}.${name}`);
  }
  // `with` in helpers, and $existing.
  for (const name of ['repository', 'tag', 'digest']) paths.add(`image.${name}`);
  for (const name of ['prefix', 'names']) paths.add(`existingSecret.${name}`);
  return [...paths].filter((path) => path !== 'services');
}

/** Values by path. A text or object of Kubernetes is one value. */
const settingPaths = (settings: Settings, at = ''): string[] =>
  Object.entries(settings).flatMap(([name, each]) =>
    'settings' in each ? settingPaths(each.settings, `${at}${name}.`) : [`${at}${name}`],
  );

describe('the values of the chart', () => {
  const existing = settingPaths(chartValues());

  it('have every one that a template reads', () => {
    const groups = new Set(['image', 'existingSecret']);
    expect(readPaths().filter((path) => !existing.includes(path) && !groups.has(path))).toEqual([]);
  });

  it('have none that no template reads', () => {
    expect(existing.filter((path) => !readPaths().includes(path))).toEqual([]);
  });
});
