import { REDIS_READERS } from '../../../launcher/services/redis-readers';
import { fixedEnv } from '../../container-env';
import { COLLECTOR } from '../../kubernetes/components';
import { ingress, networkPolicies } from '../../kubernetes/network';
import { gatewayApi } from '../../kubernetes/gateway-api';
import { keda } from '../../kubernetes/components';
import { monitoringEnv } from '../../kubernetes/kustomizations';
import { type Manifest, labelsOf, restricted, restrictedPod } from '../../kubernetes/manifest';
import { migrationJob } from '../../kubernetes/migrate';
import { HELM_LABELS } from '../helm-labels';
import { EditableManifest } from '../tree';
import { bundled } from './bundled-values';
import { placement, services } from './service-values';
import { type Settings, flag, group, list, object, objects, text, texts, whole } from './value';

const named = (manifests: Manifest[], name: string, kind?: string): EditableManifest => {
  const found = manifests.find((each) => each.metadata.name === name && (kind === undefined || each.kind === kind));
  if (!found) throw new Error(`there is no ${name}`);
  return new EditableManifest(found);
};

const policy = (name: string): EditableManifest => named(networkPolicies(), name);
const peers = (opened: EditableManifest, pointer: string): object[] => opened.at(pointer) as object[];
/** An empty list of a policy means everything. */
const SOME = { minItems: 1 };
const OWN_LABELS = { propertyNames: { not: { enum: [...Object.keys(labelsOf('any')), ...HELM_LABELS] } } };
const NAME = { pattern: '^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$' };
const OPTIONAL_NAME = { pattern: '^([a-z0-9]([-a-z0-9.]*[a-z0-9])?)?$' };

const forAll = (): Settings => ({
  image: group('One image for all services.', {
    repository: text('switchyard', '', { minLength: 1 }),
    tag: text('', 'The version of the chart, if it is empty.'),
    digest: text('', 'sha256:…, in place of the tag.', { pattern: '^(sha256:[0-9a-f]{64})?$' }),
    pullPolicy: text('', 'As Kubernetes decides it, if it is empty.', { enum: ['', 'Always', 'IfNotPresent', 'Never'] }),
    pullSecrets: list([], 'Names of Secrets.', { type: 'string' }),
  }),
  existingSecret: group(
    'Secrets that are there before the chart: one for each service, with what that service alone may know, and one for ' +
      'the Job migrate, with the login of the administrator of the database. dist/tools/deploy/kubernetes-secrets.js makes ' +
      'them; they hold the addresses of Postgres and NATS as well, and those of gateway and key that of Redis.',
    {
      prefix: text('switchyard-', 'The Secret of a service is <prefix><service>, as switchyard-gateway,', { pattern: '^[a-z0-9][-a-z0-9.]*$' }),
      names: texts({}, 'or has the name that is given here: {key: vault-key, migrate: vault-admin}.'),
      optional: flag(false, 'Pods start without it: where all of it comes another way, as files or by extraEnv.'),
    },
  ),
  externalServers: group('Addresses in place of those in the Secrets. That of Postgres holds a password of each service.', {
    natsUrl: text(''),
    redisUrl: text(''),
  }),
  config: texts({}, 'Settings of all services (docs/reference/configuration.md). Pods are replaced when one changes.', {
    propertyNames: { pattern: '^[A-Z][A-Z0-9_]*$', not: { enum: Object.keys(fixedEnv()) } },
  }),
  commonLabels: texts({}, 'On all objects and pods, not in selectors.', OWN_LABELS),
  deploymentAnnotations: texts({}),
  podLabels: texts({}, '', OWN_LABELS),
  podAnnotations: texts({}),
  ...placement({ pod: 'Where pods run.', spread: 'In place of a preference for as many hosts and zones as there are.' }),
  serviceAccount: group('One account for each service. None has a token.', { annotations: texts({}) }),
  podSecurityContext: object(restrictedPod, 'What the level "restricted" of a namespace asks for.'),
  containerSecurityContext: object(restricted),
  podDisruptionBudgets: group('', { enabled: flag(true) }),
});

