import { RENAMED_METRICS } from '@switchyard/service';
import type { DeclaredMetric } from './declared-metrics';

const row = (metric: DeclaredMetric): string =>
  `| \`${metric.name}\` | ${metric.kind} | ${metric.labels.map((label) => `\`${label}\``).join(', ')} | ${metric.services.join(', ')} | ${metric.help} |`;

/** docs/reference/metrics.md */
export const metricsPage = (metrics: readonly DeclaredMetric[]): string =>
  [
    '# Metrics',
    '',
    'Made from the code by `npm run docs`. Every service shows its own on `/metrics` of its internal port, in the text form of Prometheus, each with the label `service`. No label grows with users, Spaces or what callers write.',
    '',
    '| metric | kind | labels | services | what it says |',
    '|---|---|---|---|---|',
    ...metrics.map(row),
    '',
    'Besides: the process and Node metrics of prom-client (`process_*`, `nodejs_*`): memory, CPU, event loop, garbage collection. A histogram has `_bucket`, `_sum` and `_count`.',
    '',
    'Renamed in this release, and exported under the former name as well until the next one: ' +
      Object.entries(RENAMED_METRICS)
        .map(([name, before]) => `\`${before}\` is \`${name}\``)
        .join(', ') +
      '. Our alerts and dashboards ask for either name, so both releases may run side by side; write your own queries as `(new or former)` for that time.',
    '',
    'Dashboards are in [deploy/grafana](../../deploy/grafana), alerts in [deploy/prometheus](../../deploy/prometheus/alerts.yaml); [runbooks](../operate/runbooks.md) has a heading for each alert.',
    '',
  ].join('\n');
