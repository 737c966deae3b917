import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Registry, collectDefaultMetrics } from 'prom-client';
import { RENAMED_METRICS } from '@switchyard/service';
import { ALERTS } from './alerts';
import { DASHBOARDS } from './dashboards';
import { declaredMetrics } from './declared-metrics';
import { observabilityFiles } from './write';

const root = join(__dirname, '../..');
const metrics = declaredMetrics(root);
const fileOf = (name: string): string => readFileSync(join(root, name), 'utf8');

/** Metrics found by a scrape, with their labels. */
async function exposed(): Promise<Map<string, ReadonlySet<string>>> {
  const found = new Map<string, ReadonlySet<string>>([['up', new Set(['job', 'instance'])]]);
  const every = ['service', 'job', 'instance'];
  for (const { name, kind, labels } of metrics) {
    const own = new Set([...every, ...labels]);
    if (kind !== 'histogram') found.set(name, own);
    else for (const part of ['count', 'sum']) found.set(`${name}_${part}`, own);
    if (kind === 'histogram') found.set(`${name}_bucket`, new Set([...own, 'le']));
  }
  for (const [name, before] of Object.entries(RENAMED_METRICS)) found.set(before, found.get(name) ?? new Set());
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  for (const { name } of await registry.getMetricsAsJSON()) found.set(name, new Set(every));
  return found;
}

const NAME = /\b(?:switchyard|nodejs|process)_[a-z0-9_]+\b|\bup\b/g;
const SELECTED = /([a-z_0-9]+)\{([^}]*)\}/g;
const GROUPED = /by \(([^)]*)\)/g;

const queries = [
  ...ALERTS.map(({ name, expr }) => [name, expr] as const),
  ...Object.values(DASHBOARDS).flatMap(({ rows }) =>
    rows.flatMap(({ panels }) =>
      panels.flatMap(({ title, queries: of }) => of.map(({ expr }) => [title, expr] as const)),
    ),
  ),
];

test.each(queries)('%s asks for what exists', async (_name, expr) => {
  const byId = await exposed();
  const names = [...new Set(expr.replace(/"[^"]*"/g, '""').match(NAME))];
  expect(names.length).toBeGreaterThan(0);
  expect(names.filter((name) => !byId.has(name))).toEqual([]);
  const labels = new Set(names.flatMap((name) => [...(byId.get(name) ?? [])]));
  const grouped = [...expr.matchAll(GROUPED)].flatMap(([, list = '']) => list.split(',').map((label) => label.trim()));
  expect(grouped.filter((label) => !labels.has(label))).toEqual([]);
  for (const [, name = '', list = ''] of expr.matchAll(SELECTED)) {
    const selected = [...list.matchAll(/([a-z_]+)\s*(?:=~|!~|!=|=)/g)].map(([, label = '']) => label);
    expect(selected.filter((label) => !byId.get(name)?.has(label))).toEqual([]);
  }
});

const renamed = queries.flatMap(([name, expr]) =>
  Object.entries(RENAMED_METRICS).flatMap(([metric, before]) =>
    expr.includes(metric) || expr.includes(before) ? [[name, metric, before, expr] as const] : [],
  ),
);

test.each(renamed)('%s asks for %s under its former name too: %s', (_name, metric, before, expr) => {
  const selected = [...expr.matchAll(new RegExp(`\\b${metric}({[^}]*})?`, 'g'))];
  const either = selected.map(([, selector = '']) => `(${metric}${selector} or ${before}${selector})`);
  expect(either.length).toBeGreaterThan(0);
  for (const each of either) expect(expr).toContain(each);
});

test('the page of the metrics, the alerts and the dashboards are those of the code (npm run docs writes them)', () => {
  for (const [name, text] of Object.entries(observabilityFiles(root)))
    expect([name, fileOf(name)]).toEqual([name, text]);
});

test('each metric says what it counts, in the form of the trade', () => {
  for (const { name, kind, help } of metrics) {
    expect([name, help.length > 10]).toEqual([name, true]);
    expect([name, kind === 'counter']).toEqual([name, name.endsWith('_total')]);
    if (kind === 'histogram') expect(name).toMatch(/_seconds$/);
  }
});

test('the runbooks have one heading for each alert, named as the alert', () => {
  const headings = [...fileOf('docs/operate/runbooks.md').matchAll(/^## (Switchyard\w+)$/gm)].map(([, name]) => name);
  const names = ALERTS.map(({ name }) => name);
  expect(headings.toSorted()).toEqual(names.toSorted());
  expect(new Set(names).size).toBe(names.length);
});

test.each(ALERTS.map(({ name }) => name))(
  'the runbook of %s says its severity, what users notice and what to check first',
  (name) => {
    const [section = ''] = fileOf('docs/operate/runbooks.md').split(`## ${name}\n`)[1]?.split('\n## ') ?? [];
    expect(section).toContain(`\`${ALERTS.find((alert) => alert.name === name)?.severity}\`. `);
    expect(section).toMatch(/^- \*\*Users notice\*\*: \S[^]*^- \*\*Check first\*\*[:,] \S/m);
  },
);
