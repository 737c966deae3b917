import { BOUNDS } from './bounds-dashboard';
import type { DashboardPlan, Query } from './dashboard';

const quantiles = (metric: string, by: string, legend: string): Query[] =>
  [0.5, 0.95, 0.99].map((quantile) => ({
    expr: `histogram_quantile(${quantile}, sum by (le${by === '' ? '' : `, ${by}`}) (rate(${metric}_bucket[5m])))`,
    legend: `p${quantile * 100}${legend}`,
  }));

const OVERVIEW: DashboardPlan = {
  uid: 'switchyard-overview',
  title: 'Switchyard: overview',
  rows: [
    {
      title: 'The door',
      panels: [
        {
          title: 'Answers by status',
          unit: 'reqps',
          queries: [
            { expr: 'sum by (status) (rate(switchyard_http_request_seconds_count[5m]))', legend: '{{status}}' },
          ],
        },
        {
          title: 'Time to answer',
          unit: 's',
          description: 'Streams count until their last byte.',
          queries: quantiles('switchyard_http_request_seconds', '', ''),
        },
        {
          title: 'Busiest routes',
          unit: 'reqps',
          queries: [
            {
              expr: 'topk(8, sum by (method, route) (rate(switchyard_http_request_seconds_count[5m])))',
              legend: '{{method}} {{route}}',
            },
          ],
        },
        {
          title: 'Open requests and streams',
          unit: 'short',
          queries: [{ expr: 'sum by (instance) (switchyard_http_requests_open)', legend: '{{instance}}' }],
        },
      ],
    },
    {
      title: 'Processes',
      panels: [
        {
          title: 'CPU (cores)',
          unit: 'short',
          queries: [
            { expr: 'sum by (service) (rate(process_cpu_seconds_total{job="switchyard"}[5m]))', legend: '{{service}}' },
          ],
        },
        {
          title: 'Memory',
          unit: 'bytes',
          queries: [
            { expr: 'max by (service) (process_resident_memory_bytes{job="switchyard"})', legend: '{{service}}' },
          ],
        },
        {
          title: 'Event loop, p99 lag',
          unit: 's',
          queries: [
            {
              expr: 'histogram_quantile(0.99, sum by (service, le) (rate(switchyard_event_loop_delay_seconds_bucket[5m])))',
              legend: '{{service}}',
            },
          ],
        },
      ],
    },
    {
      title: 'What they stand on',
      panels: [
        {
          title: 'Dependencies that answer',
          unit: 'short',
          queries: [
            {
              expr: 'min by (service, dependency) (switchyard_dependency_up)',
              legend: '{{service}}: {{dependency}}',
            },
          ],
        },
        {
          title: 'Connections to Postgres',
          unit: 'short',
          queries: [
            { expr: 'sum by (service, state) (switchyard_database_connections)', legend: '{{service}}: {{state}}' },
          ],
        },
        {
          title: 'Dead rows',
          unit: 'short',
          queries: [
            { expr: 'topk(8, max by (service, table) (switchyard_table_dead_rows))', legend: '{{service}}.{{table}}' },
          ],
        },
        {
          title: 'Failing workers',
          unit: 'ops',
          queries: [
            {
              expr: 'sum by (service, worker) (rate(switchyard_worker_failures_total[5m]))',
              legend: '{{service}}: {{worker}}',
            },
          ],
        },
      ],
    },
  ],
};

