import { version } from '../../launcher/version';
import { COLLECTOR, SCALED_BY_KEDA } from './components';
import { IMAGE, NAMESPACE } from './manifest';

const API = { apiVersion: 'kustomize.config.k8s.io/v1beta1', kind: 'Kustomization' };

export interface JsonPatch {
  op: 'add' | 'replace' | 'remove' | 'test';
  path: string;
  value?: unknown;
}

export interface Patch {
  target?: { kind: string; name?: string };
  /** A list of operations, or a part of a manifest, as YAML. */
  patch: JsonPatch[] | object;
}

export interface Kustomization {
  kind: 'Kustomization' | 'Component';
  apiVersion: string;
  namespace?: string;
  resources?: string[];
  components?: string[];
  images?: { name: string; newName?: string; newTag?: string }[];
  configMapGenerator?: { name: string; behavior?: string; literals?: string[] }[];
  secretGenerator?: { name: string; envs?: string[]; files?: string[] }[];
  generatorOptions?: { disableNameSuffixHash?: boolean };
  patches?: Patch[];
}

export const component = (
  resources: string[],
  extras: Pick<Kustomization, 'patches' | 'configMapGenerator'> = {},
): Kustomization => ({ apiVersion: 'kustomize.config.k8s.io/v1alpha1', kind: 'Component', resources, ...extras });

export const base = (resources: string[], settings: Record<string, string>): Kustomization => ({
  ...API,
  kind: 'Kustomization',
  namespace: NAMESPACE,
  resources,
  configMapGenerator: [{ name: 'switchyard', literals: literalsOf(settings) }],
});

const replace = (kind: string, path: string, value: unknown, name?: string): Patch => ({
  target: { kind, ...(name ? { name } : {}) },
  patch: [{ op: 'replace', path, value }],
});

/**
 * Settings that an overlay or component adds to those of the base. The ConfigMap is generated: its name ends in a hash of
 * its content, so that a changed setting changes every pod template, and the pods are replaced.
 */
const withSettings = (settings: Record<string, string>): Kustomization['configMapGenerator'] => [
  { name: 'switchyard', behavior: 'merge', literals: literalsOf(settings) },
];

const literalsOf = (settings: Record<string, string>): string[] =>
  Object.entries(settings).map(([name, value]) => `${name}=${value}`);

/** KEDA makes autoscalers itself: two for one Deployment would pull it to and fro. */
export const kedaPatches = (): Patch[] =>
  SCALED_BY_KEDA.map((name) => ({
    patch: {
      apiVersion: 'autoscaling/v2',
      kind: 'HorizontalPodAutoscaler',
      metadata: { name },
      $patch: 'delete',
    },
  }));

/** Environment of services with the component `monitoring`. */
export const monitoringEnv = (): Record<string, string> => ({
  OTEL_EXPORTER_OTLP_ENDPOINT: COLLECTOR,
  OTEL_TRACES_SAMPLER_ARG: '0.05',
  OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: 'false',
});

export const monitoringSettings = (): Kustomization['configMapGenerator'] => withSettings(monitoringEnv());

const secretGenerators = (names: readonly string[], folder = ''): NonNullable<Kustomization['secretGenerator']> =>
  names.map((name) => ({ name: `switchyard-${name}`, envs: [`${folder}${name}.env`] }));

/** The Secrets of a production overlay, generated from the files that stand beside it. */
export const secretsComponent = (names: readonly string[]): Kustomization => ({
  apiVersion: 'kustomize.config.k8s.io/v1alpha1',
  kind: 'Component',
  secretGenerator: [...secretGenerators(names), { name: 'nats', files: ['nats.conf', 'authorization.conf'] }],
});

/** One replica of each, and servers of its own: for an empty cluster on a laptop. */
export const dev = (resources: string[], services: readonly string[]): Kustomization => ({
  ...API,
  kind: 'Kustomization',
  namespace: NAMESPACE,
  resources: ['../../base', ...resources],
  images: [{ name: IMAGE, newTag: 'local' }],
  secretGenerator: [
    ...secretGenerators([...services, 'migrate'], 'secrets/'),
    { name: 'postgres', envs: ['secrets/postgres.env'] },
    { name: 'nats', files: ['nats.conf=secrets/nats.conf'] },
  ],
  patches: [
    replace('HorizontalPodAutoscaler', '/spec/minReplicas', 1),
    replace('Ingress', '/spec/rules/0/host', 'switchyard.localhost'),
    // Open to the namespace, for a port-forward or another ingress.
    { target: { kind: 'NetworkPolicy', name: 'gateway' }, patch: [{ op: 'remove', path: '/spec/ingress/0/from' }] },
  ],
});

/** Servers that somebody else runs, by Secret; three of whatever stands at the door; TLS; closer walls. */
export const production = (): Kustomization => ({
  ...API,
  kind: 'Kustomization',
  namespace: NAMESPACE,
  resources: ['../../base'],
  components: ['../../components/monitoring'],
  images: [{ name: IMAGE, newName: 'registry.example.com/switchyard', newTag: version }],
  // A NATS cluster of three servers keeps three copies of each stream.
  configMapGenerator: withSettings({ NATS_STREAM_REPLICAS: '3', TRUSTED_PROXIES: '1' }),
  patches: [
    ...['gateway', 'agent', 'relay', 'session', 'key'].map((name) =>
      replace('HorizontalPodAutoscaler', '/spec/minReplicas', 3, name),
    ),
    replace('HorizontalPodAutoscaler', '/spec/maxReplicas', 30, 'gateway'),
    ...['servers', 'redis'].map(
      (name): Patch => ({
        target: { kind: 'NetworkPolicy', name },
        patch: [
          {
            op: 'add',
            path: '/spec/egress/0/to',
            value: [{ ipBlock: { cidr: '10.0.0.0/8' } }, { ipBlock: { cidr: 'fc00::/7' } }],
          },
        ],
      }),
    ),
    {
      target: { kind: 'Ingress', name: 'switchyard' },
      patch: [
        { op: 'replace', path: '/spec/rules/0/host', value: 'switchyard.example.com' },
        { op: 'add', path: '/spec/tls', value: [{ hosts: ['switchyard.example.com'], secretName: 'switchyard-tls' }] },
        { op: 'add', path: '/metadata/annotations/cert-manager.io~1cluster-issuer', value: 'letsencrypt' },
        { op: 'add', path: '/metadata/annotations/nginx.ingress.kubernetes.io~1force-ssl-redirect', value: 'true' },
      ],
    },
  ],
});
