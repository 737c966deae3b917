import type { INetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy';
import type { IIngress } from 'kubernetes-models/networking.k8s.io/v1/Ingress';
import { REDIS_READERS } from '../../launcher/services/redis-readers';
import { GATEWAY_PORT, INTERNAL_PORT } from '../container-env';
import { type Manifest, PART_OF, labelsOf, oneOf } from './manifest';

type Spec = NonNullable<INetworkPolicy['spec']>;

const policy = (name: string, spec: Spec): INetworkPolicy => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  metadata: { name },
  spec,
});

export const namespaceNamed = (name: string): object => ({
  namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': name } },
});

const ours = { matchLabels: PART_OF };

/** NodeLocal DNSCache answers on the node's own network, so no selector of pods or namespaces matches it. */
const NODE_LOCAL_DNS = { ipBlock: { cidr: '169.254.20.10/32' } };

/** Every public address: private, shared and link-local ranges, and IPv4 behind NAT64, are left out. */
const PUBLIC_ADDRESSES = [
  {
    ipBlock: {
      cidr: '0.0.0.0/0',
      except: ['10.0.0.0/8', '100.64.0.0/10', '172.16.0.0/12', '192.168.0.0/16', '169.254.0.0/16'],
    },
  },
  { ipBlock: { cidr: '::/0', except: ['fc00::/7', 'fe80::/10', '64:ff9b::/96'] } },
];

const INGRESS_NAMESPACE = 'ingress-nginx';
/** Overlays put theirs in its place. */
export const HOST = 'switchyard.example.com';
const ACME_SOLVER_PORT = 8089;
export const REDIS_PORT = 6379;

/** Services that call addresses from users or operators. Others have no egress. */
export const HAS_EGRESS = ['agent', 'relay', 'task', 'job'];

/** Nothing may speak to anything, but for what is said here. */
export const networkPolicies = (): Manifest[] =>
  [
    policy('deny-all', { podSelector: {}, policyTypes: ['Ingress', 'Egress'] }),
    policy('names', {
      podSelector: ours,
      policyTypes: ['Egress'],
      egress: [
        {
          to: [namespaceNamed('kube-system'), NODE_LOCAL_DNS],
          ports: [
            { port: 53, protocol: 'UDP' },
            { port: 53, protocol: 'TCP' },
          ],
        },
      ],
    }),
    policy('within', {
      podSelector: ours,
      policyTypes: ['Ingress', 'Egress'],
      ingress: [{ from: [{ podSelector: ours }], ports: [{ port: INTERNAL_PORT }] }],
      egress: [{ to: [{ podSelector: ours }], ports: [{ port: INTERNAL_PORT }] }],
    }),
    // Where they stand differs: overlays say it closer.
    policy('servers', {
      podSelector: ours,
      policyTypes: ['Egress'],
      egress: [{ ports: [{ port: 4222 }, { port: 5432 }] }],
    }),
    policy('redis', {
      podSelector: oneOf(REDIS_READERS),
      policyTypes: ['Egress'],
      egress: [{ ports: [{ port: REDIS_PORT }] }],
    }),
    policy('gateway', {
      podSelector: { matchLabels: labelsOf('gateway') },
      policyTypes: ['Ingress'],
      ingress: [{ from: [namespaceNamed(INGRESS_NAMESPACE)], ports: [{ port: GATEWAY_PORT }] }],
    }),
    // cert-manager answers HTTP-01 challenges from a pod of its own beside the Ingress.
    policy('acme-solver', {
      podSelector: { matchLabels: { 'acme.cert-manager.io/http01-solver': 'true' } },
      policyTypes: ['Ingress'],
      ingress: [{ from: [namespaceNamed(INGRESS_NAMESPACE)], ports: [{ port: ACME_SOLVER_PORT }] }],
    }),
    policy('outside', {
      podSelector: oneOf(HAS_EGRESS),
      policyTypes: ['Egress'],
      egress: [{ to: PUBLIC_ADDRESSES, ports: [{ port: 443 }, { port: 80 }] }],
    }),
  ] as Manifest[];

/** Streams must not be gathered, nor cut off while nothing is said: the gateway writes a line every 15 seconds. */
const FOR_STREAMS = {
  'nginx.ingress.kubernetes.io/proxy-buffering': 'off',
  'nginx.ingress.kubernetes.io/proxy-request-buffering': 'off',
  'nginx.ingress.kubernetes.io/proxy-http-version': '1.1',
  'nginx.ingress.kubernetes.io/proxy-read-timeout': '3600',
  'nginx.ingress.kubernetes.io/proxy-send-timeout': '3600',
  // The gateway has limits of its own, and says what they are.
  'nginx.ingress.kubernetes.io/proxy-body-size': '0',
  // A request that has reached a gateway is not sent to a second one: it may have had its effect.
  'nginx.ingress.kubernetes.io/proxy-next-upstream': 'error',
};

export const ingress = (): Manifest =>
  ({
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: { name: 'switchyard', annotations: FOR_STREAMS },
    spec: {
      ingressClassName: 'nginx',
      rules: [
        {
          host: HOST,
          http: {
            paths: [
              { path: '/', pathType: 'Prefix', backend: { service: { name: 'gateway', port: { name: 'http' } } } },
            ],
          },
        },
      ],
    },
  }) satisfies IIngress as Manifest;
