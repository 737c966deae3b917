import assert from 'node:assert/strict';
import { SERVICES, type ServiceName } from '../../../launcher/service-names';
import { readsRedis } from '../../../launcher/services/redis-readers';
import type { Manifest } from '../../kubernetes/manifest';
import type { Renderer } from './renderer';

const DIGEST = `sha256:${'0'.repeat(64)}`;
const toleration = { key: 'for', operator: 'Equal', value: 'switchyard', effect: 'NoSchedule' };
const affinity = { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions: [{ key: 'disk', operator: 'Exists' }] }] } } };
const spread = { maxSkew: 2, topologyKey: 'rack', whenUnsatisfiable: 'ScheduleAnyway' };

/** Every switch on, every value another than its default. */
const EVERYTHING = {
  image: { repository: 'registry.example.com/switchyard', digest: DIGEST, pullPolicy: 'Always', pullSecrets: ['registry'] },
  existingSecret: { prefix: 'vault-', names: { key: 'sealed-key' }, optional: true },
  externalServers: { natsUrl: 'tls://nats.example.com:4222', redisUrl: 'rediss://redis.example.com:6379' },
  config: { LOG_LEVEL: 'debug', TRUSTED_PROXIES: '2' },
  commonLabels: { team: 'platform' },
  deploymentAnnotations: { 'reloader.stakater.com/auto': 'true' },
  podLabels: { mesh: 'off' },
  podAnnotations: { 'example.com/a': 'all' },
  nodeSelector: { pool: 'switchyard' },
  tolerations: [toleration],
  affinity,
  priorityClassName: 'high',
  topologySpreadConstraints: [spread],
  serviceAccount: { annotations: { 'example.com/role': 'all' } },
  ingress: { enabled: true, tls: [{ hosts: ['switchyard.example.com'], secretName: 'tls' }] },
  httpRoute: { enabled: true, annotations: { 'example.com/route': 'yes' } },
  monitoring: { enabled: true, labels: { release: 'kube-prometheus-stack', team: 'monitoring' } },
  keda: { enabled: true, natsMonitoringEndpoint: 'nats.example.com:8222' },
  ownCa: { configMap: 'our-ca' },
  rotateSecrets: { enabled: true },
  migrate: { extraEnv: [{ name: 'DATABASE_ADMIN_URL', valueFrom: { secretKeyRef: { name: 'db-superuser', key: 'uri' } } }] },
  extraObjects: [
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: '{{ .Release.Name }}-own', namespace: '{{ .Release.Namespace }}' } },
  ],
  bundled: {
    postgres: { enabled: true, storage: { size: '20Gi', className: 'fast' } },
    nats: { enabled: true },
    redis: { enabled: true },
    simulator: { enabled: true },
  },
  services: {
    agent: {
      replicas: 5,
      autoscaling: { enabled: false },
      resources: { limits: { memory: '2Gi' } },
      maxOldSpaceMi: 1536,
      extraEnv: [{ name: 'EXTRA', value: 'yes' }],
      extraVolumes: [{ name: 'keys', csi: { driver: 'secrets-store.csi.k8s.io', readOnly: true } }],
      extraVolumeMounts: [{ name: 'keys', mountPath: '/run/secrets', readOnly: true }],
      podAnnotations: { 'example.com/a': 'agent' },
      nodeSelector: { pool: 'agents' },
      serviceAccount: { annotations: { 'example.com/role': 'agent' } },
    },
  },
};

interface Container {
  image: string;
  env?: { name: string; value: string }[];
  envFrom?: { secretRef?: { name: string; optional?: boolean } }[];
  volumeMounts?: { name: string }[];
  imagePullPolicy?: string;
  resources: object;
}

interface Workload extends Manifest {
  metadata: Manifest['metadata'] & { labels: Record<string, string>; annotations?: Record<string, string> };
  spec: {
    replicas?: number;
    template: {
      metadata: { labels: Record<string, string>; annotations?: Record<string, string> };
      spec: { containers: Container[]; initContainers?: Container[]; nodeSelector?: object } & Record<string, unknown>;
    };
  };
}

const OWNERS = ['Deployment', 'StatefulSet', 'Job'];
const ownersIn = (manifests: Manifest[]): Workload[] => manifests.filter(({ kind }) => OWNERS.includes(kind)) as Workload[];

function named(manifests: Manifest[], kind: string, name: string): Workload {
  const found = manifests.find((each) => each.kind === kind && each.metadata.name === name);
  assert(found, `there is no ${kind} ${name}`);
  return found as Workload;
}

function expectPod({ metadata, spec }: Workload): void {
  const { template } = spec;
  const description = `the pod of ${metadata.name}`;
  assert.equal(template.metadata.labels['team'], 'platform', description);
  assert.equal(template.metadata.labels['mesh'], 'off', description);
  assert.deepEqual(template.spec['tolerations'], [toleration], description);
  assert.deepEqual(template.spec['affinity'], affinity, description);
  assert.equal(template.spec['priorityClassName'], 'high', description);
  assert.deepEqual(template.spec['imagePullSecrets'], [{ name: 'registry' }], description);
}

