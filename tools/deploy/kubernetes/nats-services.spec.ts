import { SERVICES, type ServiceName } from '../../launcher/service-names';
import { natsServicesSecret } from '../nats-services';
import { EVERYTHING, SETS } from './chart-sets';
import { Helm } from './helm';
import { type Manifest, labelsOf } from './manifest';
import { checkSchema } from './schema';

interface PodContainer {
  name: string;
  args?: string[];
  env?: { name: string; value?: string; valueFrom?: { secretKeyRef?: { name: string; key: string } } }[];
  volumeMounts: { name: string; mountPath: string }[];
}

interface Pod {
  shareProcessNamespace?: boolean;
  initContainers?: PodContainer[];
  containers: PodContainer[];
  volumes: object[];
}

type Rendered = Manifest & { spec: { replicas?: number; template: { spec: Pod }; [name: string]: unknown } };

const helm = new Helm();
const render = (values: object): Rendered[] => helm.template([values]) as Rendered[];
const named = (objects: Rendered[], kind: string, name: string): Rendered => {
  const found = objects.find((each) => each.kind === kind && each.metadata.name === name);
  if (!found) throw new Error(`there is no ${kind} ${name}`);
  return found;
};
const podOf = (objects: Rendered[], name: string): Pod => named(objects, 'Deployment', name).spec.template.spec;
const settingsOf = (container: PodContainer | undefined): Record<string, string> =>
  Object.fromEntries((container?.env ?? []).map(({ name, value, valueFrom }) => [name, value ?? `${valueFrom?.secretKeyRef?.name}/${valueFrom?.secretKeyRef?.key}`]));
const natsSettings = (objects: Rendered[], service: ServiceName): Record<string, string> =>
  Object.fromEntries(Object.entries(settingsOf(podOf(objects, service).containers[0])).filter(([name]) => name.startsWith('NATS_API_')));

const SECRET = 'switchyard-nats-services';

test('without the NATS API nothing of it is rendered', () => {
  expect(JSON.stringify(render({}))).not.toMatch(/nats-services|NATS_API_|nats-api/);
});

describe('the NATS API with a server of the chart', () => {
  const objects = render({ natsApi: { enabled: true } });
  const pod = podOf(objects, 'nats-services');

  it('brings the server its users from a container that shares its processes and its folder', () => {
    expect(pod.shareProcessNamespace).toBe(true);
    expect(named(objects, 'Deployment', 'nats-services').spec.replicas).toBe(1);
    const all = [...(pod.initContainers ?? []), ...pod.containers];
    expect(all.map(({ name }) => name)).toEqual(['configuration', 'nats', 'accounts']);
    for (const { volumeMounts } of all) expect(volumeMounts).toEqual([{ name: 'configuration', mountPath: '/etc/nats-services' }]);
    expect(pod.volumes).toEqual([{ name: 'configuration', emptyDir: { sizeLimit: '64Mi' } }]);
  });

  it('gives each container and service those keys alone that it needs', () => {
    const { initContainers: [configuration] = [], containers } = pod;
    const key = { SWITCHYARD_URL: 'http://gateway:80', SWITCHYARD_KEY: `${SECRET}/NATS_API_OPERATOR_KEY` };
    expect(settingsOf(configuration)).toEqual({ ...key, NATS_API_PUBLIC_KEY: `${SECRET}/NATS_API_PUBLIC_KEY` });
    expect(containers.map(settingsOf)).toEqual([{}, key]);
    const user = { NATS_API_URL: 'nats://nats-services:4222', NATS_API_NKEY_SEED: `${SECRET}/NATS_API_NKEY_SEED` };
    const given = SERVICES.map((service) => [service, natsSettings(objects, service)] as const).filter(([, settings]) => Object.keys(settings).length > 0);
    expect(Object.fromEntries(given)).toEqual({
      gateway: user,
      'event-bus': user,
      key: { NATS_API_URL: 'nats://nats-services.switchyard.svc:4222', NATS_API_OPERATOR_KEY: `${SECRET}/NATS_API_OPERATOR_KEY` },
    });
  });

  it('names entries that the Secret has', () => {
    const named = [...JSON.stringify(objects).matchAll(/"secretKeyRef":\{"name":"switchyard-nats-services","key":"(\w+)"\}/g)].map(([, key]) => key);
    const secrets = { natsApi: { seed: 's', publicKey: 'p' }, natsApiOperatorKey: 'k' };
    expect(new Set(named)).toEqual(new Set(Object.keys(natsServicesSecret(secrets as never))));
  });

  it('lets services of labelled namespaces, the gateway and the event bus reach it, and it reach the gateway', () => {
    const gateway = { podSelector: { matchLabels: labelsOf('gateway') } };
    expect(named(objects, 'NetworkPolicy', 'nats-services').spec).toEqual({
      podSelector: { matchLabels: labelsOf('nats-services') },
      policyTypes: ['Ingress', 'Egress'],
      ingress: [
        { from: [{ podSelector: { matchExpressions: [{ key: 'app.kubernetes.io/name', operator: 'In', values: ['gateway', 'event-bus'] }] } }], ports: [{ port: 4222 }] },
        { from: [{ namespaceSelector: { matchLabels: { 'switchyard-nats-api': 'allowed' } } }], ports: [{ port: 4222 }] },
      ],
      egress: [{ to: [gateway], ports: [{ port: 3000 }] }],
    });
    expect(named(objects, 'NetworkPolicy', 'gateway-from-nats-services').spec).toMatchObject({ ...gateway, ingress: [{ ports: [{ port: 3000 }] }] });
    expect(named(objects, 'NetworkPolicy', 'nats-api').spec).toMatchObject({ egress: [{ to: [{ podSelector: { matchLabels: labelsOf('nats-services') } }] }] });
    expect(JSON.stringify(render({ natsApi: { enabled: true }, networkPolicies: { enabled: false } }))).not.toContain('NetworkPolicy');
  });

  it('has a Service inside the cluster alone', () => {
    expect(named(objects, 'Service', 'nats-services').spec).toMatchObject({ type: 'ClusterIP', ports: [{ port: 4222 }] });
  });
});

