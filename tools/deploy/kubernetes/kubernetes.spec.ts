import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { CONFIGS, allVariables } from '../../docs/configuration';
import { SERVICES, type ServiceName } from '../../launcher/service-names';
import { openHome } from '../../launcher/home/home';
import { loadSecrets } from '../../launcher/home/secrets';
import { variablesOf } from '@switchyard/service';
import { secretManifests, writeSecrets } from '../kubernetes-secrets';
import { buildKustomization } from './build-kustomization';
import { kubernetesFiles } from './files';
import { type Manifest, labelsOf } from './manifest';
import { REDIS_PORT } from './network';
import { GATEWAY_API, checkSchema } from './schema';
import { productionWith } from './with-components';
import { TERMINATION_SECONDS } from './workloads';

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
  };
};

/** The Secrets that an operator applies beside an overlay. */
const appliedSecrets = (): Manifest[] =>
  secretManifests(loadSecrets(openHome(mkdtempSync(join(folder, 'home-'))), {}), {
    adminUrl: 'postgres://admin:x@db/switchyard',
    natsUrl: 'nats://nats.example',
    redisUrl: 'redis://redis.example',
  }) as Manifest[];

const FORMS: Record<string, () => Manifest[]> = {
  base: () => [...buildKustomization(join(folder, 'base')), ...appliedSecrets()],
  dev: () => buildKustomization(join(folder, 'overlays/dev')),
  production: () => [...buildKustomization(join(folder, 'overlays/production')), ...appliedSecrets()],
  'production with KEDA': () => [...productionWith(folder, 'keda'), ...appliedSecrets()],
  'production with the Gateway API': () => [...productionWith(folder, 'gateway-api'), ...appliedSecrets()],
  'production with an own CA': () => [...productionWith(folder, 'own-ca'), ...appliedSecrets()],
};

test.each(Object.entries(kubernetesFiles()))('%s is the one that the code makes (npm run docs writes it)', (path, text) => {
  expect(readFileSync(join(root, 'deploy/k8s', path), 'utf8')).toBe(text);
  for (const document of parseAllDocuments(text)) expect(document.errors).toEqual([]);
});

test.each(Object.entries(kubernetesFiles()))('%s means the same to readers of YAML 1.1', (_path, text) => {
  const read = (version: '1.1' | '1.2'): unknown[] => parseAllDocuments(text, { version }).map((each) => each.toJS() as unknown);
  expect(read('1.1')).toEqual(read('1.2'));
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
  const own = join(folder, 'overlays/with-secrets');
  cpSync(join(folder, 'overlays/production'), own, { recursive: true });
  const file = join(own, 'kustomization.yaml');
  writeFileSync(file, readFileSync(file, 'utf8').replace('components:', 'components:\n  - ../../production-secrets'));
  const made = buildKustomization(own);
  const names = made.filter(({ kind }) => kind === 'Secret').map(({ metadata }) => metadata.name);
  expect(names.sort()).toEqual(['nats', 'switchyard-migrate', ...SERVICES.map((name) => `switchyard-${name}`)].sort());
  expect(parse(readFileSync(join(root, 'deploy/k8s/base/kustomization.yaml'), 'utf8'))).toMatchObject({
    configMapGenerator: [{ name: 'switchyard' }],
  });
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
  // Its annotation would have cert-manager order a certificate that nobody can prove.
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

  test.each(SERVICES)('sets all that %s cannot do without, and nothing that nobody reads', (service) => {
    const container = deployed(service).containers[0];
    if (!container) throw new Error('no container');
    const given = new Set(settingsOf(container));
    const variables = variablesOf(CONFIGS[service] ?? Object);
    const needed = variables.filter(({ default: usual, optional }) => usual === undefined && !optional);
    expect(needed.map(({ name }) => name).filter((name) => !given.has(name))).toEqual([]);
    // The settings that all share hold those of the Job `migrate` as well.
    const read = new Set([...allVariables().map(({ name }) => name), ...FOR_THE_IMAGE]);
    expect([...given].filter((name) => !read.has(name))).toEqual([]);
    // Variables set for a single service are read by that service.
    const own = new Set([...variables.map(({ name }) => name), ...FOR_ALL, ...FOR_THE_IMAGE]);
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
    const urls = JSON.parse(ofKind('ConfigMap')[0]?.data?.['INTERNAL_URLS'] ?? '{}') as Record<string, string>;
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
    expect(policies.filter(({ spec }) => JSON.stringify(spec).includes(`"port":${REDIS_PORT}`))).toEqual([
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

  test('is all in one namespace, which is restricted', () => {
    const [namespace] = ofKind('Namespace');
    expect(namespace?.metadata).toMatchObject({ labels: { 'pod-security.kubernetes.io/enforce': 'restricted' } });
    for (const { kind, metadata } of found) if (kind !== 'Namespace') expect(metadata.namespace).toBe('switchyard');
  });
});

/** Read by Node, or by the image's own start. */
const FOR_THE_IMAGE = ['APP', 'NODE_OPTIONS', 'NODE_EXTRA_CA_CERTS'];
/** In every Secret, because they hold passwords, or must be known to all. */
const FOR_ALL = ['NATS_URL', 'SERVICE_PUBLIC_KEYS', 'SIMULATOR_URL'];

const kubectl = spawnSync('kubectl', ['version', '--client']).status === 0 ? test : test.skip;

kubectl.each(['dev', 'production'])('kubectl comes to the same for %s', (overlay) => {
  const run = spawnSync('kubectl', ['kustomize', join(folder, 'overlays', overlay)], { encoding: 'utf8' });
  expect(run.stderr).toBe('');
  const theirs = parseAllDocuments(run.stdout).map((document) => document.toJS() as RenderedManifest);
  // Kustomize puts a hash behind the names of what it generates.
  const plain = (value: unknown): unknown =>
    JSON.parse(JSON.stringify(value).replace(/-[a-z0-9]{10}(?=")/g, '')) as unknown;
  const byName = (manifests: Manifest[]): Map<string, unknown> =>
    new Map(manifests.filter(({ kind }) => kind !== 'Secret').map((each) => [`${each.kind}/${each.metadata.name}`, each]));
  const [left, right] = [byName(plain(buildKustomization(join(folder, 'overlays', overlay))) as Manifest[]), byName(plain(theirs) as Manifest[])];
  expect([...left.keys()].sort()).toEqual([...right.keys()].sort());
  for (const [name, manifest] of left) expect([name, manifest]).toEqual([name, right.get(name)]);
});
