import { fixedEnv } from '../container-env';
import { SERVICES } from '../../launcher/service-names';
import { keda, monitoring } from './components';
import { devServers } from './dev-servers';
import { gatewayApi, gatewayApiPatches } from './gateway-api';
import { base, component, dev, kedaPatches, monitoringSettings, production } from './kustomizations';
import type { Manifest } from './manifest';
import { ingress, networkPolicies } from './network';
import { migrationJob } from './migrate';
import { namespace } from './namespace';
import { ownCaPatches } from './own-ca';
import { rotationJob } from './rotate-secrets';
import { renderAll, renderKustomization } from './render';
import { manifestsOf } from './workloads';

/** Every file of deploy/k8s that is made, by its path there. */
export function kubernetesFiles(): Record<string, string> {
  const parts: Record<string, Manifest[]> = {
    namespace: [namespace],
    migrate: migrationJob(),
    network: networkPolicies(),
    ingress: [ingress()],
    ...Object.fromEntries(SERVICES.map((name) => [name, manifestsOf(name)])),
  };
  const resources = Object.keys(parts).map((name) => `${name}.yaml`);
  return {
    ...Object.fromEntries(Object.entries(parts).map(([name, manifests]) => [`base/${name}.yaml`, renderAll(manifests)])),
    'base/kustomization.yaml': renderKustomization(base(resources, fixedEnv())),
    'components/monitoring/monitoring.yaml': renderAll(monitoring()),
    'components/monitoring/kustomization.yaml': renderKustomization(component(['monitoring.yaml'], { configMapGenerator: monitoringSettings() })),
    'components/keda/keda.yaml': renderAll(keda()),
    'components/keda/kustomization.yaml': renderKustomization(component(['keda.yaml'], { patches: kedaPatches() })),
    'components/gateway-api/gateway-api.yaml': renderAll(gatewayApi()),
    'components/gateway-api/kustomization.yaml': renderKustomization(component(['gateway-api.yaml'], { patches: gatewayApiPatches() })),
    'components/own-ca/kustomization.yaml': renderKustomization(component([], { patches: ownCaPatches() })),
    'components/rotate-secrets/rotate-secrets.yaml': renderAll(rotationJob()),
    'components/rotate-secrets/kustomization.yaml': renderKustomization(component(['rotate-secrets.yaml'])),
    'overlays/dev/servers.yaml': renderAll(devServers()),
    'overlays/dev/kustomization.yaml': renderKustomization(dev(['servers.yaml'], SERVICES)),
    'overlays/production/kustomization.yaml': renderKustomization(production()),
  };
}
