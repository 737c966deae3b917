import { SERVICES, type ServiceName } from '../launcher/service-names';
import { GATEWAY_PORT, INTERNAL_PORT } from './container-env';

export type Manifest = Record<string, unknown> & { kind: string; metadata: { name: string } };

const labels = (service: string): Record<string, string> => ({
  'app.kubernetes.io/name': service,
  'app.kubernetes.io/part-of': 'switchyard',
});
const IMAGE = 'switchyard';

const restricted = {
  allowPrivilegeEscalation: false,
  readOnlyRootFilesystem: true,
  runAsNonRoot: true,
  capabilities: { drop: ['ALL'] },
  seccompProfile: { type: 'RuntimeDefault' },
};

const RESOURCES: Partial<Record<ServiceName, { cpu: string; memory: string }>> = {
  gateway: { cpu: '250m', memory: '256Mi' },
  relay: { cpu: '250m', memory: '320Mi' },
  dataset: { cpu: '250m', memory: '512Mi' },
};

const podOf = (service: ServiceName): object => {
  const requests = RESOURCES[service] ?? { cpu: '100m', memory: '224Mi' };
  const probe = (path: string, extra: object): object => ({ httpGet: { path, port: 'internal' }, ...extra });
  return {
    serviceAccountName: 'switchyard',
    automountServiceAccountToken: false,
    terminationGracePeriodSeconds: 90,
    securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
    topologySpreadConstraints: [
      {
        maxSkew: 1,
        topologyKey: 'kubernetes.io/hostname',
        whenUnsatisfiable: 'ScheduleAnyway',
        labelSelector: { matchLabels: labels(service) },
      },
    ],
    containers: [
      {
        name: service,
        image: IMAGE,
        env: [{ name: 'APP', value: service }],
        envFrom: [{ configMapRef: { name: 'switchyard' } }, { secretRef: { name: `switchyard-${service}` } }],
        ports: [
          { name: 'internal', containerPort: INTERNAL_PORT },
          ...(service === 'gateway' ? [{ name: 'http', containerPort: GATEWAY_PORT }] : []),
        ],
        startupProbe: probe('/health/live', { periodSeconds: 2, failureThreshold: 60 }),
        livenessProbe: probe('/health/live', { periodSeconds: 10, timeoutSeconds: 3, failureThreshold: 3 }),
        readinessProbe: probe('/health/ready', { periodSeconds: 5, timeoutSeconds: 3, failureThreshold: 2 }),
        // The load balancer hears that the pod leaves before the pod stops to take requests.
        lifecycle: { preStop: { sleep: { seconds: 10 } } },
        resources: { requests, limits: { memory: `${parseInt(requests.memory, 10) * 2}Mi` } },
        securityContext: restricted,
        volumeMounts: [{ name: 'tmp', mountPath: '/tmp' }],
      },
    ],
    volumes: [{ name: 'tmp', emptyDir: { sizeLimit: '256Mi' } }],
  };
};

const deployment = (service: ServiceName): Manifest => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: service, labels: labels(service) } as Manifest['metadata'],
  spec: {
    replicas: 2,
    strategy: { rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } },
    selector: { matchLabels: labels(service) },
    template: { metadata: { labels: labels(service) }, spec: podOf(service) },
  },
});

const service = (name: ServiceName): Manifest => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name, labels: labels(name) } as Manifest['metadata'],
  spec: {
    selector: labels(name),
    ports: [
      { name: 'internal', port: INTERNAL_PORT, targetPort: 'internal' },
      ...(name === 'gateway' ? [{ name: 'http', port: 80, targetPort: 'http' }] : []),
    ],
  },
});

const disruptionBudget = (name: ServiceName): Manifest => ({
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata: { name, labels: labels(name) } as Manifest['metadata'],
  spec: { maxUnavailable: 1, selector: { matchLabels: labels(name) } },
});

const autoscaler = (name: ServiceName): Manifest => ({
  apiVersion: 'autoscaling/v2',
  kind: 'HorizontalPodAutoscaler',
  metadata: { name, labels: labels(name) } as Manifest['metadata'],
  spec: {
    scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name },
    minReplicas: 2,
    maxReplicas: 10,
    metrics: [{ type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 70 } } }],
    behavior: { scaleDown: { stabilizationWindowSeconds: 300 } },
  },
});

/** The files of one service. */
export const manifestsOf = (name: ServiceName): Manifest[] => [
  deployment(name),
  service(name),
  disruptionBudget(name),
  autoscaler(name),
];

const inside = { podSelector: { matchLabels: { 'app.kubernetes.io/part-of': 'switchyard' } } };

/** Nothing may speak to anything, but for what is said here. Only agent, relay, task and job reach the internet. */
export const networkPolicies = (): Manifest[] => [
  {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name: 'deny-all' },
    spec: { podSelector: {}, policyTypes: ['Ingress', 'Egress'] },
  },
  {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name: 'within' },
    spec: {
      ...inside,
      policyTypes: ['Ingress', 'Egress'],
      ingress: [{ from: [inside], ports: [{ port: INTERNAL_PORT }] }],
      egress: [
        { to: [inside], ports: [{ port: INTERNAL_PORT }] },
        {
          to: [{ namespaceSelector: {} }],
          ports: [
            { port: 53, protocol: 'UDP' },
            { port: 53, protocol: 'TCP' },
          ],
        },
        { ports: [{ port: 4222 }, { port: 5432 }, { port: 6379 }] },
      ],
    },
  },
  {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name: 'gateway' },
    spec: {
      podSelector: { matchLabels: labels('gateway') },
      policyTypes: ['Ingress'],
      ingress: [{ ports: [{ port: GATEWAY_PORT }] }],
    },
  },
  {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name: 'outside' },
    spec: {
      podSelector: {
        matchExpressions: [
          { key: 'app.kubernetes.io/name', operator: 'In', values: ['agent', 'relay', 'task', 'job'] },
        ],
      },
      policyTypes: ['Egress'],
      egress: [
        {
          to: [
            {
              ipBlock: {
                cidr: '0.0.0.0/0',
                except: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '169.254.0.0/16'],
              },
            },
          ],
          ports: [{ port: 443 }, { port: 80 }],
        },
      ],
    },
  },
];

/** What exists once. */
export const common = (): Manifest[] => [
  {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: {
      name: 'switchyard',
      labels: { 'pod-security.kubernetes.io/enforce': 'restricted' },
    } as Manifest['metadata'],
  },
  { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'switchyard' }, automountServiceAccountToken: false },
  {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: {
      name: 'switchyard',
      annotations: {
        // Streams must not be gathered, nor cut off while nothing is said: the gateway writes a line every 15 s.
        'nginx.ingress.kubernetes.io/proxy-buffering': 'off',
        'nginx.ingress.kubernetes.io/proxy-read-timeout': '3600',
        'nginx.ingress.kubernetes.io/proxy-body-size': '16m',
      },
    } as Manifest['metadata'],
    spec: {
      rules: [
        {
          host: 'switchyard.example.com',
          http: {
            paths: [
              { path: '/', pathType: 'Prefix', backend: { service: { name: 'gateway', port: { name: 'http' } } } },
            ],
          },
        },
      ],
    },
  },
];

export const allManifests = (): Record<string, Manifest[]> => ({
  common: common(),
  network: networkPolicies(),
  ...Object.fromEntries(SERVICES.map((name) => [name, manifestsOf(name)])),
});
