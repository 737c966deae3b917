import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { ruleGroups } from './alerts';
import { dashboard } from './dashboard';
import { DASHBOARDS } from './dashboards';
import { declaredMetrics } from './declared-metrics';
import { alertmanagerConfig } from './inhibition';
import { metricsPage } from './metrics-page';

const HEAD = '# Made from tools/observability by `npm run docs`.\n';

/** Files generated from the metrics, by path. */
export const observabilityFiles = (root: string): Record<string, string> => ({
  'docs/reference/metrics.md': metricsPage(declaredMetrics(root)),
  'deploy/prometheus/alerts.yaml': HEAD + stringify(ruleGroups(), { lineWidth: 0 }),
  'deploy/prometheus/alertmanager.yaml': HEAD + stringify(alertmanagerConfig(), { lineWidth: 0 }),
  ...Object.fromEntries(
    Object.entries(DASHBOARDS).map(([name, plan]) => [
      `deploy/grafana/${name}.json`,
      `${JSON.stringify(dashboard(plan), null, 2)}\n`,
    ]),
  ),
});

export function writeObservability(root: string): void {
  for (const [path, text] of Object.entries(observabilityFiles(root))) {
    mkdirSync(join(root, path, '..'), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}
