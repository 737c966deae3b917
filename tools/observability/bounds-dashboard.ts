import type { DashboardPlan, PanelPlan } from './dashboard';
import { usedShare } from './used-share';

const share = (title: string, metric: string, by: string): PanelPlan => ({
  title,
  unit: 'percentunit',
  queries: [
    {
      expr: `max by (${by}) (${usedShare(metric)})`,
      legend: `{{${by}}}`,
    },
  ],
});

/** How much of each bound is used, and what was refused for it. docs/operate/limits.md has the table. */
export const BOUNDS: DashboardPlan = {
  uid: 'switchyard-bounds',
  title: 'Switchyard: bounds',
  rows: [
    {
      title: 'Processes',
      panels: [
        {
          title: 'Event loop, delay of one timer in a hundred',
          unit: 's',
          queries: [
            {
              expr: 'histogram_quantile(0.99, sum by (service, le) (rate(switchyard_event_loop_delay_seconds_bucket[5m])))',
              legend: '{{service}}',
            },
          ],
        },
        {
          title: 'Stalls of the event loop',
          unit: 'short',
          queries: [
            { expr: 'sum by (service) (increase(switchyard_event_loop_stalls_total[15m]))', legend: '{{service}}' },
          ],
        },
        share('Database pool', 'switchyard_database_pool_connections', 'service'),
        share('Large messages on the bus', 'switchyard_bus_parts_bytes', 'service'),
        share('Frames that wait for JetStream', 'switchyard_frames_waiting_bytes', 'service'),
      ],
    },
    {
      title: 'Gateway',
      panels: [
        {
          title: 'Bytes of requests in flight',
          unit: 'percentunit',
          queries: [
            {
              expr: 'max by (bound) (switchyard_bytes_in_flight / switchyard_bytes_in_flight_limit)',
              legend: '{{bound}}',
            },
          ],
        },
        {
          title: 'Connections',
          unit: 'percentunit',
          queries: [
            {
              expr: 'max by (bound) (switchyard_connections_open / switchyard_connections_limit)',
              legend: '{{bound}}',
            },
          ],
        },
        {
          title: 'Answers that are not read',
          unit: 'percentunit',
          queries: [
            {
              expr: 'max by (bound) (switchyard_unread_answer_bytes / switchyard_unread_answer_bytes_limit)',
              legend: '{{bound}}',
            },
          ],
        },
        share('Look-ups of unknown credentials', 'switchyard_credential_lookups', 'service'),
        share('Open streams and waits', 'switchyard_open_answers', 'bound'),
        {
          title: 'Transcripts and responses',
          unit: 'percentunit',
          queries: [
            { expr: `max(${usedShare('switchyard_transcript_reads')})`, legend: 'transcripts that are read' },
            { expr: `max(${usedShare('switchyard_response_cache_bytes')})`, legend: 'responses that are kept' },
          ],
        },
        {
          title: 'Refused',
          unit: 'ops',
          queries: [
            {
              expr: 'sum by (bound) (rate(switchyard_bytes_in_flight_refused_total[5m]))',
              legend: 'bytes: {{bound}}',
            },
            {
              expr: 'sum by (bound) (rate(switchyard_connections_refused_total[5m]))',
              legend: 'connections: {{bound}}',
            },
            {
              expr: 'sum by (bound) (rate(switchyard_unread_answers_refused_total[5m]))',
              legend: 'unread answers: {{bound}}',
            },
            {
              expr: 'sum by (bound) (rate(switchyard_open_answers_refused_total[5m]))',
              legend: '{{bound}}',
            },
          ],
        },
      ],
    },
    {
      title: 'Work',
      panels: [
        {
          title: 'Stream of events',
          unit: 'percentunit',
          queries: [
            {
              expr: 'max(switchyard_events_stream_bytes) / max(switchyard_events_stream_bytes_limit)',
              legend: 'full',
            },
          ],
        },
        {
          title: 'Places of workers',
          unit: 'percentunit',
          queries: [
            { expr: 'max by (service) (switchyard_workers_busy / switchyard_workers_limit)', legend: '{{service}}' },
            {
              expr: 'max by (service) (switchyard_workers_busiest_space / switchyard_workers_limit)',
              legend: '{{service}}: busiest Space',
            },
          ],
        },
        share('Places of turns', 'switchyard_turn_slots', 'kind'),
        share('Large agents read and sent', 'switchyard_heavy_slots', 'service'),
        share('Connections to models', 'switchyard_relay_upstream_connections', 'upstream'),
        {
          title: 'Tokenizer',
          unit: 'ops',
          queries: [
            { expr: 'sum by (method) (rate(switchyard_relay_tokenized_pieces_total[5m]))', legend: '{{method}}' },
          ],
        },
        {
          title: 'Imports that are written',
          unit: 'short',
          queries: [
            { expr: 'sum(switchyard_dataset_import_workers)', legend: 'written' },
            { expr: 'sum(switchyard_dataset_import_workers_limit)', legend: 'limit' },
          ],
        },
      ],
    },
  ],
};
