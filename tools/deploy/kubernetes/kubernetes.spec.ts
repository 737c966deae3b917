import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { CONFIGS, allVariables } from '../../docs/configuration';
import { SERVICES, type ServiceName } from '../../launcher/service-names';
import { openHome } from '../../launcher/home/home';
import { loadSecrets } from '../../launcher/home/secrets';
import { variablesOf } from '@switchyard/service';
import { secretManifests, writeSecrets } from '../kubernetes-secrets';
import { kustomized } from './kustomize';
import { type Manifest, labelsOf } from './manifest';
import { productionWith } from './production-with';
import { GATEWAY_API, checkSchema } from './schema';

const root = join(__dirname, '../../..');
const folder = mkdtempSync(join(tmpdir(), 'k8s-'));
cpSync(join(root, 'deploy/k8s'), folder, { recursive: true });
writeSecrets(join(folder, 'overlays/dev/secrets'), {});

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

interface Container {
  name: string;
  image: string;
  args?: string[];
  env?: { name: string; value?: string }[];
  envFrom?: { configMapRef?: { name: string }; secretRef?: { name: string } }[];
  securityContext: object;
  resources: { requests: Record<string, string>; limits: Record<string, string> };
  readinessProbe?: object;
  livenessProbe?: object;
  startupProbe?: object;
  lifecycle?: { preStop: { sleep: { seconds: number } } };
}

interface Pod {
  automountServiceAccountToken: boolean;
  serviceAccountName?: string;
  securityContext: { runAsNonRoot: boolean; seccompProfile: { type: string } };
  containers: Container[];
  initContainers?: Container[];
  volumes?: Record<string, unknown>[];
  terminationGracePeriodSeconds?: number;
  topologySpreadConstraints?: object[];
}

type RenderedManifest = Manifest & {
  data?: Record<string, string>;
  stringData?: Record<string, string>;
  spec: {
    replicas?: number;
    template: { metadata: { labels: Record<string, string> }; spec: Pod };
    selector: { matchLabels: Record<string, string> };
    podSelector?: object;
    scaleTargetRef?: { name: string };
    minReplicas?: number;
    maxReplicas?: number;
    maxReplicaCount?: number;
    progressDeadlineSeconds?: number;
  };
};

const TERMINATION_SECONDS = 130;
const REDIS_PORT = 6379;
const MODEL_KEYS = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'switchyard-model-keys', namespace: 'switchyard' },
  stringData: { OPENAI_API_KEY: 'x' },
};

/** The Secrets that an operator applies beside an overlay. */
const appliedSecrets = (): Manifest[] => [MODEL_KEYS, ...serviceSecrets()];

const serviceSecrets = (): Manifest[] =>
  secretManifests(loadSecrets(openHome(mkdtempSync(join(folder, 'home-'))), {}), {
    adminUrl: 'postgres://admin:x@db/switchyard',
    natsUrl: 'nats://nats.example',
    redisUrl: 'redis://redis.example',
  }) as Manifest[];

const FORMS: Record<string, () => Manifest[]> = {
  base: () => [...kustomized(join(folder, 'base')), ...appliedSecrets()],
  dev: () => kustomized(join(folder, 'overlays/dev')),
  production: () => [...kustomized(join(folder, 'overlays/production')), ...appliedSecrets()],
  'production with KEDA': () => [...productionWith(folder, 'keda'), ...appliedSecrets()],
  'production with the Gateway API': () => [...productionWith(folder, 'gateway-api'), ...appliedSecrets()],
  'production with the NATS API': () => [...productionWith(folder, 'nats-services'), ...appliedSecrets()],
  'production with an own CA': () => [...productionWith(folder, 'own-ca'), ...appliedSecrets()],
};

