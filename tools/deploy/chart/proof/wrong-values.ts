/** Values that the chart's schema rejects. */
export const WRONG_VALUES: [name: string, values: object][] = [
    ['a name that no template reads', { replicaCount: 3 }],
    ['a typing error deeper down', { services: { gateway: { autoscaling: { minReplica: 3 } } } }],
    ['a service that is not there', { services: { gatway: {} } }],
    ['a number of replicas in words', { services: { gateway: { replicas: '3' } } }],
    ['an autoscaler without a replica', { services: { gateway: { autoscaling: { minReplicas: 0 } } } }],
    ['a digest that is none', { image: { digest: 'latest' } }],
    ['a policy that Kubernetes does not know', { image: { pullPolicy: 'Sometimes' } }],
    ['a setting that is not a text, which Helm would write as 1.048576e+06', { config: { A_LIMIT: 1_048_576 } }],
    ['a setting that all parts rely on', { config: { GATEWAY_PORT: '80' } }],
    ['a label that selectors rely on', { commonLabels: { 'app.kubernetes.io/name': 'all' } }],
    ['an empty list that would open a policy to everything', { networkPolicies: { outside: { to: [] } } }],
  ['a label that Helm has given', { commonLabels: { 'helm.sh/chart': 'mine' } }],
  ['tolerations that are no list', { tolerations: { key: 'a' } }],
];
