import { SERVICES } from '../launcher/service-names';

/** A series of one sample per 15 seconds, in the notation of promtool's rule tests. */
export interface Series {
  series: string;
  values: string;
}

export interface AlertCase {
  /** Scrape results while the alert's condition holds, from the first minute on. */
  broken: Series[];
  /** By when the alert must fire. */
  firesBy: string;
}

const ALWAYS = '1x400';
const SELF = (service: string): string => `job="switchyard",service="${service}",instance="${service}:8081"`;
const gauge = (series: string, value: number): Series => ({ series, values: `${value}x400` });
const rising = (series: string, step: number): Series => ({ series, values: `0+${step}x400` });
/** A counter with labels appears with its first event: there is no zero before it. */
const appearing = (series: string, value: number): Series => ({ series, values: `_x4 ${value}x396` });
const fullOf = (metric: string, labels: string): Series[] => [
  gauge(`${metric}{${labels}}`, 95),
  gauge(`${metric}_limit{${labels}}`, 100),
];
const HPA = 'namespace="switchyard",horizontalpodautoscaler="gateway"';
const running = (services: readonly string[]): Series[] =>
  services.map((service) => ({ series: `process_start_time_seconds{${SELF(service)}}`, values: ALWAYS }));

/** Scrape results of a healthy platform. No alert may fire. */
export const HEALTHY: Series[] = [
  ...running(SERVICES),
  ...SERVICES.map((service) => ({ series: `up{${SELF(service)}}`, values: ALWAYS })),
  ...['postgres', 'nats', 'redis'].map((each) =>
    gauge(`switchyard_dependency_up{${SELF('agent')},dependency="${each}"}`, 1),
  ),
  rising(`switchyard_http_request_seconds_count{${SELF('gateway')},status="200",route="/api/agents"}`, 100),
  gauge(`switchyard_nats_api_up{${SELF('gateway')}}`, 1),
  gauge(`switchyard_nats_api_credentials_issued_timestamp_seconds{${SELF('gateway')},kind="user"}`, -86_400),
  gauge(`switchyard_nats_api_credentials_expire_timestamp_seconds{${SELF('gateway')},kind="user"}`, 864_000),
  gauge(`switchyard_nats_api_silenced_total{${SELF('gateway')}}`, 0),
  gauge(`switchyard_partitions_ahead_days{${SELF('dataset')},table="record_writes"}`, 28),
  gauge(`process_resident_memory_bytes{${SELF('task')}}`, 200 * 1024 * 1024),
  gauge(`switchyard_memory_limit_bytes{${SELF('task')}}`, 448 * 1024 * 1024),
  gauge('kube_job_status_failed{namespace="switchyard",job_name="switchyard-migrate-3f2a"}', 0),
  gauge('switchyard_backup_last_success_timestamp_seconds{job="node"}', 0),
];

