import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildKustomization } from './build-kustomization';
import type { Manifest } from './manifest';

/** The overlay `production` of a copy of deploy/k8s with more components, as an operator writes them into his own. */
export function productionWith(folder: string, ...components: string[]): Manifest[] {
  const own = join(folder, `overlays/with-${components.join('-')}`);
  cpSync(join(folder, 'overlays/production'), own, { recursive: true });
  const file = join(own, 'kustomization.yaml');
  const listed = components.map((component) => `\n  - ../../components/${component}`).join('');
  writeFileSync(file, readFileSync(file, 'utf8').replace('components:', `components:${listed}`));
  return buildKustomization(own);
}
