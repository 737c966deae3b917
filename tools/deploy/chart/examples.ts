import { stringify } from 'yaml';
import { SERVICES } from '../../launcher/service-names';
import { version } from '../../launcher/version';

const autoscaling = (settings: object, names: readonly string[]): object =>
  Object.fromEntries(names.map((name) => [name, { autoscaling: settings }]));

/** Values that come to what an overlay of Kustomize says, by the name of the overlay. */
const EXAMPLES: Record<string, object> = {
  dev: {
    image: { repository: 'switchyard', tag: 'local' },
    ingress: { enabled: true, host: 'switchyard.localhost' },
    networkPolicies: { gateway: { from: [] } },
    bundled: Object.fromEntries(['postgres', 'nats', 'redis', 'simulator'].map((name) => [name, { enabled: true }])),
    services: autoscaling({ minReplicas: 1 }, SERVICES),
  },
  production: {
    image: { repository: 'registry.example.com/switchyard', tag: version },
    config: { NATS_STREAM_REPLICAS: '3', TRUSTED_PROXIES: '1' },
    ingress: {
      enabled: true,
      host: 'switchyard.example.com',
      annotations: {
        'cert-manager.io/cluster-issuer': 'letsencrypt',
        'nginx.ingress.kubernetes.io/force-ssl-redirect': 'true',
      },
      tls: [{ hosts: ['switchyard.example.com'], secretName: 'switchyard-tls' }],
    },
    networkPolicies: { servers: { to: [{ ipBlock: { cidr: '10.0.0.0/8' } }, { ipBlock: { cidr: 'fc00::/7' } }] } },
    monitoring: { enabled: true },
    services: {
      ...autoscaling({ minReplicas: 3 }, ['agent', 'relay', 'session', 'key']),
      gateway: { autoscaling: { minReplicas: 3, maxReplicas: 30 } },
    },
  },
};

/** deploy/helm/examples, by file. */
export const exampleFiles = (): Record<string, string> =>
  Object.fromEntries(
    Object.entries(EXAMPLES).map(([name, values]) => [
      `${name}.yaml`,
      `# Comes to the same as deploy/k8s/overlays/${name}. Made from tools/deploy/chart by \`npm run docs\`.\n${stringify(values, { version: '1.1', lineWidth: 0 })}`,
    ]),
  );
