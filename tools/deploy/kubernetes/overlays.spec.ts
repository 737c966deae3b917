import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parse, stringify } from 'yaml';
import { projectRoot } from '../../launcher/project-root';
import { version } from '../../launcher/version';
import { writeSecrets } from '../kubernetes-secrets';
import { Helm, type Values } from './helm';
import { kustomized } from './kustomize';
import type { Manifest } from './manifest';
import { productionWith } from './production-with';
import { differences } from './same-objects';

const folder = mkdtempSync(path.join(tmpdir(), 'overlays-'));
cpSync(path.join(projectRoot, 'deploy/k8s'), folder, { recursive: true });
writeSecrets(path.join(folder, 'overlays/dev/secrets'), {});
mkdirSync(path.join(folder, 'overlays/tagged'));
const tagged = { kind: 'Kustomization', namespace: 'switchyard', resources: ['../../base'], images: [{ name: 'switchyard', newTag: version }] };
writeFileSync(path.join(folder, 'overlays/tagged/kustomization.yaml'), stringify(tagged));

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

const example = (name: string): string => path.join(projectRoot, `deploy/helm/examples/${name}.yaml`);
const overlay = (name: string) => (): Manifest[] => kustomized(path.join(folder, 'overlays', name));
const production = (component: string, values: object): [string, Values[], () => Manifest[]] => [
  `production with ${component}`,
  [example('production'), values],
  () => productionWith(folder, component),
];

/** Kustomize puts a hash behind the names of what it generates, and an overlay the tag behind that of the Job. */
const withoutHashes = (manifests: Manifest[]): Manifest[] =>
  JSON.parse(
    JSON.stringify(manifests)
      .replace(/("(?:name|secretName)":"(?:switchyard[\w-]*?|postgres|nats))-[a-z0-9]{10}"/g, '$1"')
      .replace(/"name":"migrate-[\w.]+"/g, '"name":"migrate"'),
  ) as Manifest[];

const FORMS: [name: string, values: Values[], kustomize: () => Manifest[]][] = [
  ['base', [{ ingress: { enabled: true } }], overlay('tagged')],
  ['dev', [example('dev')], overlay('dev')],
  ['production', [example('production')], overlay('production')],
  production('monitoring', { monitoring: { enabled: true } }),
  production('keda', { keda: { enabled: true } }),
  production('gateway-api', { ingress: { enabled: false }, httpRoute: { enabled: true } }),
  production('own-ca', { ownCa: { configMap: 'switchyard-ca' } }),
  production('nats-services', { natsApi: { enabled: true } }),
  production('rotate-secrets', { rotateSecrets: { enabled: true } }),
];

/** The chart's ConfigMap of models is its own text of the same catalogue. */
const isCompared = ({ kind, metadata }: Manifest): boolean => !(kind === 'ConfigMap' && metadata.name === 'switchyard-models');

test.each(FORMS)('the overlay and the example of the chart come to the same objects: %s', (_name, values, kustomize) => {
  const [ours, theirs] = [new Helm().template(values), withoutHashes(kustomize())];
  expect(differences(withoutHashes(ours).filter(isCompared), theirs.filter(isCompared))).toEqual([]);
});

test('both have the same catalogue of models', () => {
  const catalogue = (manifests: Manifest[]): unknown => {
    const found = manifests.find((each) => !isCompared(each)) as (Manifest & { data: Record<string, string> }) | undefined;
    return parse(found?.data['models.yaml'] ?? '');
  };
  const ours = catalogue(new Helm().template([example('production')]));
  expect(ours).toEqual(catalogue(kustomized(path.join(folder, 'overlays/production'))));
  expect(ours).toMatchObject({ models: [{ id: 'gpt-4.1-mini' }] });
});