function expectService(manifests: Manifest[], name: ServiceName): void {
  const { metadata, spec } = named(manifests, 'Deployment', name);
  const { containers, initContainers = [] } = spec.template.spec;
  const secret = name === 'key' ? 'sealed-key' : `vault-${name}`;
  assert.equal(metadata.annotations?.['reloader.stakater.com/auto'], 'true');
  assert.deepEqual(spec.template.spec['topologySpreadConstraints'], [spread], name);
  for (const { image, env = [], envFrom = [], imagePullPolicy } of [...containers, ...initContainers]) {
    assert.equal(image, `registry.example.com/switchyard@${DIGEST}`);
    assert.equal(imagePullPolicy, 'Always');
    assert.deepEqual(envFrom.flatMap(({ secretRef }) => secretRef ?? []), [{ name: secret, optional: true }]);
    const variables = Object.fromEntries(env.map((each) => [each.name, each.value]));
    assert.equal(variables['NATS_URL'], EVERYTHING.externalServers.natsUrl);
    assert.equal(variables['REDIS_URL'], readsRedis(name) ? EVERYTHING.externalServers.redisUrl : undefined, name);
    assert.equal(variables['NODE_EXTRA_CA_CERTS'], '/etc/switchyard-ca/ca.crt');
  }
}

function expectAgent(manifests: Manifest[]): void {
  const { spec } = named(manifests, 'Deployment', 'agent');
  const [container] = spec.template.spec.containers;
  assert.equal(spec.replicas, 5);
  assert.deepEqual(container?.resources, { requests: { cpu: '100m', memory: '224Mi' }, limits: { memory: '2Gi' } });
  assert.match(JSON.stringify(container.env), /max-old-space-size=1536.*EXTRA/);
  for (const { volumeMounts = [] } of [...spec.template.spec.containers, ...(spec.template.spec.initContainers ?? [])])
    assert(volumeMounts.some(({ name }) => name === 'keys'), 'volumes of the operator are mounted');
  assert.match(JSON.stringify(spec.template.spec['volumes']), /secrets-store/);
  assert.deepEqual(spec.template.spec.nodeSelector, { pool: 'agents' });
  assert.equal(spec.template.metadata.annotations?.['example.com/a'], 'agent');
  assert.equal(named(manifests, 'ServiceAccount', 'agent').metadata.annotations?.['example.com/role'], 'agent');
}

const jobNames = (manifests: Manifest[]): string[] =>
  manifests.filter(({ kind }) => kind === 'Job').map(({ metadata }) => metadata.name);
const checksumOf = (manifests: Manifest[]): string | undefined =>
  named(manifests, 'Deployment', 'gateway').spec.template.metadata.annotations?.['checksum/config'];

/** Pods follow a changed setting, and another image is another Job. */
async function expectChanges(renderer: Renderer, before: Manifest[]): Promise<void> {
  const settings = await renderer.render(EVERYTHING, { config: { LOG_LEVEL: 'info' } });
  assert.notEqual(checksumOf(settings), checksumOf(before));
  assert.deepEqual(jobNames(settings), jobNames(before));
  const image = await renderer.render(EVERYTHING, { image: { digest: `sha256:${'1'.repeat(64)}` } });
  assert.equal(checksumOf(image), checksumOf(before));
  for (const name of jobNames(image)) assert(!jobNames(before).includes(name), `${name} is the Job of another image`);
}

/** Renders with everything turned on, and holds the result to what the values say. */
export async function expectEverything(renderer: Renderer): Promise<Manifest[]> {
  const manifests = await renderer.render(EVERYTHING);
  const has = (kind: string, name: string): boolean =>
    manifests.some((each) => each.kind === kind && each.metadata.name === name);
  for (const owner of ownersIn(manifests)) expectPod(owner);
  for (const name of SERVICES) expectService(manifests, name);
  expectAgent(manifests);
  const [migrate] = ownersIn(manifests).filter(({ metadata }) => metadata.name.startsWith('migrate-'));
  assert.match(JSON.stringify(migrate?.spec.template.spec.containers[0]?.env), /NODE_EXTRA_CA_CERTS.*db-superuser/);
  assert(!has('HorizontalPodAutoscaler', 'agent'), 'a fixed number of replicas is not scaled');
  for (const name of ['task', 'event-bus']) {
    assert(!has('HorizontalPodAutoscaler', name) && has('ScaledObject', name), `KEDA alone scales ${name}`);
    assert.equal(named(manifests, 'Deployment', name).spec.replicas, undefined);
  }
  assert(has('ConfigMap', 'switchyard-own'), 'templates in objects of the operator are rendered');
  for (const kind of ['ServiceMonitor', 'PrometheusRule'])
    assert.equal(named(manifests, kind, 'switchyard').metadata.labels['release'], 'kube-prometheus-stack');
  assert.equal(named(manifests, 'ServiceMonitor', 'switchyard').metadata.labels['team'], 'monitoring');
  const inside = await renderer.render({ networkPolicies: { outside: { enabled: false } } });
  assert(!inside.some(({ metadata }) => metadata.name === 'outside'), 'a way out is turned off');
  const off = await renderer.render({ networkPolicies: { enabled: false }, podDisruptionBudgets: { enabled: false }, migrate: { enabled: false } });
  for (const { kind } of off) assert(!['NetworkPolicy', 'PodDisruptionBudget', 'Job'].includes(kind), `a ${kind} is turned off`);
  await expectChanges(renderer, manifests);
  return manifests;
}
