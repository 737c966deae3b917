import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { allManifests } from './kubernetes';

const HEAD = '# Made from tools/deploy/kubernetes.ts by `npm run docs`. Change it there, or in an overlay.\n';

export const render = (manifests: object[]): string =>
  HEAD + manifests.map((manifest) => stringify(manifest, { lineWidth: 0 })).join('---\n');

export function writeManifests(root: string): void {
  const folder = join(root, 'deploy/k8s/base');
  mkdirSync(folder, { recursive: true });
  const files = allManifests();
  for (const [name, manifests] of Object.entries(files)) writeFileSync(join(folder, `${name}.yaml`), render(manifests));
  const resources = Object.keys(files).map((name) => `${name}.yaml`);
  writeFileSync(
    join(folder, 'kustomization.yaml'),
    HEAD +
      stringify({
        apiVersion: 'kustomize.config.k8s.io/v1beta1',
        kind: 'Kustomization',
        namespace: 'switchyard',
        resources,
      }),
  );
}
