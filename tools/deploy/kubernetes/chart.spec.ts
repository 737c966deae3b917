import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ruleGroups } from '../../observability/alerts';
import { parse, parseAllDocuments } from 'yaml';
import { DatasetEvents, EventBusEvents } from '@switchyard/contracts';
import { EVENTS_STREAM, durableName } from '@switchyard/messaging';
import { SERVICES, type ServiceName } from '../../launcher/service-names';
import { REDIS_READERS } from '../../launcher/services/redis-readers';
import { SEMI_SPACE_MI } from '../../launcher/services/process-memory';
import { fixedEnv } from '../container-env';
import { writeSecrets } from '../kubernetes-secrets';
import type { ToolsOf } from './binaries';
import { DIGEST, EVERYTHING, SETS, affinity, catalogue, example, spread, toleration } from './chart-sets';
import { Helm, type Values } from './helm';
import { type Manifest, NAMESPACE, labelsOf } from './manifest';
import { GATEWAY_API, checkSchema } from './schema';

interface Container {
  name: string;
  image: string;
  env?: { name: string; value?: string; valueFrom?: object }[];
  envFrom?: { secretRef?: { name: string; optional?: boolean } }[];
  volumeMounts?: { name: string; mountPath: string; subPath?: string }[];
  resources: { requests: Record<string, string>; limits: Record<string, string> };
  securityContext?: object;
  imagePullPolicy?: string;
}

interface Pod {
  containers: Container[];
  initContainers?: Container[];
  volumes: { name: string; configMap?: { name: string } }[];
  securityContext?: { runAsUser?: number };
  [name: string]: unknown;
}

interface Any extends Manifest {
  data: Record<string, string>;
  spec: { template: { metadata: { labels: object; annotations: Record<string, string> }; spec: Pod }; [name: string]: unknown };
}

const helm = new Helm();
const render = (...values: Values[]): Any[] => helm.template(values) as Any[];
const named = (manifests: Any[], kind: string, name: string): Any => {
  const found = manifests.find((each) => each.kind === kind && each.metadata.name === name);
  if (!found) throw new Error(`there is no ${kind} ${name}`);
  return found;
};
const namesOf = (manifests: Any[], kind: string): string[] => manifests.filter((each) => each.kind === kind).map(({ metadata }) => metadata.name);
const podOf = (manifests: Any[], name: string): Pod => named(manifests, 'Deployment', name).spec.template.spec;
const [migrateOf, policyOf] = [
  (manifests: Any[]): Any => manifests.find(({ kind, metadata }) => kind === 'Job' && metadata.name.includes('migrate')) as Any,
  (manifests: Any[], name: string): string => JSON.stringify(named(manifests, 'NetworkPolicy', name).spec),
];

const HELMS: [name: string, version: ToolsOf][] = [
  ['Helm 4', 'v34'],
  ['Helm 3', 'v31'],
];