const written = readdirSync(join(root, 'deploy/k8s'), { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.yaml'));

test.each(written)('%s means the same to readers of YAML 1.1', (file) => {
  const text = readFileSync(join(root, 'deploy/k8s', file), 'utf8');
  const read = (version: '1.1' | '1.2'): unknown[] =>
    parseAllDocuments(text, { version }).map((document) => {
      expect(document.errors).toEqual([]);
      return document.toJS() as unknown;
    });
  expect(read('1.1')).toEqual(read('1.2'));
});

test('no overlay contains the namespace: its end would be the end of all Secrets', () => {
  for (const overlay of ['base', 'overlays/dev', 'overlays/production'])
    expect(kustomized(join(folder, overlay)).map(({ kind }) => kind)).not.toContain('Namespace');
  const [namespace] = parseAllDocuments(readFileSync(join(root, 'deploy/k8s/namespace.yaml'), 'utf8'));
  const levels = { 'pod-security.kubernetes.io/enforce': 'restricted' };
  expect(namespace?.toJS()).toMatchObject({ kind: 'Namespace', metadata: { name: 'switchyard', labels: levels } });
});

test('the Job of the migrations has the tag of the image in its name, so that a new version is a new Job', () => {
  const jobOf = (overlay: string): string[] =>
    kustomized(join(folder, overlay))
      .filter(({ kind }) => kind === 'Job')
      .map(({ metadata }) => metadata.name);
  expect(jobOf('overlays/dev')).toEqual(['migrate-local']);
  const file = join(folder, 'overlays/production/kustomization.yaml');
  const before = readFileSync(file, 'utf8');
  const [now] = jobOf('overlays/production');
  writeFileSync(file, before.replace(/newTag: .*/, 'newTag: 9.9.9'));
  const next = jobOf('overlays/production');
  writeFileSync(file, before);
  expect(now).toMatch(/^migrate-\d+\.\d+\.\d+$/);
  expect(next).toEqual(['migrate-9.9.9']);
});

test('settings and Secrets of production are named by their content, so that pods follow a change', () => {
  const secrets = join(folder, 'production-secrets');
  writeSecrets(secrets, {
    DATABASE_ADMIN_URL: 'postgres://admin:x@db/switchyard',
    NATS_URL: 'nats://nats.example',
    REDIS_URL: 'redis://redis.example',
  });
  const component = readFileSync(join(secrets, 'kustomization.yaml'), 'utf8');
  expect(component).toContain('kind: Component');
  expect(component).not.toContain('disableNameSuffixHash');
  const made = productionWith(folder, '../production-secrets');
  const namesOf = (kind: string): string[] => made.filter((each) => each.kind === kind).map(({ metadata }) => metadata.name);
  const hash = /-[a-z0-9]{10}$/;
  for (const name of namesOf('Secret')) expect(name).toMatch(hash);
  const plain = namesOf('Secret').map((name) => name.replace(hash, ''));
  expect(plain.sort()).toEqual(['nats', 'switchyard-migrate', 'switchyard-nats-services', ...SERVICES.map((name) => `switchyard-${name}`)].sort());
  // Relay reads its catalogue again by itself: this one has no hash, and no pod is replaced.
  expect(namesOf('ConfigMap').map((name) => name.replace(hash, '#')).sort()).toEqual(['switchyard#', 'switchyard-models']);
});

test('with a CA of the operator, every container trusts it', () => {
  const owners = productionWith(folder, 'rotate-secrets', 'own-ca').filter(({ kind }) => kind === 'Deployment' || kind === 'Job') as RenderedManifest[];
  expect(owners).toHaveLength(SERVICES.length + 2);
  for (const { spec } of owners) {
    const { containers, initContainers = [], volumes } = spec.template.spec;
    expect(volumes).toContainEqual({ name: 'ca', configMap: { name: 'switchyard-ca' } });
    for (const container of [...containers, ...initContainers])
      expect(container).toMatchObject({
        env: expect.arrayContaining([{ name: 'NODE_EXTRA_CA_CERTS', value: '/etc/switchyard-ca/ca.crt' }]) as object,
        volumeMounts: expect.arrayContaining([{ name: 'ca', mountPath: '/etc/switchyard-ca', readOnly: true }]) as object,
      });
  }
});

interface HttpRouteManifest extends Manifest {
  spec: {
    parentRefs: { namespace: string; sectionName: string }[];
    hostnames: string[];
    rules: { timeouts?: object; backendRefs?: { name: string; port: number }[]; filters?: object[] }[];
  };
}

test('a Gateway leads to the door in place of the Ingress, without a limit of time, and TLS is insisted on', () => {
  const found = productionWith(folder, 'gateway-api', 'own-ca') as RenderedManifest[];
  const named = (kind: string, name: string): RenderedManifest | undefined =>
    found.find((each) => each.kind === kind && each.metadata.name === name);
  const routes = found.filter(({ apiVersion }) => apiVersion === GATEWAY_API) as unknown as HttpRouteManifest[];
  // Its annotation would have cert-manager order a certificate that cannot be validated.
  expect(named('Ingress', 'switchyard')).toBeUndefined();
  const ingress = productionWith(folder, 'own-ca').find(({ kind }) => kind === 'Ingress') as unknown as { spec: { rules: { host: string }[] } };
  for (const { spec } of routes) expect(spec.hostnames).toEqual(ingress.spec.rules.map(({ host }) => host));
  const [open, plain] = ['https', 'http'].map((section) =>
    routes.find(({ spec }) => spec.parentRefs.every(({ sectionName }) => sectionName === section)),
  );
  expect(plain?.spec.rules).toEqual([
    { filters: [{ type: 'RequestRedirect', requestRedirect: { scheme: 'https', statusCode: 301 } }] },
  ]);
  expect(open?.spec.rules).toMatchObject([{ timeouts: { request: '0s', backendRequest: '0s' } }]);
  for (const { backendRefs = [] } of open?.spec.rules ?? [])
    for (const { name, port } of backendRefs)
      expect(named('Service', name)?.spec).toMatchObject({ ports: expect.arrayContaining([expect.objectContaining({ port })]) as object });
  const wall = JSON.stringify(named('NetworkPolicy', 'gateway-api'));
  for (const { namespace } of routes.flatMap(({ spec }) => spec.parentRefs)) expect(wall).toContain(`"${namespace}"`);
});

describe.each(Object.keys(FORMS))('the form %s', (form) => {
  const found = (FORMS[form]?.() ?? []) as RenderedManifest[];
  const ofKind = (kind: string): RenderedManifest[] => found.filter((manifest) => manifest.kind === kind);
  const pods = [...ofKind('Deployment'), ...ofKind('StatefulSet'), ...ofKind('Job')].map(
    (owner) => [owner.metadata.name, owner.spec.template.spec] as const,
  );

  const withSchema = found.filter(({ apiVersion }) => apiVersion !== GATEWAY_API);
  test.each(withSchema.map((manifest) => [`${manifest.kind} ${manifest.metadata.name}`, manifest] as const))(
    '%s is what its schema says',
    async (_name, manifest) => {
      await expect(checkSchema(manifest)).resolves.toBeUndefined();
    },
  );

  test.each(SERVICES)('sets all that %s needs, and nothing that is not read', (service) => {
    const container = deployed(service).containers[0];
    if (!container) throw new Error('no container');
    const given = new Set(settingsOf(container));
    const variables = variablesOf(CONFIGS[service] ?? Object);
    const needed = variables.filter(({ default: usual, optional }) => usual === undefined && !optional);
    expect(needed.map(({ name }) => name).filter((name) => !given.has(name))).toEqual([]);
    // The settings that all share hold those of the Job `migrate` as well.
    const read = new Set([...allVariables().map(({ name }) => name), ...FOR_THE_IMAGE, ...OF_THE_CATALOGUE]);
    expect([...given].filter((name) => !read.has(name))).toEqual([]);
    // Variables set for a single service are read by that service.
    const own = new Set([...variables.map(({ name }) => name), ...FOR_ALL, ...FOR_THE_IMAGE, ...OF_THE_CATALOGUE]);
    expect(secretSettingsOf(container).filter((name) => !own.has(name))).toEqual([]);
  });

  const deployed = (service: ServiceName): Pod => {
    const owner = ofKind('Deployment').find(({ metadata }) => metadata.name === service);
    if (!owner) throw new Error(`${form} has no ${service}`);
    return owner.spec.template.spec;
  };
  const keysOf = (kind: string, name: string): string[] => {
    const holder = ofKind(kind).find(({ metadata }) => metadata.name === name);
    if (!holder) throw new Error(`${form} has no ${kind} ${name}`);
    return Object.keys(holder.stringData ?? holder.data ?? {});
  };
  const secretSettingsOf = ({ envFrom = [] }: Container): string[] =>
    envFrom.flatMap(({ secretRef }) => (secretRef ? keysOf('Secret', secretRef.name) : []));
  const settingsOf = (container: Container): string[] => [
    ...(container.env ?? []).map(({ name }) => name),
    ...(container.envFrom ?? []).flatMap(({ configMapRef }) =>
      configMapRef ? keysOf('ConfigMap', configMapRef.name) : [],
    ),
    ...secretSettingsOf(container),
  ];

  test('keeps to the restricted level: every container, and no tokens', () => {
    for (const [name, pod] of pods) {
      expect([name, pod.automountServiceAccountToken]).toEqual([name, false]);
      expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
      for (const container of [...pod.containers, ...(pod.initContainers ?? [])]) {
        expect(container.securityContext).toMatchObject({
          runAsNonRoot: true,
          readOnlyRootFilesystem: true,
          allowPrivilegeEscalation: false,
          capabilities: { drop: ['ALL'] },
        });
        expect(container.resources.requests).toEqual({ cpu: expect.any(String) as string, memory: expect.any(String) as string });
        expect(container.resources.limits['memory']).toBeDefined();
      }
      expect(JSON.stringify(pod.volumes ?? [])).not.toMatch(/hostPath|hostNetwork/);
    }
  });

  test.each(SERVICES)('%s is probed, drained, spread, bounded and kept up', (service) => {
    const pod = deployed(service);
    const [container] = pod.containers;
    expect(container).toMatchObject({
      startupProbe: expect.any(Object) as object,
      livenessProbe: { httpGet: { path: '/health/live' } },
      readinessProbe: { httpGet: { path: '/health/ready' } },
    });
    const grace = variablesOf(CONFIGS[service] ?? Object).find(({ name }) => name === 'SHUTDOWN_GRACE_MS');
    const preStop = container?.lifecycle?.preStop.sleep.seconds ?? 0;
    expect(preStop).toBeGreaterThanOrEqual(5);
    expect(pod.terminationGracePeriodSeconds).toBe(TERMINATION_SECONDS);
    expect(TERMINATION_SECONDS).toBeGreaterThan(preStop + (4 * Number(grace?.default)) / 1000);
    const budget = ofKind('PodDisruptionBudget').find(({ metadata }) => metadata.name === service);
    const owner = ofKind('Deployment').find(({ metadata }) => metadata.name === service);
    expect(owner?.spec.template.metadata.labels).toMatchObject(budget?.spec.selector.matchLabels ?? { missing: '' });
    const scalers = [...ofKind('HorizontalPodAutoscaler'), ...ofKind('ScaledObject')].filter(
      ({ spec }) => spec.scaleTargetRef?.name === service,
    );
    expect(scalers).toHaveLength(1);
  });

  test('names only Secrets, ConfigMaps, accounts and Services that are there', () => {
    for (const [, pod] of pods) {
      for (const container of [...pod.containers, ...(pod.initContainers ?? [])]) settingsOf(container);
      if (pod.serviceAccountName) expect(ofKind('ServiceAccount').map(({ metadata }) => metadata.name)).toContain(pod.serviceAccountName);
    }
    const services = ofKind('Service').map(({ metadata }) => metadata.name);
    const [settings] = ofKind('ConfigMap').filter(({ data }) => data?.['INTERNAL_URLS'] !== undefined);
    const urls = JSON.parse(settings?.data?.['INTERNAL_URLS'] ?? '{}') as Record<string, string>;
    expect(Object.keys(urls).sort()).toEqual([...SERVICES].sort());
    for (const url of Object.values(urls)) expect(services).toContain(new URL(url).hostname);
  });

  test('leaves the number of replicas to what scales them', () => {
    const scaled = [...ofKind('HorizontalPodAutoscaler'), ...ofKind('ScaledObject')].map(({ spec }) => spec.scaleTargetRef?.name);
    for (const { metadata, spec } of ofKind('Deployment'))
      if (scaled.includes(metadata.name)) expect([metadata.name, spec.replicas]).toEqual([metadata.name, undefined]);
  });

  test('lets a node be drained of pods that crash, and a lost zone be made good in the others', () => {
    for (const { spec } of ofKind('PodDisruptionBudget')) expect(spec).toMatchObject({ unhealthyPodEvictionPolicy: 'AlwaysAllow' });
    for (const [, { topologySpreadConstraints = [] }] of pods)
      for (const constraint of topologySpreadConstraints)
        expect(constraint).toMatchObject({ whenUnsatisfiable: 'ScheduleAnyway', nodeTaintsPolicy: 'Honor' });
  });

  test('the Job of the migrations waits for nothing that comes later, and stays until a new version replaces it', () => {
    const [job] = ofKind('Job') as (RenderedManifest & { spec: { ttlSecondsAfterFinished?: number } })[];
    expect(job?.spec.ttlSecondsAfterFinished).toBeUndefined();
    const waves = found.filter((manifest) => JSON.stringify(manifest.metadata).includes('sync-wave'));
    expect(waves.map(({ kind }) => kind)).toEqual([]);
    expect(job?.metadata).toMatchObject({
      annotations: {
        'argocd.argoproj.io/sync-options': expect.stringContaining('Replace=true') as string,
        'kustomize.toolkit.fluxcd.io/force': 'enabled',
      },
    });
  });

  test('lets names be asked of a cache on the node, certificates be proved, and public IPv6 be reached', () => {
    const policyNamed = (name: string): string => JSON.stringify(ofKind('NetworkPolicy').find(({ metadata }) => metadata.name === name));
    expect(policyNamed('names')).toContain('"169.254.20.10/32"');
    expect(policyNamed('acme-solver')).toContain('8089');
    for (const range of ['::/0', 'fc00::/7', 'fe80::/10']) expect(policyNamed('outside')).toContain(`"${range}"`);
  });

  test('lets no pods reach Redis but those that are told where it is', () => {
    const readers = SERVICES.filter((service) => deployed(service).containers.flatMap(secretSettingsOf).includes('REDIS_URL'));
    const pods = { matchExpressions: [{ key: 'app.kubernetes.io/name', operator: 'In', values: readers }] };
    const ports = [{ port: REDIS_PORT }];
    const policies = ofKind('NetworkPolicy').map(({ metadata, spec }) => ({ name: metadata.name, spec }));
    const out = { podSelector: pods, policyTypes: ['Egress'], egress: [expect.objectContaining({ ports }) as object] };
    const into = { podSelector: { matchLabels: labelsOf('redis') }, policyTypes: ['Ingress'], ingress: [{ from: [{ podSelector: pods }], ports }] };
    const ofRedis = policies.filter(({ spec }) => JSON.stringify(spec).includes(`"port":${REDIS_PORT}`));
    expect(ofRedis.sort((a, b) => b.name.localeCompare(a.name))).toEqual([
      { name: 'redis', spec: out },
      ...(form === 'dev' ? [{ name: 'dev-redis', spec: into }] : []),
    ]);
    // The other servers of `dev` are open to all services, on all ports.
    const open = policies.find(({ name }) => name === 'dev-servers');
    if (open) expect(JSON.stringify(open.spec.podSelector)).toContain('"operator":"NotIn","values":["redis"]');
  });

  test('lets nothing speak to anything that is not said', () => {
    const all = ofKind('NetworkPolicy').find(({ metadata }) => metadata.name === 'deny-all');
    expect(all?.spec).toEqual({ podSelector: {}, policyTypes: ['Ingress', 'Egress'] });
  });

  test('is all in one namespace', () => {
    for (const { metadata } of found) expect(metadata.namespace).toBe('switchyard');
  });

  test('leads to the internal ports by Services of their own', () => {
    const services = ofKind('Service') as unknown as { metadata: { name: string }; spec: { ports: { name: string }[] } }[];
    for (const service of SERVICES) {
      const internal = service === 'gateway' ? 'gateway-internal' : service;
      expect(services.find(({ metadata }) => metadata.name === internal)?.spec.ports.map(({ name }) => name)).toEqual(['internal']);
    }
    expect(services.find(({ metadata }) => metadata.name === 'gateway')?.spec.ports.map(({ name }) => name)).toEqual(['http']);
  });

  test('gives the migrations less time than the Deployments have to make progress', () => {
    const [job] = ofKind('Job') as unknown as { spec: { activeDeadlineSeconds: number } }[];
    for (const service of SERVICES) {
      const owner = ofKind('Deployment').find(({ metadata }) => metadata.name === service);
      expect(owner?.spec.progressDeadlineSeconds).toBe(2400);
    }
    expect(job?.spec.activeDeadlineSeconds).toBeLessThan(2400);
  });

  test('opens no more connections than the Postgres that it states has', () => {
    const scalers = ofKind('HorizontalPodAutoscaler').concat(ofKind('ScaledObject'));
    const most = SERVICES.filter((name) => name !== 'gateway').map((name) => {
      const scaler = scalers.find(({ spec }) => spec.scaleTargetRef?.name === name);
      return scaler?.spec.maxReplicas ?? scaler?.spec.maxReplicaCount ?? Infinity;
    });
    const [settings] = ofKind('ConfigMap').filter(({ data }) => data?.['DATABASE_POOL_SIZE'] !== undefined);
    const pool = Number(settings?.data?.['DATABASE_POOL_SIZE']);
    // One more of each while it is replaced.
    const connections = pool * most.reduce((sum, each) => sum + each + 1, 0);
    expect(connections).toBeLessThanOrEqual(300 - 20);
  });
});

/** Read by Node, or by the image's own start. */
const FOR_THE_IMAGE = ['APP', 'NODE_OPTIONS', 'NODE_EXTRA_CA_CERTS'];
/** Named by the catalogue of models. */
const OF_THE_CATALOGUE = Object.keys(MODEL_KEYS.stringData);
/** In every Secret, because they hold passwords, or must be known to all. */
const FOR_ALL = ['NATS_URL', 'SERVICE_PUBLIC_KEYS', 'SIMULATOR_URL'];
