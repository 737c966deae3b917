import { SERVICES } from '../launcher/service-names';
import { HPA, SELF, type Series, gauge, rising } from './alert-series';

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
    title: 'entries that a relay set aside before it was first scraped count',
    alert: 'SwitchyardSettlementsSetAside',
    series: [{ series: `switchyard_relay_journal_set_aside_total{${SELF('relay')}}`, values: '_x20 2x380' }],
    at: '7m',
    firing: { '{}': 1 },
  },
  {
    title: 'a journal that was full or slow for a moment is no alert',
    alert: 'SwitchyardJournalFails',
    series: [{ series: `switchyard_relay_journal_fallbacks_total{${SELF('relay')}}`, values: '0x20 40x20 90x360' }],
    at: '14m',
    firing: {},
  },
  {
    title: 'a journal that has a folder and never opens is an alert, though no call was to be written',
    alert: 'SwitchyardJournalFails',
    series: [
      gauge(`switchyard_relay_journal_expected{${SELF('relay')}}`, 1),
      gauge(`switchyard_relay_journal_open{${SELF('relay')}}`, 0),
    ],
    at: '14m',
    firing: { '{}': 1 },
  },
  {
    title: 'a journal that is closed beside another relay, or without a folder, is no alert',
    alert: 'SwitchyardJournalFails',
    series: [
      gauge(`switchyard_relay_journal_expected{${SELF('relay')}}`, 0),
      gauge(`switchyard_relay_journal_open{${SELF('relay')}}`, 0),
    ],
    at: '30m',
    firing: {},
  },
  {
    title: 'a journal that opens within minutes of the start is no alert',
    alert: 'SwitchyardJournalFails',
    series: [
      gauge(`switchyard_relay_journal_expected{${SELF('relay')}}`, 1),
      { series: `switchyard_relay_journal_open{${SELF('relay')}}`, values: '0x20 1x380' },
    ],
    at: '14m',
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
