import { stringify } from 'yaml';
import { SERVICES } from '../../launcher/service-names';
import { keda, monitoring } from './components';
import { devServers } from './dev-servers';
import { type Kustomization, base, component, dev, kedaPatches, monitoringPatches, production } from './kustomizations';
import type { Manifest } from './manifest';
import { ingress, networkPolicies } from './network';
import { migrationJob, namespaceAndConfig } from './shared-config';
import { manifestsOf } from './workloads';

const HEAD = '# Made from tools/deploy/kubernetes by `npm run docs`. Change it there, or in an overlay of your own.\n';

const yaml = (value: unknown): string => stringify(value, { lineWidth: 0, aliasDuplicateObjects: false });

export const renderAll = (manifests: readonly object[]): string => HEAD + manifests.map(yaml).join('---\n');

/** Kustomize wants patches as text. */
const renderKustomization = ({ patches, ...rest }: Kustomization): string =>
  HEAD +
  yaml({
    ...rest,
    ...(patches ? { patches: patches.map(({ patch, ...target }) => ({ ...target, patch: yaml(patch) })) } : {}),
  });

/** Every file of deploy/k8s that is made, by its path there. */
export function kubernetesFiles(): Record<string, string> {
  const parts: Record<string, Manifest[]> = {
    namespace: namespaceAndConfig(),
    migrate: migrationJob(),
    network: networkPolicies(),
    ingress: [ingress()],
    ...Object.fromEntries(SERVICES.map((name) => [name, manifestsOf(name)])),
  };
  const resources = Object.keys(parts).map((name) => `${name}.yaml`);
  return {
    ...Object.fromEntries(Object.entries(parts).map(([name, manifests]) => [`base/${name}.yaml`, renderAll(manifests)])),
    'base/kustomization.yaml': renderKustomization(base(resources)),
    'components/monitoring/monitoring.yaml': renderAll(monitoring()),
    'components/monitoring/kustomization.yaml': renderKustomization(component(['monitoring.yaml'], monitoringPatches())),
    'components/keda/keda.yaml': renderAll(keda()),
    'components/keda/kustomization.yaml': renderKustomization(component(['keda.yaml'], kedaPatches())),
    'overlays/dev/servers.yaml': renderAll(devServers()),
    'overlays/dev/kustomization.yaml': renderKustomization(dev(['servers.yaml'], SERVICES)),
    'overlays/production/kustomization.yaml': renderKustomization(production()),
  };
}
