import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort, until, usePlatform } from '@switchyard/testing';
import { parse, stringify } from 'yaml';

/** The files of Compose's profile `observability`, in the programs that they are for. */
const platform = usePlatform();
const promtool = process.env.SWITCHYARD_TEST_PROMTOOL ?? 'promtool';
const amtool = process.env.SWITCHYARD_TEST_AMTOOL ?? 'amtool';
/** A program that Debian's package of a tool contains too. */
const siblingOf = (tool: string, name: string): string => path.join(path.dirname(tool), name);
const PROMETHEUS = path.resolve('deploy/prometheus/prometheus.yaml');
const ALERTMANAGER = path.resolve('deploy/prometheus/alertmanager.yaml');

const folder = mkdtempSync(path.join(tmpdir(), 'profile-'));
const running: ChildProcess[] = [];

afterAll(() => {
  for (const child of running) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

function start(file: string, ...args: string[]): void {
  running.push(spawn(file, args, { cwd: folder, stdio: 'ignore' }));
}

const checked = (file: string, ...args: string[]): unknown[] => {
  const { status, error, stdout, stderr } = spawnSync(file, args, { encoding: 'utf8' });
  if (error) throw error;
  return status === 0 ? [] : [status, stdout, stderr];
};

async function get<T>(url: string): Promise<T> {
  const response = await fetch(url);
  const body = (await response.json()) as { status: string; data: T };
  if (body.status !== 'success') throw new Error(`${url}: ${JSON.stringify(body)}`);
  return body.data;
}

test('promtool accepts the configuration of Prometheus, with the rules that it names', () => {
  expect(checked(promtool, 'check', 'config', PROMETHEUS)).toEqual([]);
});

test('amtool accepts the configuration of Alertmanager', () => {
  expect(checked(amtool, 'check-config', ALERTMANAGER)).toEqual([]);
});

interface Dashboard {
  templating: { list: { name: string; query: string | { query: string } }[] };
  panels: { title: string; targets?: { expr: string }[] }[];
}

/** As Grafana fills them in: all values of each variable. */
const filled = (expr: string): string =>
  expr
    .replaceAll(/\$(?:__rate_interval|__interval|__range)\b|\$\{__rate_interval\}/gu, '5m')
    .replaceAll(/\$\{\w+\}|\$\w+/gu, '.*');

const queries = readdirSync('deploy/grafana')
  .filter((file) => file.endsWith('.json'))
  .flatMap((file) => {
    const { panels } = JSON.parse(readFileSync(path.join('deploy/grafana', file), 'utf8')) as Dashboard;
    return panels.flatMap(({ title, targets = [] }) =>
      targets.map(({ expr }) => ({ panel: `${file}: ${title}`, expr: filled(expr) })),
    );
  });

test('Prometheus scrapes all services, evaluates every rule, and answers the queries of every panel', async () => {
  const config = parse(readFileSync(PROMETHEUS, 'utf8')) as {
    global: object;
    scrape_configs: { job_name: string; dns_sd_configs?: unknown; relabel_configs?: unknown }[];
  };
  const [{ dns_sd_configs: _names, relabel_configs: _labels, ...job } = { job_name: '' }] = config.scrape_configs;
  const services = Object.entries(platform.state.internalUrls).filter(([name]) => !/-\d+$/u.test(name));
  const targets = services.map(([service, url]) => ({ targets: [new URL(url).host], labels: { service } }));
  const here = {
    ...config,
    global: { scrape_interval: '1s', evaluation_interval: '1s' },
    rule_files: [path.resolve('deploy/prometheus/alerts.yaml')],
    alerting: {},
    // Without names in a DNS: the addresses and the label that the operator of another Prometheus gives.
    scrape_configs: [{ ...job, static_configs: targets }],
  };
  writeFileSync(path.join(folder, 'prometheus.yaml'), stringify(here));
  const port = await freePort();
  start(
    siblingOf(promtool, 'prometheus'),
    `--config.file=${path.join(folder, 'prometheus.yaml')}`,
    `--storage.tsdb.path=${path.join(folder, 'data')}`,
    `--web.listen-address=127.0.0.1:${port}`,
  );
  const api = `http://127.0.0.1:${port}/api/v1`;
  const query = (expr: string): Promise<{ result: unknown[] }> => get(`${api}/query?query=${encodeURIComponent(expr)}`);
  await until(async () => (await query('count(up{job="switchyard"} == 1)')).result.length > 0);
  await until(async () => (await query(`count(up{job="switchyard"} == 1) == ${services.length}`)).result.length > 0);

  interface EvaluatedRule {
    name: string;
    health: string;
    lastError?: string;
  }
  const rules = await until(async () => {
    const { groups } = await get<{ groups: { rules: EvaluatedRule[] }[] }>(`${api}/rules`);
    const all = groups.flatMap((group) => group.rules);
    return all.length > 0 && all.every(({ health }) => health !== 'unknown') ? all : null;
  });
  expect(rules.filter(({ health }) => health !== 'ok')).toEqual([]);

  expect(queries.length).toBeGreaterThan(30);
  const refused: unknown[] = [];
  for (const { panel, expr } of queries)
    await query(expr).catch((error: unknown) => refused.push([panel, expr, String(error)]));
  expect(refused).toEqual([]);
}, 120_000);

test('Alertmanager sends the alert of docs/operate/monitoring.md, and not those that another one causes', async () => {
  const received: string[] = [];
  const receiver = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      const { alerts } = JSON.parse(body) as { alerts: { labels: { alertname: string } }[] };
      received.push(...alerts.map(({ labels }) => labels.alertname));
      response.end();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  try {
    const config = parse(readFileSync(ALERTMANAGER, 'utf8')) as { route: object; receivers: { name: string }[] };
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
    const here = {
      ...config,
      route: { ...config.route, group_wait: '1s', group_interval: '1s' },
      receivers: config.receivers.map((each) => ({ ...each, webhook_configs: [{ url }] })),
    };
    writeFileSync(path.join(folder, 'alertmanager.yaml'), stringify(here));
    const port = await freePort();
    start(
      siblingOf(amtool, 'prometheus-alertmanager'),
      `--config.file=${path.join(folder, 'alertmanager.yaml')}`,
      `--storage.path=${path.join(folder, 'alertmanager')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--cluster.listen-address=',
    );
    const page = readFileSync('docs/operate/monitoring.md', 'utf8');
    const [, words = ''] = /amtool --alertmanager\.url=\S+ (alert add [^\n]+)/u.exec(page) ?? [];
    expect(words).toContain('SwitchyardTest');
    const send = (args: string): unknown[] =>
      checked(amtool, `--alertmanager.url=http://127.0.0.1:${port}`, ...args.split(' '));
    await until(() => send('alert add alertname=SwitchyardPostgresAway severity=critical namespace=a').length === 0);
    // Caused by Postgres in the same installation, and not in another one.
    expect(send('alert add alertname=SwitchyardSlow severity=warning namespace=a')).toEqual([]);
    expect(send('alert add alertname=SwitchyardErrors severity=critical namespace=b')).toEqual([]);
    expect(send(words)).toEqual([]);
    const expected = ['SwitchyardPostgresAway', 'SwitchyardErrors', 'SwitchyardTest'];
    await until(() => expected.every((name) => received.includes(name)));
    expect(received).not.toContain('SwitchyardSlow');
  } finally {
    receiver.closeAllConnections();
    receiver.close();
  }
}, 120_000);
