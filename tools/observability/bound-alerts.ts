import { SERVICES } from '../launcher/service-names';
import { sizeOf } from '../launcher/services/service-size';
import type { Alert } from './alert';
import { usedShare } from './either-name';

/** The kernel ends a container at its limit: somebody should hear before. */
const MEMORY_SHARE = 0.9;
const MIB = 1024 * 1024;

const nearItsLimit = SERVICES.map(
  (service) =>
    `max by (service) (process_resident_memory_bytes{job="switchyard",service="${service}"}) > ${Math.floor(sizeOf(service).memoryLimitMi * MIB * MEMORY_SHARE)}`,
).join(' or ');

/** Bounds that keep one Space from taking what others need: an alert before each is reached, or when it refuses. */
export const BOUND_ALERTS: readonly Alert[] = [
  {
    name: 'SwitchyardMemoryNearLimit',
    expr: nearItsLimit,
    for: '5m',
    severity: 'ticket',
    summary: 'A process of {{ $labels.service }} uses {{ $value | humanize1024 }}B, over 90% of its memory limit.',
  },
  {
    name: 'SwitchyardEventLoopStalls',
    expr: 'sum by (service) (increase(switchyard_event_loop_stalls_total[15m])) > 3',
    for: '0m',
    severity: 'ticket',
    summary: '{{ $labels.service }} blocked its event loop {{ $value | humanize }} times; the log has the stacks.',
  },
  {
    name: 'SwitchyardGatewayBytesInFlight',
    expr: 'max by (bound) (switchyard_bytes_in_flight / switchyard_bytes_in_flight_limit) > 0.8',
    for: '2m',
    severity: 'ticket',
    summary: 'A gateway uses {{ $value | humanizePercentage }} of its request bytes ({{ $labels.bound }}).',
  },
  {
    name: 'SwitchyardGatewayConnections',
    // That a key or a Space comes near its own bound concerns itself alone.
    expr: 'max by (bound) (switchyard_connections_open{bound!~"credential|space"} / switchyard_connections_limit) > 0.8',
    for: '2m',
    severity: 'ticket',
    summary: 'A gateway uses {{ $value | humanizePercentage }} of its connections ({{ $labels.bound }}).',
  },
  {
    name: 'SwitchyardGatewayUnreadAnswers',
    expr: 'max by (bound) (switchyard_unread_answer_bytes / switchyard_unread_answer_bytes_limit) > 0.8',
    for: '2m',
    severity: 'ticket',
    summary: 'A gateway uses {{ $value | humanizePercentage }} of the buffer for unread answers ({{ $labels.bound }}).',
  },
  {
    name: 'SwitchyardPoolRefuses',
    expr: 'sum by (service) (increase(switchyard_database_pool{measure="refused"}[10m])) > 0',
    for: '0m',
    severity: 'ticket',
    summary: '{{ $labels.service }} refused {{ $value | humanize }} requests that waited too long for a connection.',
  },
  {
    name: 'SwitchyardWorkersFull',
    expr: 'max by (service) (switchyard_workers_busy / switchyard_workers_limit) > 0.9',
    for: '15m',
    severity: 'ticket',
    summary:
      '{{ $value | humanizePercentage }} of the workers of a {{ $labels.service }} process have been busy for 15 minutes.',
  },
  {
    name: 'SwitchyardTurnPlacesFull',
    expr: `max by (kind) (${usedShare('switchyard_turn_slots')}) > 0.8`,
    for: '2m',
    severity: 'ticket',
    summary: '{{ $value | humanizePercentage }} of the {{ $labels.kind }} turn slots of a process are in use.',
  },
  {
    name: 'SwitchyardBusPartsFull',
    expr: `max by (service) (${usedShare('switchyard_bus_parts')}) > 0.8`,
    for: '2m',
    severity: 'ticket',
    summary: '{{ $labels.service }} uses {{ $value | humanizePercentage }} of its buffer for large messages.',
  },
  {
    name: 'SwitchyardFramesWait',
    expr: `max(${usedShare('switchyard_frames_waiting_bytes')}) > 0.5`,
    for: '0m',
    severity: 'ticket',
    summary:
      'Frames that JetStream has not stored fill {{ $value | humanizePercentage }} of their buffer; above it the oldest are dropped.',
  },
  {
    name: 'SwitchyardGatewayWaits',
    expr: `max by (bound) (${usedShare('switchyard_open_answers', 'bound=~"waits of a Space|waits"')}) > 0.8`,
    for: '2m',
    severity: 'ticket',
    summary: '{{ $value | humanizePercentage }} of the allowed blocking requests are open ({{ $labels.bound }}).',
  },
  {
    name: 'SwitchyardTranscriptsRefused',
    expr: 'sum(increase(switchyard_transcripts_read{measure="refused"}[10m])) > 0',
    for: '0m',
    severity: 'ticket',
    summary: '{{ $value | humanize }} readers of threads waited too long for a transcript.',
  },
  {
    name: 'SwitchyardHeavySlotsRefused',
    expr: 'sum(increase(switchyard_heavy_slots{measure="refused"}[10m])) > 0',
    for: '0m',
    severity: 'ticket',
    summary: '{{ $value | humanize }} turns were refused because large agents were being read or sent for ten seconds.',
  },
  {
    name: 'SwitchyardUpstreamConnectionsFull',
    expr: `max by (upstream) (${usedShare('switchyard_relay_upstream_connections')}) > 0.8`,
    for: '2m',
    severity: 'ticket',
    summary: 'Calls use {{ $value | humanizePercentage }} of the connections to the upstream {{ $labels.upstream }}.',
  },
];
