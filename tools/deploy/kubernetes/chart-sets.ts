import path from 'node:path';
import { projectRoot } from '../../launcher/project-root';
import { SERVICES } from '../../launcher/service-names';
import type { Values } from './helm';

export const example = (name: string): string => path.join(projectRoot, `deploy/helm/examples/${name}.yaml`);
const allServices = (settings: object): object => Object.fromEntries(SERVICES.map((name) => [name, settings]));

export const DIGEST = `sha256:${'0'.repeat(64)}`;
export const toleration = { key: 'for', operator: 'Equal', value: 'switchyard', effect: 'NoSchedule' };
export const affinity = {
  nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions: [{ key: 'disk', operator: 'Exists' }] }] } },
};
export const spread = { maxSkew: 2, topologyKey: 'rack', whenUnsatisfiable: 'ScheduleAnyway', labelSelector: {} };
const proxy = { name: 'proxy', image: 'proxy:1', ports: [{ containerPort: 9000 }] };
export const catalogue = { upstreams: { openai: { baseUrl: 'https://api.openai.com/v1', apiKeyEnv: 'OPENAI_API_KEY' } }, models: [{ id: 'gpt', upstream: 'openai', contextWindow: 1000, capabilities: ['chat'] }] };

/** Every switch on, every value another than its default. */
export const EVERYTHING = {
  nameOverride: 'acme',
  fullnameOverride: 'acme',
  image: { repository: 'registry.example.com/switchyard', digest: DIGEST, pullPolicy: 'Always', pullSecrets: [{ name: 'registry' }] },
  existingSecret: { prefix: 'vault-', names: { key: 'sealed-key' }, optional: true },
  externalServers: { natsUrl: 'tls://nats.example.com:4222', redisUrl: 'rediss://redis.example.com:6379' },
  database: { maxConnections: 500, reservedConnections: 30, poolSize: 6 },
  models: { catalogue, systemAgentModel: 'gpt' },
  config: { LOG_LEVEL: 'debug', TRUSTED_PROXIES: '2' },
  commonLabels: { team: 'platform' },
  deploymentAnnotations: { 'reloader.stakater.com/auto': 'true' },
  podLabels: { mesh: 'off' },
  podAnnotations: { 'example.com/a': 'all' },
  nodeSelector: { pool: 'switchyard' },
  tolerations: [toleration],
  affinity,
  priorityClassName: 'high',
  hostAliases: [{ ip: '10.0.0.1', hostnames: ['db.internal'] }],
  topologySpreadConstraints: [spread],
  extraEnv: [{ name: 'FOR_ALL', value: 'yes' }],
  envFrom: [{ secretRef: { name: 'for-all' } }],
  extraVolumes: [{ name: 'shared', emptyDir: {} }],
  extraVolumeMounts: [{ name: 'shared', mountPath: '/shared' }],
  extraContainers: [proxy],
  initContainers: [{ name: 'first', image: 'busybox:1' }],
  strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1, maxSurge: 2 } },
  terminationGracePeriodSeconds: 200,
  readinessProbe: { httpGet: { path: '/health/ready', port: 'internal' }, periodSeconds: 7 },
  service: { type: 'LoadBalancer', annotations: { 'example.com/lb': 'nlb' } },
  serviceAccount: { annotations: { 'example.com/role': 'all' } },
  podDisruptionBudgets: { maxUnavailable: '25%' },
  autoscaling: { targetCPUAverageValue: '700m', behavior: { scaleUp: { stabilizationWindowSeconds: 5 } } },
  ingress: {
    enabled: true,
    hosts: [{ host: 'a.example.com' }, { host: 'b.example.com', paths: [{ path: '/api', pathType: 'Prefix' }, { path: '/models' }] }],
    tls: [{ hosts: ['a.example.com', 'b.example.com'], secretName: 'tls' }],
  },
  httpRoute: { enabled: true, annotations: { 'example.com/route': 'yes' } },
  networkPolicies: { dns: { port: 5353 }, outside: { nat64: true }, oidc: { enabled: true }, telemetry: { enabled: true, to: [{ ipBlock: { cidr: '10.9.0.0/16' } }] } },
  monitoring: { enabled: true, labels: { release: 'kube-prometheus-stack', team: 'monitoring' } },
  keda: { enabled: true, natsMonitoringEndpoint: 'nats.example.com:8222' },
  ownCa: { configMap: 'our-ca' },
  rotateSecrets: { enabled: true },
  migrate: { extraEnv: [{ name: 'DATABASE_ADMIN_URL', valueFrom: { secretKeyRef: { name: 'db-superuser', key: 'uri' } } }] },
  natsApi: { enabled: true, server: { tlsSecret: 'nats-tls', service: { annotations: { 'example.com/nats': 'yes' } } }, tls: { caSecret: 'nats-ca' }, publicUrl: 'tls://nats.example.com:4222' },
  tests: { model: 'gpt', apiKeySecret: 'test-key' },
  extraObjects: [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: '{{ .Release.Name }}-own', namespace: '{{ .Release.Namespace }}' } }],
  bundled: {
    postgres: { enabled: true, storage: { size: '20Gi', className: 'fast' } },
    nats: { enabled: true },
    redis: { enabled: true },
    simulator: { enabled: true },
  },
  services: {
    gateway: { service: { port: 8080, loadBalancerClass: 'nlb', loadBalancerSourceRanges: ['10.0.0.0/8'], externalTrafficPolicy: 'Local' } },
    agent: {
      replicas: 5,
      autoscaling: { enabled: false },
      resources: { limits: { memory: '2Gi' } },
      maxOldSpaceMi: 1536,
      extraEnv: [{ name: 'EXTRA', value: 'yes' }],
      envFrom: [{ secretRef: { name: 'agent-keys' } }],
      extraVolumes: [{ name: 'keys', csi: { driver: 'secrets-store.csi.k8s.io', readOnly: true } }],
      extraVolumeMounts: [{ name: 'keys', mountPath: '/run/secrets', readOnly: true }],
      extraContainers: [{ name: 'sidecar', image: 'sidecar:1' }],
      initContainers: [{ name: 'second', image: 'busybox:1' }],
      podAnnotations: { 'example.com/a': 'agent' },
      nodeSelector: { pool: 'agents' },
      hostAliases: [{ ip: '10.0.0.2', hostnames: ['tools.internal'] }],
      serviceAccount: { annotations: { 'example.com/role': 'agent' } },
      strategy: { type: 'Recreate' },
      terminationGracePeriodSeconds: 300,
      livenessProbe: { httpGet: { path: '/health/live', port: 'internal' }, periodSeconds: 60 },
      podDisruptionBudget: { minAvailable: 2 },
    },
    relay: { autoscaling: { targetCPUUtilizationPercentage: 60, behavior: { scaleDown: { stabilizationWindowSeconds: 30 } } }, podDisruptionBudget: { enabled: false } },
  },
};

