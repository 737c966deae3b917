import { stringify } from 'yaml';
import { SERVICES } from '../../launcher/service-names';
import { version } from '../../launcher/version';
import { printDocument } from './print';
import { bundledDocuments } from './templates/bundled';
import { ingressDocument, networkDocuments, routeDocuments } from './templates/doors';
import { migrateTemplate, rotateTemplate } from './templates/jobs';
import { configTemplate, extraTemplate, helpers, notes } from './templates/named';
import { kedaDocuments, monitoringDocuments } from './templates/operators';
import { serviceTemplate } from './templates/service';
import type { Tree } from './tree';
import { chartValues } from './values/chart-values';
import { valuesSchema, valuesYaml } from './values/value';

const HEAD = 'Made from tools/deploy/chart by `npm run docs`. Change it there.';

const chart = {
  apiVersion: 'v2',
  name: 'switchyard',
  description: 'Agents, tasks, events, datasets and models in Spaces: one open platform behind one API.',
  type: 'application',
  version,
  appVersion: version,
  // The pause before the end of a pod is a native one.
  kubeVersion: '>=1.30.0-0',
};

const template = ({ head = '', documents }: { head?: string; documents: Tree[] }): string =>
  `${[`{{- /* ${HEAD} */ -}}`, head, ...documents.flatMap(printDocument)].filter(Boolean).join('\n')}\n`;

/** Every file of deploy/helm/switchyard, by its path there. */
export function chartFiles(): Record<string, string> {
  const values = chartValues();
  return {
    'Chart.yaml': `# ${HEAD}\n${stringify(chart, { version: '1.1', lineWidth: 0 })}`,
    'values.yaml': `# ${HEAD}\n${valuesYaml(values)}`,
    'values.schema.json': `${JSON.stringify(valuesSchema(values), null, 2)}\n`,
    'templates/_helpers.tpl': helpers(),
    'templates/NOTES.txt': notes(),
    'templates/config.yaml': configTemplate(),
    'templates/extra-objects.yaml': extraTemplate(),
    'templates/network.yaml': template({ documents: networkDocuments() }),
    'templates/ingress.yaml': template({ documents: [ingressDocument()] }),
    'templates/http-route.yaml': template({ documents: routeDocuments() }),
    'templates/monitoring.yaml': template({ documents: monitoringDocuments() }),
    'templates/keda.yaml': template({ documents: kedaDocuments() }),
    'templates/migrate.yaml': template(migrateTemplate()),
    'templates/rotate-secrets.yaml': template(rotateTemplate()),
    'templates/bundled.yaml': template({ documents: bundledDocuments() }),
    ...Object.fromEntries(SERVICES.map((name) => [`templates/${name}.yaml`, template(serviceTemplate(name))])),
  };
}
