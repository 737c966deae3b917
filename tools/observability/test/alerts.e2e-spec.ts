import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { ALERT_CASES, HEALTHY } from '../alert-cases';
import type { Series } from '../alert-series';
import { ALERTS, ruleGroups } from '../alerts';
import { PRECISE_CASES } from '../precise-alert-cases';

/* The rules run in Prometheus's own engine, by promtool, over series that stand for what is broken. */

const folder = mkdtempSync(join(tmpdir(), 'alerts-'));
const promtool = process.env.SWITCHYARD_TEST_PROMTOOL ?? 'promtool';

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

interface Expected {
  expr: string;
  eval_time: string;
  exp_samples: { labels: string; value: number }[];
}

function verdict(name: string, series: Series[], expected: Expected[]): string {
  writeFileSync(join(folder, 'rules.yaml'), stringify(ruleGroups()));
  const file = join(folder, `${name}.yaml`);
  writeFileSync(
    file,
    stringify({
      rule_files: ['rules.yaml'],
      evaluation_interval: '15s',
      tests: [{ interval: '15s', input_series: series, promql_expr_test: expected }],
    }),
  );
  const run = spawnSync(promtool, ['test', 'rules', file], { encoding: 'utf8' });
  if (run.error) throw run.error;
  return run.status === 0 ? 'as expected' : `${run.stdout}${run.stderr}`;
}

const firing = (name: string): string => `count(ALERTS{alertname="${name}",alertstate="firing"})`;

test.each(ALERTS.map(({ name }) => name))('%s fires when what it watches is broken', (name) => {
  const { broken = [], firesBy = '' } = ALERT_CASES[name] ?? {};
  expect(
    verdict(name, broken, [{ expr: firing(name), eval_time: firesBy, exp_samples: [{ labels: '{}', value: 1 }] }]),
  ).toBe('as expected');
});

test.each(PRECISE_CASES)('$title', ({ alert, series, at, firing: expected }) => {
  const expr = `count by (namespace) (ALERTS{alertname="${alert}",alertstate="firing"})`;
  const samples = Object.entries(expected).map(([labels, value]) => ({ labels, value }));
  expect(verdict(`precise-${alert}`, series, [{ expr, eval_time: at, exp_samples: samples }])).toBe('as expected');
});

test('no alert fires while all is well', () => {
  const never = ['5m', '30m', '90m'].map((time) => ({
    expr: 'count by (alertname) (ALERTS)',
    eval_time: time,
    exp_samples: [],
  }));
  expect(verdict('healthy', HEALTHY, never)).toBe('as expected');
});

test('promtool accepts the rules', () => {
  writeFileSync(join(folder, 'rules.yaml'), stringify(ruleGroups()));
  const run = spawnSync(promtool, ['check', 'rules', join(folder, 'rules.yaml')], { encoding: 'utf8' });
  expect([run.status, run.stderr]).toEqual([0, '']);
});
