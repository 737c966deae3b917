import type { IStatefulSet } from 'kubernetes-models/apps/v1/StatefulSet';
import type { IDeployment } from 'kubernetes-models/apps/v1/Deployment';
import type { INetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy';
import type { IContainer } from 'kubernetes-models/v1/Container';
import type { IService } from 'kubernetes-models/v1/Service';
import { REDIS_READERS } from '../../launcher/services/redis-readers';
import { IMAGE, type Manifest, PART_OF, labelsOf, oneOf, restricted } from './manifest';
import { REDIS_PORT } from './network';

interface DevServer {
  name: string;
  ports: { name: string; port: number }[];
  container: Omit<IContainer, 'name' | 'ports'>;
  /** Its user in the image. */
  user: number;
  /** Where its data is kept; without it nothing is. */
  data?: string;
  volumes?: object[];
}

const SERVERS: DevServer[] = [
  {
    name: 'postgres',
    ports: [{ name: 'postgres', port: 5432 }],
    user: 999,
    data: '/var/lib/postgresql/data',
    container: {
      image: 'pgvector/pgvector:pg17',
      envFrom: [{ secretRef: { name: 'postgres' } }],
      env: [{ name: 'PGDATA', value: '/var/lib/postgresql/data/cluster' }],
      readinessProbe: { exec: { command: ['pg_isready', '-U', 'switchyard'] }, periodSeconds: 3 },
      volumeMounts: [{ name: 'run', mountPath: '/var/run/postgresql' }],
    },
    volumes: [{ name: 'run', emptyDir: {} }],
  },
  {
    name: 'nats',
    ports: [
      { name: 'nats', port: 4222 },
      { name: 'monitor', port: 8222 },
    ],
    user: 1000,
    data: '/data',
    container: {
      image: 'nats:2.14-alpine',
      args: ['-c', '/etc/nats-config/nats.conf'],
      readinessProbe: { httpGet: { path: '/healthz', port: 'monitor' }, periodSeconds: 3 },
      volumeMounts: [{ name: 'config', mountPath: '/etc/nats-config', readOnly: true }],
    },
    volumes: [{ name: 'config', secret: { secretName: 'nats' } }],
  },
  {
    name: 'redis',
    ports: [{ name: 'redis', port: REDIS_PORT }],
    user: 999,
    container: {
      image: 'redis:7-alpine',
      args: ['--save', '', '--appendonly', 'no', '--maxmemory', '256mb', '--maxmemory-policy', 'allkeys-lru'],
      readinessProbe: { tcpSocket: { port: 'redis' }, periodSeconds: 3 },
    },
  },
  {
    name: 'simulator',
    ports: [{ name: 'http', port: 8090 }],
    user: 65_532,
    container: {
      image: IMAGE,
      args: ['dist/tools/simulator/main.js'],
      env: [
        { name: 'SIMULATOR_PORT', value: '8090' },
        { name: 'SIMULATOR_HOST', value: '0.0.0.0' },
      ],
      readinessProbe: { httpGet: { path: '/health', port: 'http' }, periodSeconds: 3 },
    },
  },
];

const podOf = ({ name, ports, container, user, data, volumes = [] }: DevServer): object => ({
  automountServiceAccountToken: false,
  enableServiceLinks: false,
  securityContext: { runAsNonRoot: true, runAsUser: user, fsGroup: user, seccompProfile: { type: 'RuntimeDefault' } },
  containers: [
    {
      ...container,
      name,
      ports: ports.map((each) => ({ name: each.name, containerPort: each.port })),
      resources: { requests: { cpu: '100m', memory: '128Mi' }, limits: { memory: '512Mi' } },
      securityContext: restricted,
      volumeMounts: [
        { name: 'tmp', mountPath: '/tmp' },
        ...(data ? [{ name: 'data', mountPath: data }] : []),
        ...(container.volumeMounts ?? []),
      ],
    },
  ],
  volumes: [{ name: 'tmp', emptyDir: {} }, ...volumes],
});

const workload = (server: DevServer): IStatefulSet | IDeployment => {
  const { name, data } = server;
  const metadata = { name, labels: labelsOf(name) };
  const template = { metadata: { labels: labelsOf(name) }, spec: podOf(server) };
  const selector = { matchLabels: labelsOf(name) };
  if (!data) return { apiVersion: 'apps/v1', kind: 'Deployment', metadata, spec: { replicas: 1, selector, template } } as IDeployment;
  return {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata,
    spec: {
      serviceName: name,
      replicas: 1,
      selector,
      template,
      volumeClaimTemplates: [
        {
          metadata: { name: 'data' },
          spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '5Gi' } } },
        },
      ],
    },
  } as IStatefulSet;
};

const service = ({ name, ports }: DevServer): IService => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name, labels: labelsOf(name) },
  spec: { selector: labelsOf(name), ports: ports.map((each) => ({ ...each, targetPort: each.name })) },
});

/** Servers are asked from within the namespace only. */
const reachable: INetworkPolicy = {
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  metadata: { name: 'dev-servers' },
  spec: {
    podSelector: {
      matchLabels: PART_OF,
      matchExpressions: [{ key: 'app.kubernetes.io/name', operator: 'NotIn', values: ['redis'] }],
    },
    policyTypes: ['Ingress', 'Egress'],
    ingress: [{ from: [{ podSelector: { matchLabels: PART_OF } }] }],
    egress: [{ to: [{ podSelector: { matchLabels: PART_OF } }] }],
  },
};

/** And Redis by those alone that ask it something. */
const redisReachable: INetworkPolicy = {
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  metadata: { name: 'dev-redis' },
  spec: {
    podSelector: { matchLabels: labelsOf('redis') },
    policyTypes: ['Ingress'],
    ingress: [{ from: [{ podSelector: oneOf(REDIS_READERS) }], ports: [{ port: REDIS_PORT }] }],
  },
};

/** Servers for a cluster that has none. Not for data that matters. */
export const devServers = (): Manifest[] =>
  [...SERVERS.flatMap((server) => [workload(server), service(server)]), reachable, redisReachable] as unknown as Manifest[];
