import type { IScaledObject } from '@kubernetes-models/keda/keda.sh/v1alpha1/ScaledObject';
import type { IPrometheusRule } from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/PrometheusRule';
import type { IServiceMonitor } from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/ServiceMonitor';
import type { INetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy';
import { type EventContract, DatasetEvents, EventBusEvents } from '@switchyard/contracts';
import { EVENTS_STREAM, durableName } from '@switchyard/messaging';
import { ruleGroups } from '../../observability/alerts';
import { INTERNAL_PORT } from '../container-env';
import { type Manifest, NAMESPACE, PART_OF } from './manifest';
import { namespaceNamed } from './network';

const MONITORING = 'monitoring';
const OTLP_PORT = 4318;
const NATS_MONITOR_PORT = 8222;

/** One monitor for all services; every series is of the job `switchyard`, as the alerts and dashboards expect. */
const monitor: IServiceMonitor = {
  apiVersion: 'monitoring.coreos.com/v1',
  kind: 'ServiceMonitor',
  metadata: { name: 'switchyard', labels: PART_OF },
  spec: {
    selector: { matchLabels: PART_OF },
    endpoints: [
      {
        port: 'internal',
        path: '/metrics',
        interval: '15s',
        scrapeTimeout: '5s',
        relabelings: [{ action: 'replace', targetLabel: 'job', replacement: 'switchyard' }],
        // The service says its own name; the operator's label of the same name is of no use.
        honorLabels: true,
      },
    ],
  },
};

const rules: IPrometheusRule = {
  apiVersion: 'monitoring.coreos.com/v1',
  kind: 'PrometheusRule',
  metadata: { name: 'switchyard', labels: PART_OF },
  spec: ruleGroups(),
};

const scraping: INetworkPolicy = {
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  metadata: { name: 'monitoring' },
  spec: {
    podSelector: { matchLabels: PART_OF },
    policyTypes: ['Ingress', 'Egress'],
    ingress: [{ from: [namespaceNamed(MONITORING)], ports: [{ port: INTERNAL_PORT }] }],
    // Traces leave for the collector.
    egress: [{ to: [namespaceNamed(MONITORING)], ports: [{ port: OTLP_PORT }] }],
  },
};

export const monitoring = (): Manifest[] => [monitor, rules, scraping] as Manifest[];

export const COLLECTOR = `http://otel-collector.${MONITORING}:${OTLP_PORT}`;

interface Lagging {
  consumer: 'task' | 'event-bus';
  event: EventContract;
  lag: number;
}

/** Whose work arrives over JetStream, and how much may wait for one replica. */
const LAGGING: Lagging[] = [
  { consumer: 'task', event: EventBusEvents.emissionsMatched, lag: 200 },
  { consumer: 'event-bus', event: DatasetEvents.recordsWritten, lag: 500 },
];

const scaled = ({ consumer, event, lag }: Lagging): IScaledObject => ({
  apiVersion: 'keda.sh/v1alpha1',
  kind: 'ScaledObject',
  metadata: { name: consumer, labels: PART_OF },
  spec: {
    scaleTargetRef: { name: consumer },
    minReplicaCount: 2,
    maxReplicaCount: 20,
    cooldownPeriod: 300,
    triggers: [
      {
        type: 'nats-jetstream',
        metadata: {
          natsServerMonitoringEndpoint: `nats.${NAMESPACE}.svc:${NATS_MONITOR_PORT}`,
          account: '$G',
          stream: EVENTS_STREAM,
          consumer: durableName(consumer, event.name),
          lagThreshold: String(lag),
          activationLagThreshold: '0',
        },
      },
      { type: 'cpu', metricType: 'Utilization', metadata: { value: '70' } },
    ],
  },
});

/** KEDA reads the lag from the monitoring port of a NATS that runs in our namespace. */
const lagReading: INetworkPolicy = {
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  metadata: { name: 'keda' },
  spec: {
    podSelector: { matchLabels: { 'app.kubernetes.io/name': 'nats' } },
    policyTypes: ['Ingress'],
    ingress: [{ from: [namespaceNamed('keda')], ports: [{ port: NATS_MONITOR_PORT }] }],
  },
};

/** Replaces the autoscalers of the services whose work can pile up while their CPU is idle. */
export const keda = (): Manifest[] => [...LAGGING.map(scaled), lagReading] as unknown as Manifest[];

export const SCALED_BY_KEDA = LAGGING.map(({ consumer }) => consumer);
