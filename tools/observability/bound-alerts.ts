import type { Alert } from './alert';
import { usedShare } from './used-share';

/** The kernel ends a container at its limit. */
const MEMORY_SHARE = 0.9;

/** Bounds that keep one Space from taking what others need: an alert before each is reached, or when it refuses. */
export const BOUND_ALERTS: readonly Alert[] = [
  {
    name: 'SwitchyardMemoryNearLimit',
    expr: `max by (namespace, service) (process_resident_memory_bytes{job="switchyard",$here} / on (namespace, service, instance) switchyard_memory_limit_bytes{$here}) > ${MEMORY_SHARE}`,
    for: '5m',
    severity: 'warning',
    summary: 'A process of {{ $labels.service }} uses {{ $value | humanizePercentage }} of its memory limit.',
  },
  {
    name: 'SwitchyardEventLoopStalls',
    expr: 'sum by (namespace, service) (increase(switchyard_event_loop_stalls_total{$here}[15m])) > 3',
    for: '0m',
    severity: 'warning',
    summary: '{{ $labels.service }} blocked its event loop {{ $value | humanize }} times; the log has the stacks.',
  },
  {
    name: 'SwitchyardGatewayBytesInFlight',
    expr: `max by (namespace, bound) (${usedShare('switchyard_bytes_in_flight', '{$here}')}) > 0.8`,
    for: '2m',
    severity: 'warning',
    summary: 'A gateway uses {{ $value | humanizePercentage }} of its request bytes ({{ $labels.bound }}).',
    log: 'gateway',
  },
  {
    name: 'SwitchyardGatewayConnections',
    // That a key or a Space comes near its own bound concerns itself alone.
    expr: 'max by (namespace, bound) (switchyard_connections_open{bound!~"credential|space",$here} / switchyard_connections_limit{$here}) > 0.8',
    for: '2m',
    severity: 'warning',
    summary: 'A gateway uses {{ $value | humanizePercentage }} of its connections ({{ $labels.bound }}).',
    log: 'gateway',
  },
  {
    name: 'SwitchyardGatewayUnreadAnswers',
    expr: `max by (namespace, bound) (${usedShare('switchyard_unread_answer_bytes', '{$here}')}) > 0.8`,
    for: '2m',
    severity: 'warning',
    summary: 'A gateway uses {{ $value | humanizePercentage }} of the buffer for unread answers ({{ $labels.bound }}).',
    log: 'gateway',
  },
  {
    name: 'SwitchyardPoolRefuses',
    expr: 'sum by (namespace, service) (increase(switchyard_database_pool_connections_refused_total{$here}[10m])) > 0',
    for: '0m',
    severity: 'warning',
    summary: '{{ $labels.service }} refused {{ $value | humanize }} requests that waited too long for a connection.',
  },
  {
    name: 'SwitchyardWorkersFull',
    expr: 'max by (namespace, service) (switchyard_workers_busy{$here} / switchyard_workers_limit{$here}) > 0.9',
    for: '15m',
    severity: 'warning',
    summary:
      '{{ $value | humanizePercentage }} of the workers of a {{ $labels.service }} process have been busy for 15 minutes.',
  },
  {
    name: 'SwitchyardTurnPlacesFull',
    expr: `max by (namespace, kind) (${usedShare('switchyard_turn_slots', '{$here}')}) > 0.8`,
    for: '2m',
    severity: 'warning',
    summary: '{{ $value | humanizePercentage }} of the {{ $labels.kind }} turn slots of a process are in use.',
    log: 'agent',
  },
  {
    name: 'SwitchyardBusPartsFull',
    expr: `max by (namespace, service) (${usedShare('switchyard_bus_parts_bytes', '{$here}')}) > 0.8`,
    for: '2m',
    severity: 'warning',
    summary: '{{ $labels.service }} uses {{ $value | humanizePercentage }} of its buffer for large messages.',
  },
  {
    name: 'SwitchyardFramesWait',
    expr: `max by (namespace) (${usedShare('switchyard_frames_waiting_bytes', '{$here}')}) > 0.5`,
    for: '0m',
    severity: 'warning',
    summary:
      'Frames that JetStream has not stored fill {{ $value | humanizePercentage }} of their buffer; above it the oldest are dropped.',
    log: 'agent',
  },
  {
    name: 'SwitchyardGatewayWaits',
    expr: `max by (namespace, bound) (${usedShare('switchyard_open_answers', '{bound=~"waits of a Space|waits",$here}')}) > 0.8`,
    for: '2m',
    severity: 'warning',
    summary: '{{ $value | humanizePercentage }} of the allowed blocking requests are open ({{ $labels.bound }}).',
    log: 'gateway',
  },
  {
    name: 'SwitchyardTranscriptsRefused',
    expr: 'sum by (namespace) (increase(switchyard_transcript_reads_refused_total{$here}[10m])) > 0',
    for: '0m',
    severity: 'warning',
    summary: '{{ $value | humanize }} readers of threads waited too long for a transcript.',
    log: 'gateway',
  },
  {
    name: 'SwitchyardHeavySlotsRefused',
    expr: 'sum by (namespace) (increase(switchyard_heavy_slots_refused_total{$here}[10m])) > 0',
    for: '0m',
    severity: 'warning',
    summary: '{{ $value | humanize }} turns were refused because large agents were being read or sent for ten seconds.',
    log: 'agent',
  },
  {
    name: 'SwitchyardEndpointDeliveriesFull',
    expr: 'max by (namespace) (switchyard_endpoint_deliveries_under_way{$here} / switchyard_endpoint_deliveries_limit{$here}) > 0.9',
    for: '15m',
    severity: 'warning',
    summary: 'An event bus uses {{ $value | humanizePercentage }} of its deliveries to endpoints.',
    log: 'event-bus',
  },
  {
    name: 'SwitchyardUpstreamConnectionsFull',
    expr: `max by (namespace, upstream) (${usedShare('switchyard_relay_upstream_connections', '{$here}')}) > 0.8`,
    for: '2m',
    severity: 'warning',
    summary: 'Calls use {{ $value | humanizePercentage }} of the connections to the upstream {{ $labels.upstream }}.',
    log: 'relay',
  },
];
