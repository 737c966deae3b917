import { SERVICES, type ServiceName } from '../launcher/service-names';
import { type Alert, type Severity, FLOOR_PER_SECOND, burns, happened } from './alert';
import { BOUND_ALERTS } from './bound-alerts';
import { CLUSTER_ALERTS } from './cluster-alerts';
import { NATS_API_ALERTS } from './nats-api-alerts';

/** The services of which a namespace has no process, though it has others; `every service` where it has none. */
function missingServices(): string {
  const running = 'process_start_time_seconds{job="switchyard",$here}';
  const one = (service: ServiceName): string =>
    `label_replace(group by (namespace) (${running}) unless on (namespace) group by (namespace) (process_start_time_seconds{job="switchyard",service="${service}",$here}), "service", "${service}", "", "")`;
  return [...SERVICES.map(one), `label_replace(absent(${running}), "service", "every service", "", "")`].join(' or ');
}

const isUnreachable = (dependency: string): string =>
  `min by (namespace, service) (switchyard_dependency_up{dependency="${dependency}",$here}) == 0`;

const REQUESTS = {
  part: 'switchyard_http_request_seconds_count{status=~"5..",$here}',
  all: 'switchyard_http_request_seconds_count{$here}',
  by: 'namespace',
};
const UPSTREAM = 'switchyard_relay_upstream_attempts_total';
const STREAMED = '.*/(chat|execute|frames|stream|wait).*|/models/.*|/mcp';