const endpoints = (): Settings => ({
  ingress: group('The way in, by an Ingress …', {
    enabled: flag(false),
    className: text(named([ingress()], 'switchyard').text('/spec/ingressClassName')),
    host: text(named([ingress()], 'switchyard').text('/spec/rules/0/host'), '', { minLength: 1 }),
    annotations: texts(
      named([ingress()], 'switchyard').at('/metadata/annotations') as Record<string, string>,
      'Streams must not be gathered, nor cut off while nothing is said. Another controller needs the same in its words.',
    ),
    tls: objects([], '[{hosts: [switchyard.example.com], secretName: switchyard-tls}]'),
  }),
  httpRoute: group('… or by routes of the Gateway API: everything from a listener, and a redirect from a second one.', {
    enabled: flag(false),
    gateway: group('The Gateway of the cluster.', {
      name: text(named(gatewayApi(), 'switchyard').text('/spec/parentRefs/0/name'), '', NAME),
      namespace: text(named(gatewayApi(), 'switchyard').text('/spec/parentRefs/0/namespace'), '', NAME),
      httpsListener: text(named(gatewayApi(), 'switchyard').text('/spec/parentRefs/0/sectionName'), '', NAME),
      httpListener: text(
        named(gatewayApi(), 'switchyard-to-https').text('/spec/parentRefs/0/sectionName'),
        'Redirected to https. No redirect, if it is empty.',
        OPTIONAL_NAME,
      ),
    }),
    hostnames: list(named(gatewayApi(), 'switchyard').at('/spec/hostnames') as string[], '', { type: 'string' }),
    annotations: texts({}),
  }),
  networkPolicies: group('Nothing in the namespace may speak to anything, but for what is said here.', {
    enabled: flag(true),
    gateway: group('Who reaches the port of the gateway; anybody, if it is empty.', {
      from: objects(peers(policy('gateway'), '/spec/ingress/0/from')),
    }),
    acmeSolver: group("Who reaches cert-manager's answers to HTTP-01 challenges.", {
      from: objects(peers(policy('acme-solver'), '/spec/ingress/0/from')),
    }),
    dns: group('Where names are asked.', { to: objects(peers(policy('names'), '/spec/egress/0/to'), '', SOME) }),
    servers: group('Where Postgres and NATS are; anywhere, if it is empty.', {
      to: objects([]),
      ports: objects(peers(policy('servers'), '/spec/egress/0/ports'), '', SOME),
    }),
    redis: group(`Where Redis is, for ${REDIS_READERS.join(' and ')}; where servers are, if it is empty.`, {
      to: objects([]),
      ports: objects(peers(policy('redis'), '/spec/egress/0/ports'), '', SOME),
    }),
    outside: group('Where agent, relay, task and job go for models, tools and webhooks.', {
      enabled: flag(true, 'Without it they go nowhere else than to what other policies allow.'),
      to: objects(peers(policy('outside'), '/spec/egress/0/to'), '', SOME),
      ports: objects(peers(policy('outside'), '/spec/egress/0/ports'), '', SOME),
    }),
  }),
});

const scaledObject = (): EditableManifest => named(keda(), 'task', 'ScaledObject');

const open = (): Settings => ({
  monitoring: group(`For the Prometheus operator, and a collector of traces (${COLLECTOR}).`, {
    enabled: flag(false),
    namespace: text('monitoring', 'Where Prometheus and the collector run.', NAME),
    labels: texts({}, 'By which Prometheus finds its ServiceMonitors and rules: {release: kube-prometheus-stack}.', OWN_LABELS),
    serviceMonitor: group('', { enabled: flag(true) }),
    prometheusRule: group('', { enabled: flag(true) }),
    config: texts(monitoringEnv(), 'Settings that are added to config.'),
  }),
  keda: group('Scales task and event-bus by the lag of their consumers instead of by CPU.', {
    enabled: flag(false),
    namespace: text('keda', '', NAME),
    natsMonitoringEndpoint: text('', 'host:port. That of the Service nats in this namespace, if it is empty.'),
    minReplicas: whole(scaledObject().at('/spec/minReplicaCount') as number, '', 0),
    maxReplicas: whole(scaledObject().at('/spec/maxReplicaCount') as number, '', 1),
  }),
  ownCa: group('A ConfigMap with an authority of your own as ca.crt, which all containers then trust: TLS to servers.', {
    configMap: text('', '', OPTIONAL_NAME),
  }),
  migrate: group(
    'The Job that makes roles, schemas and tables. Pods wait for it by themselves. Its name ends in a hash of what it is, so ' +
      'that an upgrade makes a new one.',
    {
      enabled: flag(true),
      resources: object(named(migrationJob(), 'migrate', 'Job').at('/spec/template/spec/containers/0/resources') as object),
      extraEnv: objects([], 'As with the services: DATABASE_ADMIN_URL from the Secret of an operator of Postgres.'),
      serviceAccount: group('', { annotations: texts({}) }),
    },
  ),
  rotateSecrets: group('A Job that encrypts stored secrets with the first key of DATA_KEY: on while a key is changed.', {
    enabled: flag(false),
    extraEnv: objects([]),
  }),
  extraObjects: objects([], 'Manifests of your own, in which templates may be: an ExternalSecret.'),
});

/** Every value of the chart. Defaults are what the Kustomize base says. */
export const chartValues = (): Settings => ({
  ...forAll(),
  ...endpoints(),
  ...open(),
  bundled: bundled(),
  services: services(),
});
