import { SERVICES } from '../launcher/service-names';
import type { Alert } from './alert';
import { BOUND_ALERTS } from './bound-alerts';
import { eitherName } from './either-name';

/**
 * That something happened at all. A labelled counter appears with its first event, and `increase` sees nothing in the first
 * sample of a series: a series that was not there before counts as well.
 */
const happened = (counter: string, label: string, within: string): string =>
  `sum by (${label}) (increase(${counter}[${within}])) > 0 or sum by (${label}) (${counter} unless ${counter} offset ${within}) > 0`;

/** All alerts. docs/operate/runbooks.md has a heading for each. */
export const ALERTS: readonly Alert[] = [
  {
    name: 'SwitchyardServiceDown',
    expr: 'up{job="switchyard"} == 0',
    for: '2m',
    severity: 'page',
    summary: '{{ $labels.instance }} does not answer on its internal port.',
  },
  {
    // A service without a single pod is no target at all: `up` has no series that could be 0.
    name: 'SwitchyardServiceMissing',
    expr: SERVICES.map((name) => `absent(process_start_time_seconds{job="switchyard",service="${name}"})`).join(' or '),
    for: '2m',
    severity: 'page',
    summary: 'No process of {{ $labels.service }} is known to Prometheus.',
  },
  {
    name: 'SwitchyardServiceRestarts',
    expr: 'changes(process_start_time_seconds{job="switchyard"}[15m]) > 3',
    for: '0m',
    severity: 'ticket',
    summary: '{{ $labels.service }} was started more than three times within 15 minutes.',
  },
  {
    name: 'SwitchyardPostgresAway',
    expr: 'min by (service) (switchyard_dependency_up{dependency="postgres"}) == 0',
    for: '1m',
    severity: 'page',
    summary: '{{ $labels.service }} cannot reach Postgres: its requests answer 503.',
  },
  {
    name: 'SwitchyardNatsAway',
    expr: 'min by (service) (switchyard_dependency_up{dependency="nats"}) == 0',
    for: '1m',
    severity: 'page',
    summary: '{{ $labels.service }} cannot reach NATS: emissions wait, everything else answers 503.',
  },
  {
    name: 'SwitchyardSubscriptionRefused',
    expr: 'max by (service) (switchyard_subscriptions{measure="refused"}) > 0',
    for: '1m',
    severity: 'page',
    summary: 'NATS refuses {{ $value }} subscriptions of {{ $labels.service }}: it receives no messages there.',
  },
  {
    name: 'SwitchyardRedisAway',
    expr: 'min by (service) (switchyard_dependency_up{dependency="redis"}) == 0',
    for: '5m',
    severity: 'ticket',
    summary: '{{ $labels.service }} cannot reach Redis: rate limits hold per process only.',
  },
  {
    name: 'SwitchyardEventStreamFilling',
    expr: 'max(switchyard_events_stream_bytes{measure="used"}) / max(switchyard_events_stream_bytes{measure="limit"}) > 0.6',
    for: '1m',
    severity: 'page',
    summary: 'The stream of events is {{ $value | humanizePercentage }} full: a consumer does not confirm.',
  },
  {
    name: 'SwitchyardOutboxStuck',
    expr: 'max by (service) (switchyard_outbox_oldest_seconds) > 60',
    for: '1m',
    severity: 'page',
    summary: 'An event of {{ $labels.service }} has been unconfirmed for {{ $value | humanizeDuration }}.',
  },
  {
    name: 'SwitchyardEmissionsPending',
    expr: 'max(switchyard_emissions_oldest_pending_seconds) > 60',
    for: '1m',
    severity: 'page',
    summary: 'An emission has waited {{ $value | humanizeDuration }} for its dispatch.',
  },
  {
    name: 'SwitchyardDeadLetters',
    expr: 'max by (service) (switchyard_dead_letters) > 0',
    for: '5m',
    severity: 'ticket',
    summary: '{{ $labels.service }} has {{ $value }} dead-lettered events.',
  },
  {
    name: 'SwitchyardPoisonedWork',
    expr: 'max by (service, kind) (switchyard_poisoned_work) > 0',
    for: '1m',
    severity: 'ticket',
    summary:
      '{{ $labels.service }} has {{ $value }} poisoned items of kind {{ $labels.kind }}: each ended its process twice.',
  },
  {
    name: 'SwitchyardExecutionsWait',
    expr: 'max(switchyard_executions_oldest_seconds) > 300',
    for: '5m',
    severity: 'ticket',
    summary: 'The oldest queued execution has waited {{ $value | humanizeDuration }}.',
  },
  {
    name: 'SwitchyardJobsWait',
    expr: 'max(switchyard_jobs_oldest_seconds) > 300',
    for: '5m',
    severity: 'ticket',
    summary: 'The oldest queued job has waited {{ $value | humanizeDuration }}.',
  },
  {
    name: 'SwitchyardApprovalsExpire',
    expr: happened('switchyard_approvals_total{outcome="expired"}', 'service', '1h'),
    for: '0m',
    severity: 'ticket',
    summary: 'Approvals expired without an answer: those calls were not run.',
  },
  {
    name: 'SwitchyardApprovalsUnrecorded',
    expr: 'max(switchyard_approvals_unrecorded) > 0',
    for: '10m',
    severity: 'ticket',
    summary: '{{ $value }} answered approvals are not in the security events yet.',
  },
  {
    name: 'SwitchyardLeasesLost',
    expr: 'sum by (service) (increase(switchyard_leases_lost_total[15m])) > 10',
    for: '0m',
    severity: 'ticket',
    summary: '{{ $labels.service }} took over {{ $value | humanize }} pieces of work from lost processes.',
  },
  {
    name: 'SwitchyardWorkerFails',
    expr: 'sum by (service, worker) (increase(switchyard_worker_failures_total[10m])) > 10',
    for: '0m',
    severity: 'ticket',
    summary: 'The worker "{{ $labels.worker }}" of {{ $labels.service }} keeps failing.',
  },
  {
    name: 'SwitchyardErrors',
    expr: 'sum(rate(switchyard_http_request_seconds_count{status=~"5.."}[5m])) / sum(rate(switchyard_http_request_seconds_count[5m])) > 0.02',
    for: '5m',
    severity: 'page',
    summary: '{{ $value | humanizePercentage }} of all requests fail with a 5xx.',
  },
  {
    name: 'SwitchyardSlow',
    expr: 'histogram_quantile(0.99, sum by (le) (rate(switchyard_http_request_seconds_bucket{route!~".*/(chat|execute|frames|stream|wait).*|/models/.*|/mcp"}[10m]))) > 2.5',
    for: '10m',
    severity: 'ticket',
    summary: 'One in a hundred plain requests takes longer than {{ $value | humanizeDuration }}.',
  },
  {
    name: 'SwitchyardEventLoopBusy',
    expr: 'histogram_quantile(0.99, sum by (service, instance, le) (rate(switchyard_event_loop_delay_seconds_bucket[5m]))) > 0.5',
    for: '5m',
    severity: 'ticket',
    summary: 'A process of {{ $labels.service }} is too busy: add replicas.',
  },
  {
    name: 'SwitchyardConnectionsShort',
    expr: 'max by (service) (switchyard_database_connections{state="waiting"}) > 20',
    for: '5m',
    severity: 'ticket',
    summary: 'Requests of {{ $labels.service }} queue for a connection to Postgres.',
  },
  {
    name: 'SwitchyardDeadRows',
    expr: 'max by (service, table) (switchyard_table_dead_rows) > 200000',
    for: '30m',
    severity: 'ticket',
    summary: 'Vacuum does not keep up with {{ $labels.table }} of {{ $labels.service }}.',
  },
  {
    name: 'SwitchyardWeeksMissing',
    expr: `min by (service, table) (${eitherName('switchyard_partitions_ahead_days')}) < 14`,
    for: '1h',
    severity: 'ticket',
    summary: 'No new partitions for {{ $labels.table }} of {{ $labels.service }}: {{ $value | humanize }} days remain.',
  },
  {
    name: 'SwitchyardUpstreamFails',
    expr: 'sum by (upstream) (rate(switchyard_relay_upstream_attempts_total{outcome="failed"}[5m])) / sum by (upstream) (rate(switchyard_relay_upstream_attempts_total[5m])) > 0.2',
    for: '5m',
    severity: 'page',
    summary: '{{ $value | humanizePercentage }} of the requests to the upstream {{ $labels.upstream }} fail.',
  },
  {
    name: 'SwitchyardUpstreamDenies',
    expr: happened('switchyard_relay_upstream_attempts_total{outcome="denied"}', 'upstream', '10m'),
    for: '0m',
    severity: 'page',
    summary: 'The upstream {{ $labels.upstream }} rejects the key or the account.',
  },
  {
    name: 'SwitchyardSettlementsWait',
    expr: 'max(switchyard_relay_settlements_waiting) > 500',
    for: '2m',
    severity: 'page',
    summary: '{{ $value }} answered model calls are not charged: the database rejects the writes.',
  },
  {
    name: 'SwitchyardCatalogueRefused',
    expr: 'max(switchyard_relay_catalogue_refused) == 1',
    for: '5m',
    severity: 'ticket',
    summary: 'The models file is invalid; the previous catalogue stays in force.',
  },
  ...BOUND_ALERTS,
];

/** The rules, as Prometheus and its operator read them. */
export const ruleGroups = (): object => ({
  groups: [
    {
      name: 'switchyard',
      rules: ALERTS.map(({ name, expr, for: duration, severity, summary }) => ({
        alert: name,
        expr,
        for: duration,
        labels: { severity },
        annotations: { summary, runbook: `docs/operate/runbooks.md#${name.toLowerCase()}` },
      })),
    },
  ],
});