/** For each alert, what it must notice. */
export const ALERT_CASES: Record<string, AlertCase> = {
  SwitchyardServiceDown: {
    broken: [{ series: `up{${SELF('agent')}}`, values: '1x3 0x396' }],
    firesBy: '5m',
  },
  SwitchyardServiceMissing: {
    broken: [
      ...running(SERVICES.filter((service) => service !== 'relay')),
      { series: `process_start_time_seconds{${SELF('relay')}}`, values: '1x3 stale' },
    ],
    firesBy: '5m',
  },
  SwitchyardServiceRestarts: {
    broken: [{ series: `process_start_time_seconds{${SELF('agent')}}`, values: '1x3 2x3 3x3 4x3 5x380' }],
    firesBy: '10m',
  },
  SwitchyardPostgresAway: {
    broken: [gauge(`switchyard_dependency_up{${SELF('task')},dependency="postgres"}`, 0)],
    firesBy: '3m',
  },
  SwitchyardNatsAway: {
    broken: [gauge(`switchyard_dependency_up{${SELF('task')},dependency="nats"}`, 0)],
    firesBy: '3m',
  },
  SwitchyardSubscriptionRefused: {
    broken: [gauge(`switchyard_subscriptions_missing{${SELF('task')}}`, 1)],
    firesBy: '3m',
  },
  SwitchyardRedisAway: {
    broken: [gauge(`switchyard_dependency_up{${SELF('gateway')},dependency="redis"}`, 0)],
    firesBy: '7m',
  },
  SwitchyardOutboxStuck: { broken: [gauge(`switchyard_outbox_oldest_seconds{${SELF('task')}}`, 90)], firesBy: '3m' },
  SwitchyardEmissionsPending: {
    broken: [gauge(`switchyard_emissions_oldest_pending_seconds{${SELF('event-bus')}}`, 90)],
    firesBy: '3m',
  },
  SwitchyardDeadLetters: { broken: [gauge(`switchyard_dead_letters{${SELF('task')}}`, 1)], firesBy: '7m' },
  SwitchyardPoisonedWork: {
    broken: [gauge(`switchyard_poisoned_work{${SELF('task')},kind="execution"}`, 1)],
    firesBy: '3m',
  },
  SwitchyardExecutionsWait: {
    broken: [gauge(`switchyard_executions_oldest_seconds{${SELF('task')}}`, 400)],
    firesBy: '7m',
  },
  SwitchyardJobsWait: { broken: [gauge(`switchyard_jobs_oldest_seconds{${SELF('job')}}`, 400)], firesBy: '7m' },
  SwitchyardApprovalsExpire: {
    broken: [appearing(`switchyard_approvals_total{${SELF('session')},outcome="expired"}`, 1)],
    firesBy: '3m',
  },
  SwitchyardApprovalsUnrecorded: {
    broken: [gauge(`switchyard_approvals_unrecorded{${SELF('session')}}`, 2)],
    firesBy: '12m',
  },
  SwitchyardLeasesLost: { broken: [rising(`switchyard_leases_lost_total{${SELF('job')}}`, 1)], firesBy: '15m' },
  SwitchyardWorkerFails: {
    broken: [rising(`switchyard_worker_failures_total{${SELF('relay')},worker="sweeper"}`, 1)],
    firesBy: '10m',
  },
  SwitchyardErrors: {
    broken: [
      rising(`switchyard_http_request_seconds_count{${SELF('gateway')},status="200",route="/api/tasks"}`, 90),
      rising(`switchyard_http_request_seconds_count{${SELF('gateway')},status="503",route="/api/tasks"}`, 10),
    ],
    firesBy: '10m',
  },
  SwitchyardErrorsPersist: {
    broken: [
      rising(`switchyard_http_request_seconds_count{${SELF('gateway')},status="200",route="/api/tasks"}`, 99),
      rising(`switchyard_http_request_seconds_count{${SELF('gateway')},status="503",route="/api/tasks"}`, 1),
    ],
    firesBy: '30m',
  },
  SwitchyardSlow: {
    broken: [
      rising(`switchyard_http_request_seconds_count{${SELF('gateway')},route="/api/tasks",status="200"}`, 100),
      rising(`switchyard_http_request_seconds_bucket{${SELF('gateway')},route="/api/tasks",le="2.5"}`, 50),
      rising(`switchyard_http_request_seconds_bucket{${SELF('gateway')},route="/api/tasks",le="5"}`, 100),
      rising(`switchyard_http_request_seconds_bucket{${SELF('gateway')},route="/api/tasks",le="+Inf"}`, 100),
    ],
    firesBy: '20m',
  },
  SwitchyardEventLoopBusy: {
    broken: [
      rising(`switchyard_event_loop_delay_seconds_bucket{${SELF('task')},le="0.5"}`, 90),
      rising(`switchyard_event_loop_delay_seconds_bucket{${SELF('task')},le="1"}`, 100),
      rising(`switchyard_event_loop_delay_seconds_bucket{${SELF('task')},le="+Inf"}`, 100),
    ],
    firesBy: '12m',
  },
  SwitchyardConnectionsShort: {
    broken: [gauge(`switchyard_database_connections{${SELF('task')},state="waiting"}`, 30)],
    firesBy: '7m',
  },
  SwitchyardDeadRows: {
    broken: [gauge(`switchyard_table_dead_rows{${SELF('task')},table="executions"}`, 300_000)],
    firesBy: '35m',
  },
  SwitchyardWeeksMissing: {
    broken: [gauge(`switchyard_partitions_ahead_days{${SELF('dataset')},table="record_writes"}`, 10)],
    firesBy: '65m',
  },
  SwitchyardUpstreamFails: {
    broken: [
      rising(`switchyard_relay_upstream_attempts_total{${SELF('relay')},upstream="main",outcome="answered"}`, 5),
      rising(`switchyard_relay_upstream_attempts_total{${SELF('relay')},upstream="main",outcome="failed"}`, 5),
    ],
    firesBy: '8m',
  },
  SwitchyardUpstreamDenies: {
    broken: [
      appearing(`switchyard_relay_upstream_attempts_total{${SELF('relay')},upstream="main",outcome="denied"}`, 1),
    ],
    firesBy: '3m',
  },
  SwitchyardSettlementsWait: {
    broken: [gauge(`switchyard_relay_settlements_waiting{${SELF('relay')}}`, 600)],
    firesBy: '4m',
  },
  SwitchyardCatalogueRefused: {
    broken: [gauge(`switchyard_relay_catalogue_refused{${SELF('relay')}}`, 1)],
    firesBy: '7m',
  },
  SwitchyardEventStreamFilling: {
    broken: [
      gauge(`switchyard_events_stream_bytes{${SELF('event-bus')}}`, 700),
      gauge(`switchyard_events_stream_bytes_limit{${SELF('event-bus')}}`, 1_000),
    ],
    firesBy: '5m',
  },
  SwitchyardMemoryNearLimit: {
    broken: [
      gauge(`process_resident_memory_bytes{${SELF('task')}}`, 440 * 1024 * 1024),
      gauge(`switchyard_memory_limit_bytes{${SELF('task')}}`, 448 * 1024 * 1024),
    ],
    firesBy: '7m',
  },
  SwitchyardEventLoopStalls: {
    broken: [rising(`switchyard_event_loop_stalls_total{${SELF('relay')}}`, 1)],
    firesBy: '10m',
  },
  SwitchyardGatewayBytesInFlight: {
    broken: [
      gauge(`switchyard_bytes_in_flight{${SELF('gateway')},bound="space"}`, 90),
      gauge(`switchyard_bytes_in_flight_limit{${SELF('gateway')},bound="space"}`, 100),
    ],
    firesBy: '5m',
  },
  SwitchyardGatewayConnections: {
    broken: [
      gauge(`switchyard_connections_open{${SELF('gateway')},bound="total"}`, 9_000),
      gauge(`switchyard_connections_limit{${SELF('gateway')},bound="total"}`, 10_000),
    ],
    firesBy: '5m',
  },
  SwitchyardGatewayUnreadAnswers: {
    broken: [
      gauge(`switchyard_unread_answer_bytes{${SELF('gateway')},bound="total"}`, 90),
      gauge(`switchyard_unread_answer_bytes_limit{${SELF('gateway')},bound="total"}`, 100),
    ],
    firesBy: '5m',
  },
  SwitchyardPoolRefuses: {
    broken: [rising(`switchyard_database_pool_connections_refused_total{${SELF('dataset')}}`, 1)],
    firesBy: '5m',
  },
  SwitchyardWorkersFull: {
    broken: [
      gauge(`switchyard_workers_busy{${SELF('task')}}`, 30),
      gauge(`switchyard_workers_limit{${SELF('task')}}`, 30),
    ],
    firesBy: '20m',
  },
  SwitchyardTurnPlacesFull: { broken: fullOf('switchyard_turn_slots', `${SELF('agent')},kind="held"`), firesBy: '5m' },
  SwitchyardBusPartsFull: { broken: fullOf('switchyard_bus_parts_bytes', SELF('dataset')), firesBy: '5m' },
  SwitchyardFramesWait: { broken: fullOf('switchyard_frames_waiting_bytes', SELF('agent')), firesBy: '3m' },
  SwitchyardGatewayWaits: {
    broken: fullOf('switchyard_open_answers', `${SELF('gateway')},bound="waits of a Space"`),
    firesBy: '5m',
  },
  SwitchyardTranscriptsRefused: {
    broken: [rising(`switchyard_transcript_reads_refused_total{${SELF('gateway')}}`, 1)],
    firesBy: '5m',
  },
  SwitchyardHeavySlotsRefused: {
    broken: [rising(`switchyard_heavy_slots_refused_total{${SELF('agent')}}`, 1)],
    firesBy: '5m',
  },
  SwitchyardNatsApiDown: {
    broken: [{ series: `switchyard_nats_api_up{${SELF('gateway')}}`, values: '1x3 0x396' }],
    firesBy: '5m',
  },
  SwitchyardNatsApiCredentialsExpire: {
    broken: [
      gauge(`switchyard_nats_api_credentials_issued_timestamp_seconds{${SELF('gateway')},kind="user"}`, -86_400),
      gauge(`switchyard_nats_api_credentials_expire_timestamp_seconds{${SELF('gateway')},kind="user"}`, 8_000),
    ],
    firesBy: '5m',
  },
  SwitchyardNatsApiStreamsUnread: {
    broken: [rising(`switchyard_nats_api_unread_streams_total{${SELF('gateway')}}`, 1)],
    firesBy: '15m',
  },
  SwitchyardNatsApiFlooded: {
    broken: [rising(`switchyard_nats_api_silenced_total{${SELF('gateway')}}`, 1)],
    firesBy: '5m',
  },
  SwitchyardEndpointDeliveriesFull: {
    broken: [
      gauge(`switchyard_endpoint_deliveries_under_way{${SELF('event-bus')}}`, 230),
      gauge(`switchyard_endpoint_deliveries_limit{${SELF('event-bus')}}`, 240),
    ],
    firesBy: '20m',
  },
  SwitchyardUpstreamConnectionsFull: {
    broken: fullOf('switchyard_relay_upstream_connections', `${SELF('relay')},upstream="main"`),
    firesBy: '5m',
  },
  SwitchyardMigrationFailed: {
    broken: [gauge('kube_job_status_failed{namespace="switchyard",job_name="switchyard-migrate-3f2a"}', 1)],
    firesBy: '2m',
  },
  SwitchyardAutoscalerAtMaximum: {
    broken: [
      gauge(`kube_horizontalpodautoscaler_status_current_replicas{${HPA}}`, 10),
      gauge(`kube_horizontalpodautoscaler_spec_max_replicas{${HPA}}`, 10),
      gauge(`kube_horizontalpodautoscaler_spec_min_replicas{${HPA}}`, 2),
    ],
    firesBy: '20m',
  },
  SwitchyardBackupOld: {
    // Times of promtool begin in 1970.
    broken: [gauge('switchyard_backup_last_success_timestamp_seconds{job="node"}', -27 * 3_600)],
    firesBy: '15m',
  },
};

