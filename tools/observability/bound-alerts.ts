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
    summary:
      'A process of {{ $labels.service }} takes {{ $value | humanize1024 }}B, nearly all that its container may.',
    runbook: 'the-event-loop-stalls-or-memory-is-short',
  },
  {
    name: 'SwitchyardEventLoopStalls',
    expr: 'sum by (service) (increase(switchyard_event_loop_stalls_total[15m])) > 3',
    for: '0m',
    severity: 'ticket',
    summary: '{{ $labels.service }} held its event loop {{ $value | humanize }} times; its log has the stacks.',
    runbook: 'the-event-loop-stalls-or-memory-is-short',
  },
  {
    name: 'SwitchyardGatewayBytesInFlight',
    expr: 'max by (bound) (switchyard_bytes_in_flight / switchyard_bytes_in_flight_limit) > 0.8',
    for: '2m',
    severity: 'ticket',
    summary: 'A gateway holds {{ $value | humanizePercentage }} of the bytes it may hold ({{ $labels.bound }}).',
    runbook: 'the-gateway-is-full',
  },
  {
    name: 'SwitchyardGatewayConnections',
    // That a key or a Space comes near its own bound concerns itself alone.
    expr: 'max by (bound) (switchyard_connections_open{bound!~"credential|space"} / switchyard_connections_limit) > 0.8',
    for: '2m',
    severity: 'ticket',
    summary: 'A gateway keeps {{ $value | humanizePercentage }} of the connections it may keep ({{ $labels.bound }}).',
    runbook: 'the-gateway-is-full',
  },
  {
    name: 'SwitchyardGatewayUnreadAnswers',
    expr: 'max by (bound) (switchyard_unread_answer_bytes / switchyard_unread_answer_bytes_limit) > 0.8',
    for: '2m',
    severity: 'ticket',
    summary:
      'A gateway holds {{ $value | humanizePercentage }} of the bytes of answers that clients may leave unread ({{ $labels.bound }}).',
    runbook: 'the-gateway-is-full',
  },
  {
    name: 'SwitchyardPoolRefuses',
    expr: 'sum by (service) (increase(switchyard_database_pool{measure="refused"}[10m])) > 0',
    for: '0m',
    severity: 'ticket',
    summary: '{{ $labels.service }} refused {{ $value | humanize }} requests that waited too long for a connection.',
    runbook: 'requests-fail-or-are-slow',
  },
  {
    name: 'SwitchyardWorkersFull',
    expr: 'max by (service) (switchyard_workers_busy / switchyard_workers_limit) > 0.9',
    for: '15m',
    severity: 'ticket',
    summary:
      '{{ $value | humanizePercentage }} of the places of a {{ $labels.service }} process have been in use for long.',
    runbook: 'work-waits',
  },
  {
    name: 'SwitchyardTurnPlacesFull',
    expr: `max by (kind) (${usedShare('switchyard_turn_slots')}) > 0.8`,
    for: '2m',
    severity: 'ticket',
    summary: '{{ $value | humanizePercentage }} of the {{ $labels.kind }} places for turns of a process are in use.',
    runbook: 'turns-are-refused-or-wait',
  },
  {
    name: 'SwitchyardBusPartsFull',
    expr: `max by (service) (${usedShare('switchyard_bus_parts')}) > 0.8`,
    for: '2m',
    severity: 'ticket',
    summary: '{{ $labels.service }} holds {{ $value | humanizePercentage }} of what it may of large messages.',
    runbook: 'limits-of-the-bus',
  },
  {
    name: 'SwitchyardFramesWait',
    expr: `max(${usedShare('switchyard_frames_waiting_bytes')}) > 0.5`,
    for: '0m',
    severity: 'ticket',
    summary:
      'Frames that JetStream does not take fill {{ $value | humanizePercentage }} of their memory; over it the oldest go.',
    runbook: 'limits-of-the-bus',
  },
  {
    name: 'SwitchyardGatewayWaits',
    expr: `max by (bound) (${usedShare('switchyard_open_answers', 'bound=~"waits of a Space|waits"')}) > 0.8`,
    for: '2m',
    severity: 'ticket',
    summary: '{{ $value | humanizePercentage }} of the answers that may be waited for are ({{ $labels.bound }}).',
    runbook: 'the-gateway-is-full',
  },
  {
    name: 'SwitchyardTranscriptsRefused',
    expr: 'sum(increase(switchyard_transcripts_read{measure="refused"}[10m])) > 0',
    for: '0m',
    severity: 'ticket',
    summary: '{{ $value | humanize }} readers of threads waited too long for a transcript.',
    runbook: 'the-gateway-is-full',
  },
  {
    name: 'SwitchyardUpstreamConnectionsFull',
    expr: `max by (upstream) (${usedShare('switchyard_relay_upstream_connections')}) > 0.8`,
    for: '2m',
    severity: 'ticket',
    summary: 'Calls hold {{ $value | humanizePercentage }} of the connections to the upstream {{ $labels.upstream }}.',
    runbook: 'models-fail',
  },
];