/** All alerts. docs/operate/runbooks.md has a heading for each. */
export const ALERTS: readonly Alert[] = [
  {
    name: 'SwitchyardServiceDown',
    expr: 'min by (namespace, service, pod, instance) (up{job="switchyard",$here}) == 0',
    for: '2m',
    severity: 'critical',
    summary: '{{ $labels.service }} at {{ $labels.instance }} does not answer on its internal port.',
  },
  {
    // A service without a single pod is no target at all: `up` has no series that could be 0.
    name: 'SwitchyardServiceMissing',
    expr: missingServices(),
    for: '2m',
    severity: 'critical',
    summary: 'No process of {{ $labels.service }} is known to Prometheus.',
  },
  {
    name: 'SwitchyardServiceRestarts',
    expr: 'changes(process_start_time_seconds{job="switchyard",$here}[15m]) > 3',
    for: '0m',
    severity: 'warning',
    summary: '{{ $labels.service }} was started more than three times within 15 minutes.',
  },
  {
    name: 'SwitchyardPostgresAway',
    expr: `count by (namespace) (${isUnreachable('postgres')}) > 0`,
    for: '1m',
    severity: 'critical',
    summary: '{{ $value }} services cannot reach Postgres: their requests answer 503.',
    log: 'key',
  },
  {
    name: 'SwitchyardNatsAway',
    expr: `count by (namespace) (${isUnreachable('nats')}) > 0`,
    for: '1m',
    severity: 'critical',
    summary: '{{ $value }} services cannot reach NATS: emissions wait, everything else answers 503.',
    log: 'key',
  },
  {
    name: 'SwitchyardSubscriptionRefused',
    expr: 'max by (namespace, service) (switchyard_subscriptions_missing{$here}) > 0',
    for: '1m',
    severity: 'critical',
    summary: 'NATS refuses {{ $value }} subscriptions of {{ $labels.service }}: it receives no messages there.',
  },
  {
    name: 'SwitchyardRedisAway',
    expr: `count by (namespace) (${isUnreachable('redis')}) > 0`,
    for: '5m',
    severity: 'warning',
    summary: '{{ $value }} services cannot reach Redis: rate limits hold per process only.',
    log: 'gateway',
  },
  {
    name: 'SwitchyardEventStreamFilling',
    expr: 'max by (namespace) (switchyard_events_stream_bytes{$here}) / max by (namespace) (switchyard_events_stream_bytes_limit{$here}) > 0.6',
    for: '1m',
    severity: 'critical',
    summary: 'The stream of events is {{ $value | humanizePercentage }} full: a consumer does not confirm.',
    log: 'event-bus',
  },
  {
    name: 'SwitchyardOutboxStuck',
    expr: 'max by (namespace, service) (switchyard_outbox_oldest_seconds{$here}) > 60',
    for: '1m',
    severity: 'critical',
    summary: 'An event of {{ $labels.service }} has been unconfirmed for {{ $value | humanizeDuration }}.',
  },
  {
    name: 'SwitchyardEmissionsPending',
    expr: 'max by (namespace) (switchyard_emissions_oldest_pending_seconds{$here}) > 60',
    for: '1m',
    severity: 'critical',
    summary: 'An emission has waited {{ $value | humanizeDuration }} for its dispatch.',
    log: 'event-bus',
  },
  {
    name: 'SwitchyardDeadLetters',
    expr: 'max by (namespace, service) (switchyard_dead_letters{$here}) > 0',
    for: '5m',
    severity: 'warning',
    summary: '{{ $labels.service }} has {{ $value }} dead-lettered events.',
  },
  {
    name: 'SwitchyardPoisonedWork',
    expr: 'max by (namespace, service, kind) (switchyard_poisoned_work{$here}) > 0',
    for: '1m',
    severity: 'warning',
    summary:
      '{{ $labels.service }} has {{ $value }} poisoned items of kind {{ $labels.kind }}: each ended its process twice.',
  },
  {
    name: 'SwitchyardExecutionsWait',
    expr: 'max by (namespace) (switchyard_executions_oldest_seconds{$here}) > 300',
    for: '5m',
    severity: 'warning',
    summary: 'The oldest queued execution has waited {{ $value | humanizeDuration }}.',
    log: 'task',
  },
  {
    name: 'SwitchyardJobsWait',
    expr: 'max by (namespace) (switchyard_jobs_oldest_seconds{$here}) > 300',
    for: '5m',
    severity: 'warning',
    summary: 'The oldest queued job has waited {{ $value | humanizeDuration }}.',
    log: 'job',
  },
  {
    name: 'SwitchyardApprovalsExpire',
    expr: happened('switchyard_approvals_total{outcome="expired",$here}', 'namespace, service', '1h'),
    for: '0m',
    severity: 'warning',
    summary: 'Approvals expired without an answer: those calls were not run.',
    log: 'session',
  },
  {
    name: 'SwitchyardApprovalsUnrecorded',
    expr: 'max by (namespace) (switchyard_approvals_unrecorded{$here}) > 0',
    for: '10m',
    severity: 'warning',
    summary: '{{ $value }} answered approvals are not in the security events yet.',
    log: 'session',
  },
  {
    name: 'SwitchyardLeasesLost',
    expr: 'sum by (namespace, service) (increase(switchyard_leases_lost_total{$here}[15m])) > 10',
    for: '0m',
    severity: 'warning',
    summary: '{{ $labels.service }} took over {{ $value | humanize }} pieces of work from lost processes.',
  },
  {
    name: 'SwitchyardWorkerFails',
    expr: 'sum by (namespace, service, worker) (increase(switchyard_worker_failures_total{$here}[10m])) > 10',
    for: '0m',
    severity: 'warning',
    summary: 'The worker "{{ $labels.worker }}" of {{ $labels.service }} keeps failing.',
  },
  // Of an objective of 99.9%: the errors of a month at this rate in two days, and in five days.
  {
    name: 'SwitchyardErrors',
    expr: burns(REQUESTS, ['5m', '1h'], 0.0144),
    for: '2m',
    severity: 'critical',
    summary: '{{ $value | humanizePercentage }} of all requests fail with a 5xx.',
    log: 'gateway',
  },
  {
    name: 'SwitchyardErrorsPersist',
    expr: burns(REQUESTS, ['30m', '6h'], 0.006),
    for: '15m',
    severity: 'warning',
    summary: 'For hours, over 0.6% of all requests have failed with a 5xx.',
    log: 'gateway',
  },
  {
    name: 'SwitchyardSlow',
    expr: `histogram_quantile(0.99, sum by (namespace, le) (rate(switchyard_http_request_seconds_bucket{route!~"${STREAMED}",$here}[10m]))) > 2.5 and sum by (namespace) (rate(switchyard_http_request_seconds_count{route!~"${STREAMED}",$here}[10m])) > ${FLOOR_PER_SECOND}`,
    for: '10m',
    severity: 'warning',
    summary: 'One in a hundred plain requests takes longer than {{ $value | humanizeDuration }}.',
    log: 'gateway',
  },
  {
    name: 'SwitchyardEventLoopBusy',
    expr: 'histogram_quantile(0.99, sum by (namespace, service, instance, le) (rate(switchyard_event_loop_delay_seconds_bucket{$here}[5m]))) > 0.5',
    for: '5m',
    severity: 'warning',
    summary: 'A process of {{ $labels.service }} is too busy: add replicas.',
  },
  {
    name: 'SwitchyardConnectionsShort',
    expr: 'max by (namespace, service) (switchyard_database_connections{state="waiting",$here}) > 20',
    for: '5m',
    severity: 'warning',
    summary: 'Requests of {{ $labels.service }} queue for a connection to Postgres.',
  },
  {
    name: 'SwitchyardDeadRows',
    expr: 'max by (namespace, service, table) (switchyard_table_dead_rows{$here}) > 200000',
    for: '30m',
    severity: 'warning',
    summary: 'Vacuum does not keep up with {{ $labels.table }} of {{ $labels.service }}.',
  },
  {
    name: 'SwitchyardWeeksMissing',
    expr: 'min by (namespace, service, table) (switchyard_partitions_ahead_days{$here}) < 14',
    for: '1h',
    severity: 'warning',
    summary: 'No new partitions for {{ $labels.table }} of {{ $labels.service }}: {{ $value | humanize }} days remain.',
  },
  {
    name: 'SwitchyardUpstreamFails',
    expr: burns(
      { part: `${UPSTREAM}{outcome="failed",$here}`, all: `${UPSTREAM}{$here}`, by: 'namespace, upstream' },
      ['5m', '30m'],
      0.2,
    ),
    for: '5m',
    severity: 'critical',
    summary: '{{ $value | humanizePercentage }} of the requests to the upstream {{ $labels.upstream }} fail.',
    log: 'relay',
  },
  {
    name: 'SwitchyardUpstreamDenies',
    expr: happened(`${UPSTREAM}{outcome="denied",$here}`, 'namespace, upstream', '10m'),
    for: '0m',
    severity: 'critical',
    summary: 'The upstream {{ $labels.upstream }} rejects the key or the account.',
    log: 'relay',
  },
  {
    name: 'SwitchyardSettlementsWait',
    expr: 'max by (namespace) (switchyard_relay_settlements_waiting{$here}) > 500',
    for: '2m',
    severity: 'critical',
    summary: '{{ $value }} answered model calls are not charged: the database rejects the writes.',
    log: 'relay',
  },
  {
    name: 'SwitchyardSettlementsSetAside',
    expr: happened('switchyard_relay_journal_set_aside_total{$here}', 'namespace', '1d'),
    for: '0m',
    severity: 'warning',
    summary: '{{ $value | humanize }} settlements were set aside: their calls were answered, and may not be charged.',
    log: 'relay',
  },
  {
    name: 'SwitchyardJournalFails',
    expr: 'sum by (namespace) (increase(switchyard_relay_journal_fallbacks_total{$here}[5m])) > 0 or max by (namespace) (switchyard_relay_journal_expected{$here} - switchyard_relay_journal_open{$here}) > 0',
    for: '10m',
    severity: 'warning',
    summary: 'The journal of the relay is full or cannot be used: answers wait for Postgres.',
    log: 'relay',
  },
  {
    name: 'SwitchyardCatalogueRefused',
    expr: 'max by (namespace) (switchyard_relay_catalogue_refused{$here}) == 1',
    for: '5m',
    severity: 'warning',
    summary: 'The models file is invalid; the previous catalogue stays in force.',
    log: 'relay',
  },
  ...BOUND_ALERTS,
  ...NATS_API_ALERTS,
  ...CLUSTER_ALERTS,
];