/** The sets of values that every Helm has to render. */
export const SETS: Record<string, Values[]> = {
  'the values of the chart': [],
  dev: [example('dev')],
  production: [example('production')],
  'production on OpenShift': [example('production'), example('openshift')],
  'no security context at all': [{ podSecurityContext: null, containerSecurityContext: null }],
  'servers of others': [{ externalServers: { natsUrl: 'tls://nats.example.com', redisUrl: 'rediss://redis.example.com' }, ownCa: { configMap: 'ca' } }],
  'the NATS API': [{ natsApi: { enabled: true } }],
  'the NATS API with a server of others': [
    { natsApi: { enabled: true, url: 'tls://nats.example.com:4222', credentialsSecret: 'nats-user', tls: { caSecret: 'nats-ca', certificateSecret: 'nats-client' } } },
  ],
  'several hosts of the Ingress': [{ ingress: EVERYTHING.ingress }],
  'a LoadBalancer, without policies, budgets and autoscalers': [
    {
      service: { type: 'LoadBalancer' },
      networkPolicies: { enabled: false },
      podDisruptionBudgets: { enabled: false },
      migrate: { enabled: false },
      services: allServices({ autoscaling: { enabled: false } }),
    },
  ],
  'KEDA, monitoring and the Gateway API': [{ keda: { enabled: true }, monitoring: { enabled: true }, httpRoute: { enabled: true } }],
  everything: [EVERYTHING],
};