const LOUD = 'job="switchyard",service="gateway",namespace="loud",instance="a:8081",route="/api/tasks"';
const QUIET = 'job="switchyard",service="gateway",namespace="quiet",instance="b:8081",route="/api/tasks"';

export interface PreciseCase {
  title: string;
  alert: string;
  series: Series[];
  at: string;
  /** How many alerts fire, by namespace where there are several. */
  firing: Readonly<Record<string, number>>;
}

/** Cases that alerts must tell apart. None may fire for another installation, for single requests, or once for every service. */
export const PRECISE_CASES: PreciseCase[] = [
  {
    title: 'Postgres away from all services is one page',
    alert: 'SwitchyardPostgresAway',
    series: SERVICES.map((service) => gauge(`switchyard_dependency_up{${SELF(service)},dependency="postgres"}`, 0)),
    at: '3m',
    firing: { '{}': 1 },
  },
  {
    title: 'a process that does not answer is one page of its service',
    alert: 'SwitchyardServiceDown',
    series: [
      gauge(`up{${SELF('agent')},pod="agent-1",namespace="quiet"}`, 0),
      gauge(`up{${SELF('gateway')},pod="gateway-1",namespace="quiet"}`, 1),
    ],
    at: '4m',
    firing: { '{namespace="quiet"}': 1 },
  },
  {
    title: 'errors of one installation are not diluted by the traffic of another',
    alert: 'SwitchyardErrors',
    series: [
      rising(`switchyard_http_request_seconds_count{${LOUD},status="200"}`, 100_000),
      rising(`switchyard_http_request_seconds_count{${QUIET},status="200"}`, 90),
      rising(`switchyard_http_request_seconds_count{${QUIET},status="503"}`, 10),
    ],
    at: '10m',
    firing: { '{namespace="quiet"}': 1 },
  },
  {
    title: 'two failed requests of a quiet night do not page',
    alert: 'SwitchyardErrors',
    series: [
      { series: `switchyard_http_request_seconds_count{${QUIET},status="200"}`, values: '0x20 1x380' },
      { series: `switchyard_http_request_seconds_count{${QUIET},status="503"}`, values: '0x20 2x380' },
    ],
    at: '8m',
    firing: {},
  },
  {
    title: 'a short burst of errors within an hour does not page',
    alert: 'SwitchyardErrors',
    series: [
      { series: `switchyard_http_request_seconds_count{${LOUD},status="200"}`, values: '0+100x400' },
      { series: `switchyard_http_request_seconds_count{${LOUD},status="503"}`, values: '0x300 0+10x4 40x96' },
    ],
    at: '78m',
    firing: {},
  },
  {
    title: 'a single failed call of a provider is no outage of it',
    alert: 'SwitchyardUpstreamFails',
    series: [
      {
        series: `switchyard_relay_upstream_attempts_total{${SELF('relay')},upstream="main",outcome="failed"}`,
        values: '0x10 1x390',
      },
    ],
    at: '7m',
    firing: {},
  },
  {
    title: 'memory is compared with the limit of its own container',
    alert: 'SwitchyardMemoryNearLimit',
    series: [
      gauge(`process_resident_memory_bytes{${SELF('task')}}`, 440 * 1024 * 1024),
      gauge(`switchyard_memory_limit_bytes{${SELF('task')}}`, 1024 * 1024 * 1024),
      gauge(`process_resident_memory_bytes{${SELF('gateway')}}`, 440 * 1024 * 1024),
    ],
    at: '10m',
    firing: {},
  },
  {
    title: 'a service that one installation lacks is missing there, though another has it',
    alert: 'SwitchyardServiceMissing',
    series: ['loud', 'quiet'].flatMap((namespace) =>
      SERVICES.filter((service) => namespace === 'loud' || service !== 'relay').map((service) =>
        gauge(`process_start_time_seconds{${SELF(service)},namespace="${namespace}"}`, 1),
      ),
    ),
    at: '5m',
    firing: { '{namespace="quiet"}': 1 },
  },
  {
    title: 'an autoscaler that may not scale is not at its maximum',
    alert: 'SwitchyardAutoscalerAtMaximum',
    series: ['status_current', 'spec_max', 'spec_min'].map((of) =>
      gauge(`kube_horizontalpodautoscaler_${of}_replicas{${HPA}}`, 2),
    ),
    at: '20m',
    firing: {},
  },
];
