import { SERVICES } from '../launcher/service-names';
import { ALWAYS, HPA, SELF, type Series, appearing, gauge, rising } from './alert-series';

export interface AlertCase {
  /** Scrape results while the alert's condition holds, from the first minute on. */
  broken: Series[];
  /** By when the alert must fire. */
  firesBy: string;
}

const fullOf = (metric: string, labels: string): Series[] => [
  gauge(`${metric}{${labels}}`, 95),
  gauge(`${metric}_limit{${labels}}`, 100),
];
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
  gauge(`switchyard_relay_journal_set_aside_total{${SELF('relay')}}`, 0),
  gauge(`switchyard_relay_journal_fallbacks_total{${SELF('relay')}}`, 0),
  gauge(`switchyard_relay_journal_expected{${SELF('relay')}}`, 1),
  gauge(`switchyard_relay_journal_open{${SELF('relay')}}`, 1),
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
  SwitchyardSettlementsSetAside: {
    broken: [{ series: `switchyard_relay_journal_set_aside_total{${SELF('relay')}}`, values: '0x8 1x392' }],
    firesBy: '5m',
  },
  SwitchyardJournalFails: {
    broken: [rising(`switchyard_relay_journal_fallbacks_total{${SELF('relay')}}`, 1)],
    firesBy: '15m',
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