const WORK: DashboardPlan = {
  uid: 'switchyard-work',
  title: 'Switchyard: events and work',
  rows: [
    {
      title: 'Events between services',
      panels: [
        {
          title: 'Waiting in the outboxes',
          unit: 'short',
          queries: [{ expr: 'max by (service) (switchyard_outbox_rows)', legend: '{{service}}' }],
        },
        {
          title: 'Oldest unconfirmed event',
          unit: 's',
          queries: [{ expr: 'max by (service) (switchyard_outbox_oldest_seconds)', legend: '{{service}}' }],
        },
        {
          title: 'Dead letters',
          unit: 'short',
          queries: [
            { expr: 'max by (service) (switchyard_dead_letters)', legend: '{{service}}' },
            { expr: 'max by (service, kind) (switchyard_poisoned_work)', legend: '{{service}} {{kind}}' },
          ],
        },
      ],
    },
    {
      title: 'Emissions',
      panels: [
        {
          title: 'Recorded',
          unit: 'ops',
          queries: [{ expr: 'sum by (status) (rate(switchyard_emissions_recorded_total[5m]))', legend: '{{status}}' }],
        },
        {
          title: 'Settled',
          unit: 'ops',
          queries: [{ expr: 'sum by (status) (rate(switchyard_emissions_settled_total[5m]))', legend: '{{status}}' }],
        },
        {
          title: 'Oldest pending',
          unit: 's',
          queries: [{ expr: 'max(switchyard_emissions_oldest_pending_seconds)', legend: 'oldest' }],
        },
      ],
    },
    {
      title: 'Tasks and jobs',
      panels: [
        {
          title: 'Executions by status',
          unit: 'short',
          queries: [{ expr: 'max by (status) (switchyard_executions)', legend: '{{status}}' }],
        },
        {
          title: 'Ended executions',
          unit: 'ops',
          queries: [{ expr: 'sum by (status) (rate(switchyard_executions_ended_total[5m]))', legend: '{{status}}' }],
        },
        {
          title: 'Unfinished jobs by phase',
          unit: 'short',
          queries: [{ expr: 'max by (phase) (switchyard_jobs)', legend: '{{phase}}' }],
        },
        {
          title: 'Longest waits',
          unit: 's',
          queries: [
            { expr: 'max(switchyard_executions_oldest_seconds)', legend: 'execution' },
            { expr: 'max(switchyard_jobs_oldest_seconds)', legend: 'job' },
          ],
        },
        {
          title: 'Taken from lost workers',
          unit: 'short',
          queries: [{ expr: 'sum by (service) (increase(switchyard_leases_lost_total[15m]))', legend: '{{service}}' }],
        },
      ],
    },
  ],
};

const MODELS: DashboardPlan = {
  uid: 'switchyard-models',
  title: 'Switchyard: agents and models',
  rows: [
    {
      title: 'Turns',
      panels: [
        {
          title: 'Running turns',
          unit: 'short',
          queries: [{ expr: 'sum by (instance) (switchyard_turns_running)', legend: '{{instance}}' }],
        },
        {
          title: 'Calls that needed an approval',
          unit: 'ops',
          queries: [{ expr: 'sum by (outcome) (rate(switchyard_approvals_total[5m]))', legend: '{{outcome}}' }],
        },
        {
          title: 'Approvals that wait',
          unit: 'short',
          queries: [
            { expr: 'max(switchyard_approvals_waiting)', legend: 'waiting' },
            { expr: 'max(switchyard_approvals_unrecorded)', legend: 'not recorded' },
          ],
        },
        {
          title: 'Oldest approval',
          unit: 's',
          queries: [{ expr: 'max(switchyard_approvals_oldest_seconds)', legend: 'waits' }],
        },
        {
          title: 'Model calls under way',
          unit: 'short',
          queries: [{ expr: 'sum(switchyard_relay_calls)', legend: 'calls' }],
        },
        {
          title: 'Settlements that wait',
          unit: 'short',
          queries: [{ expr: 'sum(switchyard_relay_settlements_waiting)', legend: 'settlements' }],
        },
      ],
    },
    {
      title: 'Models',
      panels: [
        {
          title: 'Tokens',
          unit: 'ops',
          queries: [
            { expr: 'sum by (model, type) (rate(switchyard_relay_tokens_total[5m]))', legend: '{{model}} {{type}}' },
          ],
        },
        {
          title: 'Until the first answer',
          unit: 's',
          queries: quantiles('switchyard_relay_first_answer_seconds', 'model', ' {{model}}'),
        },
        {
          title: 'Whole calls',
          unit: 's',
          queries: quantiles('switchyard_relay_call_seconds', 'model', ' {{model}}'),
        },
        {
          title: 'Calls by outcome',
          unit: 'ops',
          queries: [
            { expr: 'sum by (outcome) (rate(switchyard_relay_call_seconds_count[5m]))', legend: '{{outcome}}' },
          ],
        },
      ],
    },
    {
      title: 'Upstreams',
      panels: [
        {
          title: 'Attempts',
          unit: 'ops',
          queries: [
            {
              expr: 'sum by (upstream, outcome) (rate(switchyard_relay_upstream_attempts_total[5m]))',
              legend: '{{upstream}} {{outcome}}',
            },
          ],
        },
        {
          title: 'Catalogue refused',
          unit: 'short',
          kind: 'stat',
          queries: [{ expr: 'max(switchyard_relay_catalogue_refused)', legend: 'refused' }],
        },
      ],
    },
  ],
};

export const DASHBOARDS: Readonly<Record<string, DashboardPlan>> = {
  overview: OVERVIEW,
  work: WORK,
  models: MODELS,
  bounds: BOUNDS,
};
