import assert from 'node:assert/strict';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { projectRoot } from '../../../launcher/project-root';
import { version } from '../../../launcher/version';
import { writeSecrets } from '../../kubernetes-secrets';
import { buildKustomization } from '../../kubernetes/build-kustomization';
import type { Manifest } from '../../kubernetes/manifest';
import { GATEWAY_API, checkSchema } from '../../kubernetes/schema';
import { productionWith } from '../../kubernetes/with-components';
import { expectEverything } from './everything';
import { Renderer } from './renderer';
import { differences } from './same-objects';
import { WRONG_VALUES } from './wrong-values';

const example = (name: string): string => join(projectRoot, `deploy/helm/examples/${name}.yaml`);

interface Form {
  name: string;
  values: (string | object)[];
  kustomize: () => Manifest[];
}

/** Values, and the overlay that they come to. */
function formsIn(folder: string): Form[] {
  const overlay = (name: string): Manifest[] => buildKustomization(join(folder, 'overlays', name));
  const withComponent = (component: string, values: object): Form => ({
    name: `production with ${component}`,
    values: [example('production'), values],
    kustomize: () => productionWith(folder, component),
  });
  return [
    { name: 'base', values: [{ ingress: { enabled: true } }], kustomize: () => overlay('tagged') },
    { name: 'no values', values: [], kustomize: () => overlay('tagged').filter(({ kind }) => kind !== 'Ingress') },
    { name: 'dev', values: [example('dev')], kustomize: () => overlay('dev') },
    { name: 'production', values: [example('production')], kustomize: () => overlay('production') },
    withComponent('keda', { keda: { enabled: true } }),
    withComponent('gateway-api', { ingress: { enabled: false }, httpRoute: { enabled: true } }),
    withComponent('own-ca', { ownCa: { configMap: 'switchyard-ca' } }),
    withComponent('rotate-secrets', { rotateSecrets: { enabled: true } }),
  ];
}

/** A copy of deploy/k8s with what an operator adds: the Secrets, and an overlay that says nothing but the tag. */
function kustomizeIn(folder: string): string {
  const copy = join(folder, 'k8s');
  cpSync(join(projectRoot, 'deploy/k8s'), copy, { recursive: true });
  writeSecrets(join(copy, 'overlays/dev/secrets'), {});
  mkdirSync(join(copy, 'overlays/tagged'));
  const tagged = { kind: 'Kustomization', namespace: 'switchyard', resources: ['../../base'], images: [{ name: 'switchyard', newTag: version }] };
  writeFileSync(join(copy, 'overlays/tagged/kustomization.yaml'), stringify(tagged));
  return copy;
}

/** Each form of the chart comes to the objects of its overlay; with everything turned on they hold to their schemas. */
export async function proveChart(folder: string): Promise<string> {
  const renderer = await Renderer.build(folder);
  const forms = formsIn(kustomizeIn(folder));
  let compared = 0;
  for (const { name, values, kustomize } of forms) {
    const objects = await renderer.render(...values);
    const found = differences(objects, kustomize());
    if (found.length > 0) throw new Error(`${name}: the chart and Kustomize differ:\n${found.join('\n')}`);
    compared += objects.length;
  }
  for (const [name, wrong] of WRONG_VALUES)
    await assert.rejects(renderer.render(wrong), /the values are refused/, `${name} is not refused`);
  const everything = await expectEverything(renderer);
  for (const manifest of everything) if (manifest.apiVersion !== GATEWAY_API) await checkSchema(manifest);
  return `${compared} objects of ${forms.length} forms equal Kustomize's; ${everything.length} with everything turned on`;
}
