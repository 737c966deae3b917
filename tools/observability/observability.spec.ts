import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Registry, collectDefaultMetrics } from 'prom-client';
import { firstLookOf } from './runbook-commands';
import { FLOOR_PER_SECOND } from './alert';
import { ALERTS, ONE_INSTALLATION, ruleGroups } from './alerts';
import { dashboard } from './dashboard';
import { DASHBOARDS } from './dashboards';
import { declaredMetrics } from './declared-metrics';
import { observabilityFiles } from './write';

const root = join(__dirname, '../..');
const metrics = declaredMetrics(root);
const fileOf = (name: string): string => readFileSync(join(root, name), 'utf8');

/** Metrics of kube-state-metrics, and of the command that makes backups. */
const OF_OTHERS: Record<string, string[]> = {
  kube_job_status_failed: ['job_name'],
  kube_horizontalpodautoscaler_status_current_replicas: ['horizontalpodautoscaler'],
  kube_horizontalpodautoscaler_spec_max_replicas: ['horizontalpodautoscaler'],
  kube_horizontalpodautoscaler_spec_min_replicas: ['horizontalpodautoscaler'],
  kube_cronjob_status_last_successful_time: ['cronjob'],
  switchyard_backup_last_success_timestamp_seconds: [],
};

/** Metrics found by a scrape, with their labels. */
async function exposed(): Promise<Map<string, ReadonlySet<string>>> {
  const found = new Map<string, ReadonlySet<string>>([
    ['up', new Set(['job', 'service', 'instance', 'namespace', 'pod'])],
  ]);
  const every = ['service', 'job', 'instance', 'namespace', 'pod'];
  for (const { name, kind, labels } of metrics) {
    const own = new Set([...every, ...labels]);
    if (kind !== 'histogram') found.set(name, own);
    else for (const part of ['count', 'sum']) found.set(`${name}_${part}`, own);
    if (kind === 'histogram') found.set(`${name}_bucket`, new Set([...own, 'le']));
  }
  for (const [name, labels] of Object.entries(OF_OTHERS)) found.set(name, new Set(['namespace', 'pod', ...labels]));
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  for (const { name } of await registry.getMetricsAsJSON()) found.set(name, new Set(every));
  return found;
}

const NAME = /\b(?:switchyard|nodejs|process|kube)_[a-z0-9_]+\b|\bup\b/g;
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

test.each(ALERTS.map(({ name, expr }) => [name, expr] as const))(
  '%s watches the namespace of its installation, and speaks of it',
  (_name, expr) => {
    const selectors = [...expr.matchAll(/\b(?:(?:switchyard|nodejs|process|kube)_[a-z0-9_]+|up\b)(\{[^}]*\})?/g)];
    for (const [selected, labels = ''] of selectors.filter(([text]) => !expr.includes(`"${text}`)))
      expect([selected, labels.includes('$here')]).toEqual([selected, true]);
    for (const [, list = ''] of expr.matchAll(GROUPED)) expect(list).toMatch(/^namespace\b/);
  },
);

test('no rule holds a limit that can be set: limits are metrics', () => {
  const bytes = ALERTS.filter(({ expr }) => /[<>]=? ?\d{6,}/.test(expr)).map(({ name }) => name);
  // Rows that vacuum has not removed: a sign, and no limit.
  expect(bytes).toEqual(['SwitchyardDeadRows']);
});

test('a share of failures needs traffic, and a short and a long window', () => {
  const shares = ALERTS.filter(({ expr }) => /rate\([^)]*\)\) \/ sum/.test(expr));
  expect(shares.map(({ name }) => name)).toEqual([
    'SwitchyardErrors',
    'SwitchyardErrorsPersist',
    'SwitchyardUpstreamFails',
  ]);
  for (const { expr } of shares) {
    expect(new Set([...expr.matchAll(/\[(\w+)\]/g)].map(([, window]) => window)).size).toBe(2);
    expect(expr).toContain(` > ${FLOOR_PER_SECOND}`);
  }
});

