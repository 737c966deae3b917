import type { IDeployment } from 'kubernetes-models/apps/v1/Deployment';
import type { IHorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2/HorizontalPodAutoscaler';
import type { IPodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget';
import type { IContainer } from 'kubernetes-models/v1/Container';
import type { IPodSpec } from 'kubernetes-models/v1/PodSpec';
import type { IService } from 'kubernetes-models/v1/Service';
import type { IServiceAccount } from 'kubernetes-models/v1/ServiceAccount';
import type { ServiceName } from '../../launcher/service-names';
import { SEMI_SPACE_MI } from '../../launcher/services/process-memory';
import { sizeOf } from '../../launcher/services/service-size';
import { GATEWAY_PORT, INTERNAL_PORT, SHUTDOWN_GRACE_MS } from '../container-env';
import { IMAGE, type Manifest, labelsOf, restricted, restrictedPod } from './manifest';

/** The load balancer hears that the pod leaves before the pod stops to take requests. */
export const PRE_STOP_SECONDS = 10;
/** Calls, streams, events and held work are drained one after the other, each within the grace. */
const DRAINS = 4;
export const TERMINATION_SECONDS = PRE_STOP_SECONDS + (DRAINS * SHUTDOWN_GRACE_MS) / 1000 + 20;

const container = (service: ServiceName): IContainer => {
  const { cpu, memoryMi, memoryLimitMi, heapMi } = sizeOf(service);
  const probe = (path: string, extra: object): object => ({ httpGet: { path, port: 'internal' }, ...extra });
  return {
    name: service,
    image: IMAGE,
    env: [
      { name: 'APP', value: service },
      {
        name: 'NODE_OPTIONS',
        value: `--max-http-header-size=16384 --max-semi-space-size=${SEMI_SPACE_MI} --max-old-space-size=${heapMi}`,
      },
    ],
    envFrom: [{ configMapRef: { name: 'switchyard' } }, { secretRef: { name: `switchyard-${service}` } }],
    ports: [
      { name: 'internal', containerPort: INTERNAL_PORT },
      ...(service === 'gateway' ? [{ name: 'http', containerPort: GATEWAY_PORT }] : []),
    ],
    startupProbe: probe('/health/live', { periodSeconds: 2, failureThreshold: 60 }),
    livenessProbe: probe('/health/live', { periodSeconds: 10, timeoutSeconds: 3, failureThreshold: 3 }),
    readinessProbe: probe('/health/ready', { periodSeconds: 5, timeoutSeconds: 3, failureThreshold: 2 }),
    lifecycle: { preStop: { sleep: { seconds: PRE_STOP_SECONDS } } },
    resources: { requests: { cpu, memory: `${memoryMi}Mi` }, limits: { memory: `${memoryLimitMi}Mi` } },
    securityContext: restricted,
    volumeMounts: [{ name: 'tmp', mountPath: '/tmp' }],
  };
};

/** Waits for the tables that this image needs, with the service's own login: no pod runs ahead of the migrations. */
const waiting = (service: ServiceName): IContainer => ({
  name: 'await-migrations',
  image: IMAGE,
  args: ['dist/tools/deploy/start.js', 'await-migrations'],
  env: [{ name: 'APP', value: service }],
  envFrom: [{ configMapRef: { name: 'switchyard' } }, { secretRef: { name: `switchyard-${service}` } }],
  resources: { requests: { cpu: '50m', memory: '128Mi' }, limits: { memory: '256Mi' } },
  securityContext: restricted,
  volumeMounts: [{ name: 'tmp', mountPath: '/tmp' }],
});

const podOf = (service: ServiceName): IPodSpec => ({
  serviceAccountName: service,
  automountServiceAccountToken: false,
  enableServiceLinks: false,
  terminationGracePeriodSeconds: TERMINATION_SECONDS,
  securityContext: restrictedPod,
  topologySpreadConstraints: ['kubernetes.io/hostname', 'topology.kubernetes.io/zone'].map((topologyKey) => ({
    maxSkew: 1,
    topologyKey,
    // A preference: if a zone is lost, its pods must start in the others, however uneven that is.
    whenUnsatisfiable: 'ScheduleAnyway',
    nodeTaintsPolicy: 'Honor',
    // Pods of the version that is being replaced do not count.
    matchLabelKeys: ['pod-template-hash'],
    labelSelector: { matchLabels: labelsOf(service) },
  })),
  ...(service === 'gateway' ? {} : { initContainers: [waiting(service)] }),
  containers: [container(service)],
  volumes: [{ name: 'tmp', emptyDir: { sizeLimit: '256Mi' } }],
});

const deployment = (service: ServiceName): IDeployment => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: service, labels: labelsOf(service) },
  spec: {
    // No `replicas`: the autoscaler owns that number, and applying the manifest again must not reset it.
    revisionHistoryLimit: 5,
    strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } },
    selector: { matchLabels: labelsOf(service) },
    template: { metadata: { labels: labelsOf(service) }, spec: podOf(service) },
  },
});

const service = (name: ServiceName): IService => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name, labels: labelsOf(name) },
  spec: {
    selector: labelsOf(name),
    ports: [
      { name: 'internal', port: INTERNAL_PORT, targetPort: 'internal' },
      ...(name === 'gateway' ? [{ name: 'http', port: 80, targetPort: 'http' }] : []),
    ],
  },
});

const account = (name: ServiceName): IServiceAccount => ({
  apiVersion: 'v1',
  kind: 'ServiceAccount',
  metadata: { name, labels: labelsOf(name) },
  automountServiceAccountToken: false,
});

const disruptionBudget = (name: ServiceName): IPodDisruptionBudget => ({
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata: { name, labels: labelsOf(name) },
  spec: {
    maxUnavailable: 1,
    // A pod that crashes in a loop serves no requests: it must not block the drain of its node.
    unhealthyPodEvictionPolicy: 'AlwaysAllow',
    selector: { matchLabels: labelsOf(name) },
  },
});

const autoscaler = (name: ServiceName): IHorizontalPodAutoscaler => ({
  apiVersion: 'autoscaling/v2',
  kind: 'HorizontalPodAutoscaler',
  metadata: { name, labels: labelsOf(name) },
  spec: {
    scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name },
    minReplicas: 2,
    maxReplicas: 10,
    metrics: [{ type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 70 } } }],
    behavior: { scaleDown: { stabilizationWindowSeconds: 300 } },
  },
});

/** The files of one service. */
export const manifestsOf = (name: ServiceName): Manifest[] =>
  [account(name), deployment(name), service(name), disruptionBudget(name), autoscaler(name)] as Manifest[];
