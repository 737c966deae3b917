import type { ServiceName } from '../../../launcher/service-names';
import { SERVICES } from '../../../launcher/service-names';
import { sizeOf } from '../../../launcher/services/service-size';
import { manifestsOf } from '../../kubernetes/workloads';
import { EditableManifest } from '../tree';
import { type SettingsGroup, type Settings, flag, group, object, objects, text, texts, whole } from './value';

/** Where a pod may run: for all, and for each service in place of that. */
export const placement = (description: Partial<Record<'pod' | 'spread', string>> = {}): Settings => ({
  nodeSelector: texts({}, description.pod),
  tolerations: objects([]),
  affinity: object({}),
  priorityClassName: text(''),
  topologySpreadConstraints: objects([], description.spread),
});

/** The manifests of one service, with the defaults that its values have. */
function manifestOf(name: ServiceName, kind: string): EditableManifest {
  const found = manifestsOf(name).find((manifest) => manifest.kind === kind);
  if (!found) throw new Error(`${name} has no ${kind}`);
  return new EditableManifest(found);
}

const settingsOf = (name: ServiceName): Settings => {
  const scaler = manifestOf(name, 'HorizontalPodAutoscaler');
  const minReplicas = scaler.at('/spec/minReplicas') as number;
  return {
    replicas: whole(minReplicas, 'Without autoscaling. KEDA, where it is on, scales task and event-bus in its place.'),
    autoscaling: group('', {
      enabled: flag(true),
      minReplicas: whole(minReplicas, '', 1),
      maxReplicas: whole(scaler.at('/spec/maxReplicas') as number, '', 1),
      targetCPUUtilizationPercentage: whole(scaler.at('/spec/metrics/0/resource/target/averageUtilization') as number, '', 1),
    }),
    resources: object(manifestOf(name, 'Deployment').at('/spec/template/spec/containers/0/resources') as object),
    maxOldSpaceMi: whole(
      sizeOf(name).heapMi,
      'The heap of Node. Keep it at three quarters of the memory limit: raise both together.',
      64,
    ),
    extraEnv: objects([], 'More variables as Kubernetes writes them, with value or valueFrom. They win over config and the Secret.'),
    extraVolumes: objects([], 'And volumes: secrets as files (DATA_KEY_FILE in extraEnv), of a CSI driver too.'),
    extraVolumeMounts: objects([]),
    podAnnotations: texts({}),
    serviceAccount: group('', { annotations: texts({}) }),
    ...placement({ pod: 'In place of those for all pods.' }),
  };
};

export const services = (): SettingsGroup =>
  group(
    'Each service by itself. What each of these settings means stands at the first of them.',
    Object.fromEntries(SERVICES.map((name, index) => [name, { ...group('', settingsOf(name)), isBrief: index > 0 }])),
  );