test('each alert has a runbook at an absolute address, and a severity that can be chosen', () => {
  const chosen = {
    here: 'namespace="a"',
    runbooks: 'https://wiki.example/run',
    severities: { critical: 'P1', warning: 'P3' },
  };
  const { groups } = ruleGroups(chosen) as {
    groups: {
      rules: { alert: string; expr: string; labels: { severity: string }; annotations: { runbook_url: string } }[];
    }[];
  };
  for (const { alert, expr, labels, annotations } of groups.flatMap(({ rules }) => rules)) {
    expect(annotations.runbook_url).toBe(`https://wiki.example/run#${alert.toLowerCase()}`);
    expect(['P1', 'P3']).toContain(labels.severity);
    expect(expr).not.toContain('$here');
    expect(expr).toContain('namespace="a"');
  }
  expect(ONE_INSTALLATION.runbooks).toMatch(/^https?:\/\//);
});

test('every query of the dashboards takes namespace, service and pod from their variables', () => {
  for (const plan of Object.values(DASHBOARDS)) {
    const { templating, panels } = dashboard(plan) as {
      templating: { list: { name: string }[] };
      panels: { targets?: { expr: string }[] }[];
    };
    expect(templating.list.map(({ name }) => name)).toEqual(['source', 'namespace', 'service', 'pod']);
    for (const { expr } of panels.flatMap(({ targets = [] }) => targets)) {
      const selected = [...expr.matchAll(/\b(?:switchyard|process)_\w+(\{[^}]*\})?/g)];
      expect(selected.length).toBeGreaterThan(0);
      for (const [text, labels = ''] of selected)
        expect([text, /namespace=~"\$namespace",service=~"\$service",pod=~"\$pod"/.test(labels)]).toEqual([text, true]);
    }
  }
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

test('a name is of one kind: no gauge counts, and no number has its unit elsewhere than in its name', () => {
  const names = metrics.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  // Refusals and removals since the start only grow: they are counters.
  for (const { name, kind, labels } of metrics) {
    expect([
      name,
      kind === 'counter' || !/refused|dropped|removed|evict/.test(name.replace(/_catalogue_refused$/, '')),
    ]).toEqual([name, true]);
    expect([name, labels.includes('measure')]).toEqual([name, false]);
    expect([name, /_(?:ms|minutes|kb|mb|mib|kib)(?:_|$)/.test(name)]).toEqual([name, false]);
  }
  // A metric and its limit are gauges of the same unit.
  for (const name of names.filter((each) => each.endsWith('_limit')))
    expect([name, metrics.find((each) => each.name === name)?.kind]).toEqual([name, 'gauge']);
});

test('the runbooks have one heading for each alert, named as the alert', () => {
  const headings = [...fileOf('docs/operate/runbooks.md').matchAll(/^## (Switchyard\w+)$/gm)].map(([, name]) => name);
  const names = ALERTS.map(({ name }) => name);
  expect(headings.toSorted()).toEqual(names.toSorted());
  expect(new Set(names).size).toBe(names.length);
});

const sectionOf = (heading: string): string =>
  fileOf('docs/operate/runbooks.md').split(`## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';

test.each(ALERTS)(
  'the runbook of $name says its severity, what users notice, where to look first, and what to do',
  (alert) => {
    const section = sectionOf(alert.name);
    expect(section).toContain(`\`${alert.severity}\`. `);
    for (const part of ['Users notice', 'First look', 'Do'])
      expect([part, section]).toEqual([part, expect.stringMatching(new RegExp(`^- \\*\\*${part}\\*\\*: \\S`, 'm'))]);
  },
);

test.each(ALERTS)('the runbook of $name begins with the command that shows the reason', (alert) => {
  expect(sectionOf(alert.name)).toContain(`- **First look**: \`${firstLookOf(alert)}\``);
});

test('the runbooks have the commands of each installation, and the person to escalate to', () => {
  for (const command of ['kubectl -n switchyard logs', 'docker compose logs', 'tail -n 200'])
    expect(sectionOf('Commands')).toContain(`\`${command} `);
  for (const owner of ['Postgres', 'NATS', 'provider', 'bug']) expect(sectionOf('Escalate')).toContain(owner);
});
