import type { INetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy';
import { GATEWAY_PORT } from '../container-env';
import type { Patch } from './kustomizations';
import { type Manifest, PART_OF, labelsOf } from './manifest';
import { HOST, namespaceNamed } from './network';

/** Where the Gateway of the cluster stands, and what it is called there: it belongs to whoever runs the cluster. */
const PARENT = { name: 'public', namespace: 'gateway-system' };

/** The fields of an HTTPRoute that we use. The packages with Kubernetes' schemas do not know the Gateway API. */
interface HttpRoute extends Manifest {
  apiVersion: 'gateway.networking.k8s.io/v1';
  kind: 'HTTPRoute';
  metadata: { name: string; labels: Record<string, string> };
  spec: {
    parentRefs: { name: string; namespace: string; sectionName: string }[];
    hostnames: string[];
    rules: {
      matches?: { path: { type: 'PathPrefix'; value: string } }[];
      filters?: { type: 'RequestRedirect'; requestRedirect: { scheme: 'https'; statusCode: 301 } }[];
      timeouts?: { request: string; backendRequest: string };
      backendRefs?: { name: string; port: number }[];
    }[];
  };
}

const route = (name: string, sectionName: string, rule: HttpRoute['spec']['rules'][number]): HttpRoute => ({
  apiVersion: 'gateway.networking.k8s.io/v1',
  kind: 'HTTPRoute',
  metadata: { name, labels: PART_OF },
  spec: { parentRefs: [{ ...PARENT, sectionName }], hostnames: [HOST], rules: [rule] },
});

const endpoint: INetworkPolicy = {
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  metadata: { name: 'gateway-api' },
  spec: {
    podSelector: { matchLabels: labelsOf('gateway') },
    policyTypes: ['Ingress'],
    ingress: [{ from: [namespaceNamed(PARENT.namespace)], ports: [{ port: GATEWAY_PORT }] }],
  },
};

/** The way in for clusters whose door is a Gateway. TLS ends there, as the listener `https` says. */
export const gatewayApi = (): Manifest[] => [
  route('switchyard', 'https', {
    matches: [{ path: { type: 'PathPrefix', value: '/' } }],
    // Streams last as long as a turn does: 0 is no limit. The gateway has limits of its own.
    timeouts: { request: '0s', backendRequest: '0s' },
    backendRefs: [{ name: 'gateway', port: 80 }],
  }),
  route('switchyard-to-https', 'http', {
    filters: [{ type: 'RequestRedirect', requestRedirect: { scheme: 'https', statusCode: 301 } }],
  }),
  endpoint as Manifest,
];

/** The Ingress goes: cert-manager would go on ordering a certificate for it, through a controller that is not there. */
export const gatewayApiPatches = (): Patch[] => [
  { patch: { apiVersion: 'networking.k8s.io/v1', kind: 'Ingress', metadata: { name: 'switchyard' }, $patch: 'delete' } },
];