describe.each(HELMS)('%s', (_name, version) => {
  const own = new Helm(version);

  test.each(Object.entries(SETS))('finds nothing to say about %s, and renders objects that their schemas know', async (_set, values) => {
    expect(own.lint(...values)).toMatchObject({ code: 0, stdout: expect.not.stringMatching(/\[(?:WARNING|ERROR)\]/) as string });
    const { stdout, stderr, code } = own.tryTemplate(values);
    expect({ code, stderr: stderr.replaceAll(/^.*(?:WARNING|level=WARN).*$/gm, '').trim() }).toEqual({ code: 0, stderr: '' });
    const objects = own.template(values);
    expect(objects.length).toBeGreaterThan(20);
    for (const manifest of objects) {
      if (manifest.apiVersion !== GATEWAY_API) await checkSchema(manifest);
      expect([manifest.kind, manifest.metadata.name, manifest.metadata.namespace]).toEqual([manifest.kind, manifest.metadata.name, NAMESPACE]);
    }
    const names = objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
    expect(new Set(names).size).toBe(names.length);
    expect(stdout).not.toMatch(/map\[|<no value>|%!/);
  }, 60_000);
});

test('both Helms render the same', () => {
  for (const values of Object.values(SETS)) expect(new Helm('v31').template(values)).toEqual(helm.template(values));
}, 60_000);

test('the schema of an object refuses a field that Kubernetes does not know', async () => {
  const [deployment] = render().filter(({ kind }) => kind === 'Deployment');
  const wrong = structuredClone(deployment) as Any;
  wrong.spec.template.spec.containers.forEach((each) => Reflect.set(each, 'imagePullPolcy', 'Always'));
  await expect(checkSchema(wrong)).rejects.toThrow('/spec/template/spec/containers/0/imagePullPolcy');
});

describe('the objects of the chart', () => {
  const usual = render();

  it('have the settings that every deployment has', () => {
    const { data } = named(usual, 'ConfigMap', 'switchyard');
    const { INTERNAL_URLS: urls, ...fixed } = fixedEnv();
    expect(data).toMatchObject(fixed);
    expect(JSON.parse(data['INTERNAL_URLS'] ?? '')).toEqual({ ...(JSON.parse(urls ?? '') as object), gateway: 'http://gateway-internal:8081' });
    expect(JSON.stringify(podOf(usual, 'agent'))).toContain(`--max-semi-space-size=${SEMI_SPACE_MI} `);
  });

  it('scale by the consumers of JetStream with KEDA', () => {
    const scaled = render({ keda: { enabled: true } }).filter(({ kind }) => kind === 'ScaledObject');
    const metadata = scaled.map(({ spec }) => (spec['triggers'] as { metadata: object }[])[0]?.metadata);
    expect(metadata).toEqual(
      [durableName('event-bus', DatasetEvents.recordsWritten.name), durableName('task', EventBusEvents.emissionsMatched.name)].map((consumer) =>
        expect.objectContaining({ stream: EVENTS_STREAM, consumer }) as object,
      ),
    );
  });

  it('tell only the readers of Redis where it is', () => {
    const objects = render({ externalServers: { redisUrl: 'redis://r' } });
    const readers = SERVICES.filter((name) => JSON.stringify(podOf(objects, name)).includes('REDIS_URL'));
    expect(readers).toEqual(REDIS_READERS);
  });

  it('add replicas at 0.6 cores, regardless of the requested amount', () => {
    for (const { spec } of usual.filter(({ kind }) => kind === 'HorizontalPodAutoscaler'))
      expect(spec['metrics']).toEqual([{ type: 'Resource', resource: { name: 'cpu', target: { type: 'AverageValue', averageValue: '600m' } } }]);
  });

  it('follow a changed setting, and make another Job for another image', () => {
    const checksum = (manifests: Any[]): unknown => named(manifests, 'Deployment', 'gateway').spec.template.metadata.annotations['checksum/config'];
    const settings = render({ config: { LOG_LEVEL: 'debug' } });
    expect(checksum(settings)).not.toBe(checksum(usual));
    expect(namesOf(settings, 'Job')).toEqual(namesOf(usual, 'Job'));
    const image = render({ image: { tag: '9.9.9' } });
    expect(checksum(image)).toBe(checksum(usual));
    expect(namesOf(image, 'Job')).not.toEqual(namesOf(usual, 'Job'));
  });

  it('tell the Job of the migrations how many connections are planned', () => {
    const [container] = migrateOf(usual).spec.template.spec.containers;
    expect(container?.env).toContainEqual({ name: 'DATABASE_CONNECTIONS_PLANNED', value: '280' });
  });

  it('start the bundled Postgres with the connections of the budget', () => {
    const postgres = named(render(example('dev')), 'StatefulSet', 'postgres');
    expect(JSON.stringify(postgres.spec)).toContain('"max_connections=300"');
  });

  it('have no object of an operator that the cluster does not have', () => {
    const kinds = helm.template([{ monitoring: { enabled: true } }], []).map(({ kind }) => kind);
    expect(kinds).not.toContain('ServiceMonitor');
    expect(kinds).not.toContain('PrometheusRule');
    for (const name of ['dev', 'production'])
      expect(helm.template([example(name)]).map(({ apiVersion }) => apiVersion)).not.toContain('monitoring.coreos.com/v1');
  });

  it('name the service of a pod that does not answer', () => {
    const monitor = named(render({ monitoring: { enabled: true } }), 'ServiceMonitor', 'switchyard');
    const label = 'app.kubernetes.io/name';
    expect(monitor.spec).toMatchObject({
      endpoints: [
        {
          relabelings: [
            {},
            { sourceLabels: [`__meta_kubernetes_pod_label_${label.replace(/\W/g, '_')}`], targetLabel: 'service' },
          ],
        },
      ],
    });
    expect(named(render({}), 'Deployment', 'agent').spec.template.metadata.labels).toMatchObject({ [label]: 'agent' });
  });

  it('have the alerts of their own namespace, with the severities and the runbooks of the values', () => {
    const chosen = { runbooks: 'https://wiki.example/run', severities: { critical: 'P1', warning: 'P3' } };
    const values = { monitoring: { enabled: true, prometheusRule: chosen } };
    const rule = named(render(values), 'PrometheusRule', 'switchyard');
    expect(rule.spec).toEqual(ruleGroups({ ...chosen, here: 'namespace="switchyard"' }));
  });
});

describe('models', () => {
  const objects = render({ models: { catalogue, systemAgentModel: 'gpt' }, services: { relay: { envFrom: [{ secretRef: { name: 'provider-keys' } }] } } });

  it('are a catalogue in a folder, so that relay sees a change', () => {
    expect(parse(named(objects, 'ConfigMap', 'switchyard-models').data['models.yaml'] ?? '')).toEqual(catalogue);
    const { containers, volumes } = podOf(objects, 'relay');
    expect(volumes).toContainEqual({ name: 'models', configMap: { name: 'switchyard-models' } });
    expect(containers[0]).toMatchObject({
      env: expect.arrayContaining([{ name: 'MODELS_FILE', value: '/etc/switchyard-models/models.yaml' }]) as object,
      // A file that is mounted by its subPath is never updated.
      volumeMounts: expect.arrayContaining([{ name: 'models', mountPath: '/etc/switchyard-models', readOnly: true }]) as object,
      envFrom: expect.arrayContaining([{ secretRef: { name: 'provider-keys' } }]) as object,
    });
  });

  it('are known to relay alone, and their keys too', () => {
    for (const service of SERVICES.filter((name) => name !== 'relay')) {
      expect(JSON.stringify(podOf(objects, service))).not.toContain('models.yaml');
      expect(JSON.stringify(podOf(objects, service))).not.toContain('provider-keys');
    }
    expect(named(objects, 'ConfigMap', 'switchyard').data['SYSTEM_AGENT_MODEL']).toBe('gpt');
  });

  it('replace no pod when they change', () => {
    const changed = render({ models: { catalogue: { ...catalogue, models: [] }, systemAgentModel: 'gpt' } });
    const templates = (manifests: Any[]): unknown => manifests.filter(({ kind }) => kind === 'Deployment').map(({ spec }) => spec.template);
    expect(templates(changed)).toEqual(templates(render({ models: { catalogue, systemAgentModel: 'gpt' } })));
  });

  it('may be in a ConfigMap of the operator', () => {
    const own = render({ models: { existingConfigMap: 'our-models' } });
    expect(podOf(own, 'relay').volumes).toContainEqual({ name: 'models', configMap: { name: 'our-models' } });
    expect(namesOf(own, 'ConfigMap')).toEqual(['switchyard']);
  });
});

describe('everything turned on', () => {
  const objects = render(EVERYTHING);
  const owners = objects.filter(({ kind }) => ['Deployment', 'StatefulSet', 'Job'].includes(kind));

  it('places every pod as it says', () => {
    for (const { metadata, spec } of owners) {
      const { template } = spec;
      expect([metadata.name, template.metadata.labels]).toEqual([metadata.name, expect.objectContaining({ team: 'platform', mesh: 'off', 'app.kubernetes.io/part-of': 'acme' }) as object]);
      expect(template.spec).toMatchObject({ tolerations: [toleration], affinity, priorityClassName: 'high', imagePullSecrets: [{ name: 'registry' }] });
    }
  });

  it.each(SERVICES)('gives %s what all have', (service) => {
    const { metadata, spec } = named(objects, 'Deployment', `acme-${service}`);
    const pod = spec.template.spec;
    const secret = service === 'key' ? 'sealed-key' : `vault-${service}`;
    expect(metadata.annotations).toEqual({ 'reloader.stakater.com/auto': 'true' });
    expect(pod['topologySpreadConstraints']).toEqual([spread]);
    expect(pod['serviceAccountName']).toBe(`acme-${service}`);
    expect((pod.initContainers ?? []).map(({ name }) => name)).toEqual([
      ...(service === 'gateway' ? [] : ['await-migrations']),
      'first',
      ...(service === 'agent' ? ['second'] : []),
    ]);
    expect(pod.containers.map(({ name }) => name)).toEqual([service, 'proxy', ...(service === 'agent' ? ['sidecar'] : [])]);
    const [container] = pod.containers;
    expect(container).toMatchObject({ image: `registry.example.com/switchyard@${DIGEST}`, imagePullPolicy: 'Always' });
    expect(container?.envFrom).toEqual(
      expect.arrayContaining([{ secretRef: { name: secret, optional: true } }, { secretRef: { name: 'for-all' } }]),
    );
    const variables = Object.fromEntries((container?.env ?? []).map(({ name, value }) => [name, value]));
    expect(variables).toMatchObject({ FOR_ALL: 'yes', NATS_URL: EVERYTHING.externalServers.natsUrl, NODE_EXTRA_CA_CERTS: '/etc/switchyard-ca/ca.crt' });
    expect(container?.volumeMounts).toContainEqual({ name: 'shared', mountPath: '/shared' });
  });

  it('prefers what one service has', () => {
    const { spec } = named(objects, 'Deployment', 'acme-agent');
    const pod = spec.template.spec;
    const [container] = pod.containers;
    expect(spec).toMatchObject({ replicas: 5, strategy: { type: 'Recreate' } });
    expect(pod).toMatchObject({ terminationGracePeriodSeconds: 300, nodeSelector: { pool: 'agents' }, hostAliases: [{ ip: '10.0.0.2', hostnames: ['tools.internal'] }] });
    expect(container).toMatchObject({ livenessProbe: { periodSeconds: 60 }, readinessProbe: { periodSeconds: 7 }, resources: { limits: { memory: '2Gi' } } });
    expect(JSON.stringify(container?.env)).toMatch(/max-old-space-size=1536.*EXTRA/);
    expect(container?.envFrom).toContainEqual({ secretRef: { name: 'agent-keys' } });
    expect(container?.volumeMounts).toContainEqual({ name: 'keys', mountPath: '/run/secrets', readOnly: true });
    expect(spec.template.metadata.annotations['example.com/a']).toBe('agent');
    expect(named(objects, 'ServiceAccount', 'acme-agent').metadata.annotations).toEqual({ 'example.com/role': 'agent' });
    expect(named(objects, 'PodDisruptionBudget', 'acme-agent').spec).toMatchObject({ minAvailable: 2 });
    expect(named(objects, 'PodDisruptionBudget', 'acme-key').spec).toMatchObject({ maxUnavailable: '25%' });
    expect(namesOf(objects, 'PodDisruptionBudget')).not.toContain('acme-relay');
    expect(namesOf(objects, 'HorizontalPodAutoscaler')).not.toContain('acme-agent');
    expect(named(objects, 'HorizontalPodAutoscaler', 'acme-relay').spec).toMatchObject({
      behavior: { scaleDown: { stabilizationWindowSeconds: 30 } },
      metrics: [{ resource: { target: { type: 'Utilization', averageUtilization: 60 } } }],
    });
    expect(named(objects, 'HorizontalPodAutoscaler', 'acme-key').spec).toMatchObject({
      behavior: { scaleUp: { stabilizationWindowSeconds: 5 } },
      metrics: [{ resource: { target: { averageValue: '700m' } } }],
    });
  });

  it('opens the public port alone to a load balancer', () => {
    const services = objects.filter(({ kind }) => kind === 'Service');
    const open = services.filter(({ spec }) => spec['type'] === 'LoadBalancer');
    expect(open.map(({ metadata }) => metadata.name)).toEqual(['acme-gateway']);
    expect(open[0]?.metadata.annotations).toEqual({ 'example.com/lb': 'nlb' });
    expect(open[0]?.spec).toMatchObject({ ports: [{ name: 'http', port: 8080 }], loadBalancerClass: 'nlb', externalTrafficPolicy: 'Local' });
  });

  it('names every object with the prefix, and reaches each by that name', () => {
    const plain = objects.filter(({ metadata }) => !metadata.name.startsWith('acme'));
    expect(plain.map(({ metadata }) => metadata.name).filter((name) => !['nats', 'postgres', 'redis', 'simulator', 'switchyard-own'].includes(name))).toEqual([]);
    const urls = JSON.parse(named(objects, 'ConfigMap', 'acme').data['INTERNAL_URLS'] ?? '') as Record<string, string>;
    for (const url of Object.values(urls)) expect(namesOf(objects, 'Service')).toContain(new URL(url).hostname);
    const selectors = objects.filter(({ kind }) => kind === 'Deployment').map(({ spec }) => spec['selector']);
    for (const selector of selectors) expect(selector).toMatchObject({ matchLabels: { 'app.kubernetes.io/part-of': 'acme' } });
  });

  it('leads every host to the gateway', () => {
    const rules = named(objects, 'Ingress', 'acme').spec['rules'] as { host: string; http: { paths: { path: string }[] } }[];
    expect(rules.map(({ host, http }) => [host, http.paths.map(({ path: each }) => each)])).toEqual([
      ['a.example.com', ['/']],
      ['b.example.com', ['/api', '/models']],
    ]);
  });

  it('writes the policies as the network is', () => {
    expect(policyOf(objects, 'acme-names')).toMatch(/5353.*5353/);
    expect(policyOf(objects, 'acme-outside')).not.toContain('64:ff9b');
    expect(policyOf(objects, 'acme-oidc')).toContain('"app.kubernetes.io/name":"gateway"');
    expect(policyOf(objects, 'acme-telemetry')).toContain('10.9.0.0/16');
    const usual = render();
    expect(policyOf(usual, 'outside')).toContain('64:ff9b::/96');
    expect(policyOf(usual, 'outside')).toContain('168.63.129.16/32');
    expect(namesOf(usual, 'NetworkPolicy')).not.toContain('oidc');
    expect(namesOf(usual, 'NetworkPolicy')).not.toContain('telemetry');
    expect(namesOf(render({ networkPolicies: { outside: { enabled: false } } }), 'NetworkPolicy')).not.toContain('outside');
  });

  it('lets KEDA alone scale task and event-bus, within the budget', () => {
    for (const name of ['acme-task', 'acme-event-bus']) {
      expect(namesOf(objects, 'HorizontalPodAutoscaler')).not.toContain(name);
      expect(named(objects, 'ScaledObject', name).spec).toMatchObject({ minReplicaCount: 2, maxReplicaCount: 3 });
      expect(named(objects, 'Deployment', name).spec['replicas']).toBeUndefined();
    }
  });

  it('lets Prometheus find its objects', () => {
    for (const kind of ['ServiceMonitor', 'PrometheusRule'])
      expect(named(objects, kind, 'acme').metadata.labels).toMatchObject({ release: 'kube-prometheus-stack', team: 'monitoring' });
  });

  it('gives the administrator to the Job of the migrations from elsewhere', () => {
    expect(JSON.stringify(migrateOf(objects).spec.template.spec.containers[0]?.env)).toMatch(/NODE_EXTRA_CA_CERTS.*db-superuser/);
  });
});

test('on OpenShift no pod of the image says its user', () => {
  const objects = render(example('production'), example('openshift'));
  for (const service of SERVICES) expect(podOf(objects, service).securityContext).toEqual({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
});

describe('the test of a release', () => {
  it('is not part of the release', () => {
    expect(render().filter(({ metadata }) => metadata.name === 'test')).toEqual([]);
  });

  it.each(['values of the chart', 'everything'])('keeps to the restricted level, with a login alone: %s', async (name) => {
    const objects = helm.testObjects(name === 'everything' ? [EVERYTHING] : []);
    for (const manifest of objects) await checkSchema(manifest);
    const pod = objects.find(({ kind }) => kind === 'Pod') as unknown as { spec: Pod; metadata: Manifest['metadata'] };
    expect(pod.metadata.annotations).toMatchObject({ 'helm.sh/hook': 'test' });
    expect(pod.spec).toMatchObject({ automountServiceAccountToken: false, restartPolicy: 'Never' });
    expect(pod.spec.containers[0]?.securityContext).toMatchObject({ readOnlyRootFilesystem: true, allowPrivilegeEscalation: false });
    expect(pod.spec.containers[0]?.envFrom).toBeUndefined();
    const variables = (pod.spec.containers[0]?.env ?? []).map((each) => each.name);
    expect(variables).toEqual(name === 'everything' ? ['GATEWAY_URL', 'MODEL', 'API_KEY'] : ['GATEWAY_URL', 'BOOTSTRAP_EMAIL', 'BOOTSTRAP_PASSWORD']);
  });

  it('can be left out', () => {
    expect(() => helm.testObjects([{ tests: { enabled: false } }])).toThrow('could not find template');
  });
});

test('Secrets are made for all that the chart with its own servers names, in any namespace', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'chart-'));
  writeSecrets(folder, { NAMESPACE: 'other' });
  const found = parseAllDocuments(readFileSync(path.join(folder, 'secrets.yaml'), 'utf8')).map((each) => each.toJS() as Manifest);
  rmSync(folder, { recursive: true });
  const needed = [...SERVICES, 'migrate', 'nats-services'].map((name) => `switchyard-${name}`);
  expect(found.map(({ metadata }) => metadata.name).sort()).toEqual([...needed, 'nats', 'postgres'].sort());
  for (const { metadata } of found) expect(metadata.namespace).toBe('other');
});

test('labels of selectors are those that the policies of Kustomize select', () => {
  const deployment = named(render(), 'Deployment', 'gateway');
  expect(deployment.spec['selector']).toEqual({ matchLabels: labelsOf('gateway' satisfies ServiceName) });
});
