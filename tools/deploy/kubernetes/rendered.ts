import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { stringify } from 'yaml';
import { projectRoot } from '../../launcher/project-root';
import { IN_CHART, ruleGroups } from '../../observability/alerts';
import { SERVICES } from '../../launcher/service-names';
import { hasTool } from './binaries';
import { Helm, type Values, WITH_PROMETHEUS } from './helm';
import type { Manifest } from './manifest';
import { HELM_LABELS } from './same-objects';
import { valuesTable } from './values-table';

const K8S = 'deploy/k8s';
const CHART = 'deploy/helm/switchyard';
const HEAD = '# Rendered from deploy/helm/switchyard by `npm run generate`. Change the chart, or use an overlay of your own.\n';

/** The objects of `base`: the chart with its own values, and with the Ingress. */
export const BASE: Values = { ingress: { enabled: true } };

/** Values whose further objects are a component. */
const COMPONENTS: Record<string, Values> = {
  'components/gateway-api/gateway-api.yaml': { httpRoute: { enabled: true } },
  'components/keda/keda.yaml': { keda: { enabled: true } },
  'components/monitoring/monitoring.yaml': { monitoring: { enabled: true } },
  'components/nats-services/nats-services.yaml': { natsApi: { enabled: true } },
  'components/rotate-secrets/rotate-secrets.yaml': { rotateSecrets: { enabled: true } },
  'overlays/dev/servers.yaml': {
    bundled: Object.fromEntries(['postgres', 'nats', 'redis', 'simulator'].map((name) => [name, { enabled: true }])),
  },
};

type Node = Record<string, unknown>;

/** Without what belongs to a release of Helm, and with the names that Kustomize changes itself: image and namespace. */
function withoutRelease(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withoutRelease);
  if (typeof node !== 'object' || node === null) return node;
  const own = Object.entries(node as Node)
    .filter(([name]) => ![...HELM_LABELS, 'checksum/config'].includes(name))
    .map(([name, value]) => [name, name === 'image' ? plainImage(value) : withoutRelease(value)] as const)
    .filter(([name, value]) => !(['labels', 'annotations'].includes(name) && Object.keys(value as object).length === 0));
  return Object.fromEntries(own);
}

const plainImage = (image: unknown): unknown => (typeof image === 'string' ? image.replace(/^switchyard:.*$/, 'switchyard') : image);

/** The hash behind the name of a Job is of its content. An overlay adds the tag of the image instead. */
const nameOf = ({ kind, metadata }: Manifest): string =>
  kind === 'Job' ? metadata.name.replace(/-[0-9a-f]{10}$/, '') : metadata.name;

function plain(manifest: Manifest): Manifest {
  const { namespace: _namespace, ...metadata } = manifest.metadata;
  return withoutRelease({ ...manifest, metadata: { ...metadata, name: nameOf(manifest) } }) as Manifest;
}

const identity = ({ kind, metadata }: Manifest): string => `${kind}/${metadata.name}`;

const text = (manifests: readonly Manifest[]): string =>
  HEAD + manifests.map((each) => stringify(each, { version: '1.1', lineWidth: 0, aliasDuplicateObjects: false })).join('---\n');

function baseFile({ kind, metadata }: Manifest): string {
  const part = metadata.labels?.['app.kubernetes.io/name'] ?? '';
  if (kind === 'NetworkPolicy') return 'network';
  if (kind === 'Ingress') return 'ingress';
  if (part === 'migrate' || SERVICES.includes(part as never)) return part;
  throw new Error(`deploy/k8s/base has no file for ${kind} ${metadata.name}`);
}

function baseFiles(manifests: readonly Manifest[]): Record<string, string> {
  const files: Record<string, Manifest[]> = {};
  let settings = '';
  for (const manifest of manifests) {
    if (manifest.kind === 'ConfigMap') {
      const { data } = manifest as Manifest & { data: Record<string, string> };
      settings = Object.entries(data).map(([name, value]) => `${name}=${value}\n`).join('');
    } else (files[baseFile(manifest)] ??= []).push(manifest);
  }
  return {
    [`${K8S}/base/settings.env`]: HEAD + settings,
    ...Object.fromEntries(Object.entries(files).map(([name, found]) => [`${K8S}/base/${name}.yaml`, text(found)])),
  };
}

/** The manifests of deploy/k8s: path and text. */
function renderedManifests(chart: string): Record<string, string> {
  const helm = new Helm('v34', chart);
  const render = (...values: Values[]): Manifest[] => helm.template([BASE, ...values], WITH_PROMETHEUS).map(plain);
  const base = render();
  const basic = new Set(base.map(identity));
  const added = (values: Values): string => text(render(values).filter((each) => !basic.has(identity(each))));
  return {
    ...baseFiles(base),
    ...Object.fromEntries(Object.entries(COMPONENTS).map(([file, values]) => [`${K8S}/${file}`, added(values)])),
  };
}

const read = (file: string): string => readFileSync(path.join(projectRoot, file), 'utf8');

/** The alerts of the chart, and the table of values in its README. */
const chartFiles = (): Record<string, string> => ({
  [`${CHART}/files/alerts.yaml`]: `# Made from tools/observability by \`npm run generate\`.\n${stringify(ruleGroups(IN_CHART), { lineWidth: 0 })}`,
  [`${CHART}/README.md`]: read(`${CHART}/README.md`).replace(
    /(<!-- values -->\n)[\s\S]*(<!-- end of values -->)/,
    (_all, start: string, end: string) => `${start}\n${valuesTable(read(`${CHART}/values.yaml`))}\n${end}`,
  ),
});

/** A copy of the chart with its made files as they will be: the manifests follow from these. */
function withCopy<T>(made: Readonly<Record<string, string>>, work: (chart: string) => T): T {
  const folder = mkdtempSync(path.join(tmpdir(), 'chart-'));
  try {
    cpSync(path.join(projectRoot, CHART), folder, { recursive: true });
    for (const [file, text] of Object.entries(made)) writeFileSync(path.join(folder, path.relative(CHART, file)), text);
    return work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Files that `npm run generate` writes. Manifests need Helm: a machine without it leaves them as they are. */
export function manifestFiles(): Record<string, string> {
  const made = chartFiles();
  return { ...made, ...(hasTool('helm') ? withCopy(made, renderedManifests) : {}) };
}
