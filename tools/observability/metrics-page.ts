import type { DeclaredMetric } from './declared-metrics';

const row = (metric: DeclaredMetric): string =>
  `| \`${metric.name}\` | ${metric.kind} | ${metric.labels.map((label) => `\`${label}\``).join(', ')} | ${metric.services.join(', ')} | ${metric.help} |`;

/** docs/reference/metrics.md */
export const metricsPage = (metrics: readonly DeclaredMetric[]): string =>
  [
    '# Metrics',
    '',
    'Generated from the code by `npm run docs`. Each service exposes its metrics at `/metrics` of its internal port, in the Prometheus text format, with the label `service`. No label depends on users, Spaces or input.',
    '',
    '| Metric | Type | Labels | Services | Meaning |',
    '|---|---|---|---|---|',
    ...metrics.map(row),
    '',
    'In addition: the process and Node metrics of prom-client (`process_*`, `nodejs_*`): memory, CPU, event loop, garbage collection. A histogram has `_bucket`, `_sum` and `_count`.',
    '',
    'For a bounded resource `x`, `x_limit` is its limit, `x_waiting` is the work that waits for it, and `x_refused_total` counts refusals.',
    '',
    'The dashboards are in [deploy/grafana](../../deploy/grafana), alerts in [deploy/prometheus](../../deploy/prometheus/alerts.yaml); [runbooks](../operate/runbooks.md) has a heading for each alert.',
    '',
  ].join('\n');