export interface RuleOptions {
  /** The filter of `$here`, in PromQL. */
  here: string;
  /** The page of the runbooks, to which an anchor is added. */
  runbooks: string;
  severities: Readonly<Record<Severity, string>>;
}

/** As Compose has it: one installation in its Prometheus, and the console shows the pages. */
export const ONE_INSTALLATION: RuleOptions = {
  here: 'namespace=~".*"',
  runbooks: 'http://127.0.0.1:3000/console/docs/operate/runbooks',
  severities: { critical: 'critical', warning: 'warning' },
};

/** As the chart reads them: its template replaces these words by its values. */
export const IN_CHART: RuleOptions = {
  here: 'namespace="RELEASE_NAMESPACE"',
  runbooks: 'RUNBOOKS_URL',
  severities: { critical: 'SEVERITY_CRITICAL', warning: 'SEVERITY_WARNING' },
};

/** The rules, as Prometheus and its operator read them. */
export const ruleGroups = ({ here, runbooks, severities }: RuleOptions = ONE_INSTALLATION): object => ({
  groups: [
    {
      name: 'switchyard',
      rules: ALERTS.map(({ name, expr, for: duration, severity, summary }) => ({
        alert: name,
        expr: expr.replaceAll('$here', here),
        for: duration,
        labels: { severity: severities[severity] },
        annotations: { summary, runbook_url: `${runbooks}#${name.toLowerCase()}` },
      })),
    },
  ],
});