test('the test of a release speaks over that server, unless it has an API key alone', async () => {
  const tls = { server: { tlsSecret: 'nats-tls' }, tls: { caSecret: 'nats-ca' } };
  const objects = helm.testObjects([{ natsApi: { enabled: true, ...tls } }]) as Rendered[];
  for (const manifest of objects) await checkSchema(manifest);
  const pod = objects.find(({ kind }) => kind === 'Pod') as unknown as { spec: Pod };
  expect(settingsOf(pod.spec.containers[0])).toMatchObject({ NATS_API_URL: 'tls://nats-services:4222', NODE_EXTRA_CA_CERTS: '/etc/nats-api/ca.crt' });
  expect(pod.spec.volumes).toContainEqual({ name: 'nats-ca', secret: { secretName: 'nats-ca', items: [{ key: 'ca.crt', path: 'ca.crt' }] } });
  const test = { podSelector: { matchLabels: labelsOf('test') } };
  expect(named(objects, 'NetworkPolicy', 'test').spec['egress']).toContainEqual({ to: [{ podSelector: { matchLabels: labelsOf('nats-services') } }], ports: [{ port: 4222 }] });
  expect(named(objects, 'NetworkPolicy', 'nats-services-from-test').spec).toMatchObject({ ingress: [{ from: [test], ports: [{ port: 4222 }] }] });
  for (const values of [{}, { natsApi: { enabled: true, url: 'tls://n' } }, { natsApi: { enabled: true }, tests: { apiKeySecret: 'k' } }])
    expect(JSON.stringify(helm.testObjects([values]))).not.toMatch(/NATS_API_URL|nats-services/);
});

test('TLS comes from Secrets, and services get the authority without the key of the server', () => {
  const objects = render(EVERYTHING);
  const { initContainers: [configuration] = [], containers, volumes } = podOf(objects, 'acme-nats-services');
  for (const container of [configuration, containers[0]]) expect(container?.volumeMounts).toContainEqual({ name: 'tls', mountPath: '/etc/nats-tls', readOnly: true });
  expect(volumes).toContainEqual({ name: 'tls', secret: { secretName: 'nats-tls' } });
  const gateway = podOf(objects, 'acme-gateway');
  expect(settingsOf(gateway.containers[0])).toMatchObject({ NATS_API_URL: 'tls://acme-nats-services:4222', NATS_API_TLS_CA: '/etc/nats-api/ca.crt' });
  expect(JSON.stringify(gateway.volumes)).not.toContain('nats-tls');
  expect(settingsOf(podOf(objects, 'acme-key').containers[0])).toMatchObject({ NATS_API_URL: EVERYTHING.natsApi.publicUrl });
});

test('with a server of others the chart runs none, and uses its user, authority and certificate', () => {
  const [values = {}] = SETS['the NATS API with a server of others'] ?? [];
  const objects = render(values as object);
  expect(objects.map(({ metadata }) => metadata.name)).not.toContain('nats-services');
  expect(natsSettings(objects, 'key')).toEqual({ NATS_API_URL: 'tls://nats.example.com:4222' });
  for (const service of ['gateway', 'event-bus'] as const) {
    expect(natsSettings(objects, service)).toEqual({
      NATS_API_URL: 'tls://nats.example.com:4222',
      NATS_API_CREDS: '/etc/nats-api/user.creds',
      NATS_API_TLS_CA: '/etc/nats-api/ca.crt',
      NATS_API_TLS_CERT: '/etc/nats-api/tls.crt',
      NATS_API_TLS_KEY: '/etc/nats-api/tls.key',
    });
    const { volumes } = podOf(objects, service);
    const files = (volumes as { name: string; projected?: { sources: { secret: { name: string; items: { path: string }[] } }[] } }[]).find(({ name }) => name === 'nats-api');
    expect(files?.projected?.sources.map(({ secret }) => [secret.name, secret.items.map(({ path }) => path)])).toEqual([
      ['nats-user', ['user.creds']],
      ['nats-ca', ['ca.crt']],
      ['nats-client', ['tls.crt', 'tls.key']],
    ]);
  }
  expect(named(objects, 'NetworkPolicy', 'nats-api').spec).toMatchObject({ egress: [{ ports: [{ port: 4222 }] }] });
});
