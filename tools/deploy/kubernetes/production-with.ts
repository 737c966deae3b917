import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { kustomized } from './kustomize';
import type { Manifest } from './manifest';

/** The overlay `production` of a copy of deploy/k8s with more components, as operators add them to their own. */
export function productionWith(folder: string, ...components: string[]): Manifest[] {
  const own = join(folder, `overlays/with-${components.join('-').replaceAll('/', '-')}`);
  cpSync(join(folder, 'overlays/production'), own, { recursive: true });
  const file = join(own, 'kustomization.yaml');
  const listed = components.map((component) => `\n  - ../../components/${component}`).join('');
  writeFileSync(file, readFileSync(file, 'utf8').replace('\ncomponents:', `\ncomponents:${listed}`));
  return kustomized(own);
}
