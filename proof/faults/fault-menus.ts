import type { Failpoint } from '@switchyard/kernel';
import type { Fault, NetworkTrouble } from './fault';
import type { FaultMaker, FaultMenu } from './fault-plan';

const times = (count: number, maker: FaultMaker): FaultMaker[] => Array.from({ length: count }, () => maker);

const killing =
  (target: string): FaultMaker =>
  () => ({ kind: 'kill', target });

const at =
  (target: string, name: Failpoint, action: 'kill' | 'throw' = 'kill'): FaultMaker =>
  (random) => ({ kind: 'failpoint', target, name, action, atHit: random.between(1, 20) });

const TROUBLES: readonly NetworkTrouble[] = ['swallow', 'halfOpen', 'reset', 'refuse', 'slow'];

/** Of Redis only gateway and key ask something, and they have no wires. */
const network =
  (targets: readonly string[]): FaultMaker =>
  (random) => ({
    kind: 'network',
    target: random.pick(targets),
    server: random.pick(['nats', 'postgres'] as const),
    trouble: random.pick(TROUBLES),
    forMs: random.between(500, 12_000),
  });

const pausing =
  (targets: readonly string[], maxMs: number): FaultMaker =>
  (random) => ({ kind: 'pause', target: random.pick(targets), forMs: random.between(500, maxMs) });

const servers: FaultMaker[] = [
  ...times(2, killing('nats')),
  killing('redis'),
  (random) => ({ kind: 'nats-away', forMs: random.between(500, 3000) }),
  () => ({ kind: 'nats-wiped' }),
  () => ({ kind: 'postgres-restart' }),
  () => ({ kind: 'connections-cut' }),
  () => ({ kind: 'redis-emptied' }),
];

const EMISSION_POINTS: readonly (readonly [string, Failpoint])[] = [
  ['event-bus', 'event-bus.recorded'],
  ['event-bus', 'event-bus.dispatched'],
  ['event-bus', 'outbox.committed'],
  ['event-bus', 'outbox.published'],
  ['event-bus', 'outbox.confirming'],
  ['event-bus', 'inbox.committed'],
  ['task', 'inbox.committed'],
  ['task', 'inbox.confirming'],
  ['task', 'outbox.committed'],
  ['task', 'leases.claimed'],
  ['task', 'task.ending'],
];

/** For emissions and the executions that they start. */
export const emissionMenu: FaultMenu = {
  makers: [
    ...times(5, killing('event-bus')),
    ...times(5, killing('task')),
    ...times(2, killing('gateway')),
    killing('key'),
    ...servers,
    pausing(['event-bus', 'task', 'nats', 'redis'], 4000),
    ...times(2, (random) => ({ kind: 'duplicates', rows: random.between(50, 200) })),
    ...times(2, network(['event-bus', 'task'])),
    ...times(4, (random) => at(...random.pick(EMISSION_POINTS))(random)),
    (random) => at('task', random.pick(['task.ending', 'inbox.committed'] as const), 'throw')(random),
    (random) => ({ kind: 'stop', target: random.pick(['event-bus', 'task']) }),
  ],
  always: [
    { kind: 'kill', target: 'event-bus' },
    { kind: 'kill', target: 'task' },
    { kind: 'nats-wiped' },
    { kind: 'duplicates', rows: 100 },
    { kind: 'postgres-restart' },
    ...EMISSION_POINTS.map(([target, name], index): Fault => ({
      kind: 'failpoint',
      target,
      name,
      action: 'kill',
      atHit: 1 + (index % 3),
    })),
    { kind: 'network', target: 'task', server: 'postgres', trouble: 'halfOpen', forMs: 3000 },
    { kind: 'network', target: 'event-bus', server: 'nats', trouble: 'swallow', forMs: 12_000 },
    // Its connections stay open: emissions are accepted over the internal ports meanwhile.
    { kind: 'pause', target: 'nats', forMs: 20_000 },
    { kind: 'freeze', target: 'task', name: 'task.ending', atHit: 1, forMs: 38_000 },
  ],
};

const CHAT_POINTS: readonly (readonly [string, Failpoint])[] = [
  ['agent', 'agent.turn-opened'],
  ['agent', 'agent.model-answered'],
  ['agent', 'agent.closing'],
  ['agent', 'agent.closed'],
  ['session', 'session.turn-closed'],
  ['session', 'session.turns-claimed'],
  ['relay', 'relay.reserved'],
  ['relay', 'relay.answered'],
  ['relay', 'relay.settled'],
];

/** For turns: agents, sessions, the relay and the door. Of agent and relay there are two. */
export const chatMenu: FaultMenu = {
  makers: [
    ...times(5, killing('agent')),
    ...times(5, killing('agent-2')),
    ...times(2, killing('session')),
    ...times(2, killing('relay')),
    killing('relay-2'),
    ...times(3, killing('gateway')),
    killing('key'),
    ...servers.filter((maker) => maker !== servers[4]),
    pausing(['agent', 'agent-2', 'session', 'relay', 'nats', 'redis'], 5000),
    ...times(2, network(['agent', 'session', 'relay'])),
    ...times(5, (random) => at(...random.pick(CHAT_POINTS))(random)),
    (random) => ({ kind: 'stop', target: random.pick(['agent', 'session', 'relay', 'gateway']) }),
  ],
  always: [
    { kind: 'kill', target: 'agent' },
    { kind: 'kill', target: 'session' },
    { kind: 'kill', target: 'relay' },
    { kind: 'kill', target: 'gateway' },
    ...CHAT_POINTS.map(([target, name], index): Fault => ({
      kind: 'failpoint',
      target,
      name,
      action: 'kill',
      atHit: 1 + (index % 2),
    })),
    { kind: 'kill', target: 'nats' },
    { kind: 'postgres-restart' },
    // Longer than a turn's lease: who wakes finds its turns in other hands.
    { kind: 'pause', target: 'agent-2', forMs: 13_000 },
    { kind: 'network', target: 'agent', server: 'nats', trouble: 'swallow', forMs: 12_000 },
    { kind: 'network', target: 'session', server: 'postgres', trouble: 'halfOpen', forMs: 3000 },
    { kind: 'network', target: 'relay', server: 'postgres', trouble: 'halfOpen', forMs: 3000 },
    { kind: 'nats-wiped' },
  ],
};

const JOB_POINTS: readonly (readonly [string, Failpoint])[] = [
  ['job', 'leases.claimed'],
  ['job', 'job.turn-done'],
  ['job', 'job.waiting'],
  ['job', 'job.callback-sent'],
];

/** For jobs and their turns. Of the job service there are two. */
export const jobMenu: FaultMenu = {
  makers: [
    ...times(4, killing('job')),
    ...times(3, killing('job-2')),
    ...times(2, killing('agent')),
    killing('session'),
    killing('relay'),
    killing('gateway'),
    ...servers,
    pausing(['job', 'agent', 'nats', 'redis'], 5000),
    ...times(2, network(['job', 'agent'])),
    ...times(3, (random) => at(...random.pick(JOB_POINTS))(random)),
    (random) => ({ kind: 'stop', target: random.pick(['job', 'agent']) }),
  ],
  always: [
    { kind: 'kill', target: 'job' },
    ...[1, 2].flatMap((atHit) =>
      JOB_POINTS.map(([target, name]): Fault => ({ kind: 'failpoint', target, name, action: 'kill', atHit })),
    ),
    { kind: 'freeze', target: 'job', name: 'job.turn-done', atHit: 1, forMs: 38_000 },
    { kind: 'kill', target: 'agent' },
    { kind: 'network', target: 'job', server: 'postgres', trouble: 'halfOpen', forMs: 3000 },
    { kind: 'nats-wiped' },
    { kind: 'postgres-restart' },
  ],
};

const APPROVAL_POINTS: readonly (readonly [string, Failpoint])[] = [
  ['agent', 'agent.answer-taken'],
  ['agent', 'agent.model-answered'],
  ['agent', 'agent.closing'],
  ['session', 'session.turn-closed'],
  ['relay', 'relay.reserved'],
  ['relay', 'relay.settled'],
];

/** For calls that need an approval, the secrets that they carry and the keys that pay for them. */
export const approvalMenu: FaultMenu = {
  makers: [
    ...times(6, at('agent', 'agent.answer-taken')),
    ...times(4, killing('agent')),
    ...times(3, killing('agent-2')),
    ...times(2, killing('session')),
    ...times(2, killing('relay')),
    ...times(2, killing('dataset')),
    killing('gateway'),
    killing('key'),
    ...servers.filter((maker) => maker !== servers[4]),
    pausing(['agent', 'session', 'key', 'nats', 'redis'], 5000),
    network(['agent', 'session']),
    ...times(3, (random) => at(...random.pick(APPROVAL_POINTS))(random)),
  ],
  always: [
    { kind: 'failpoint', target: 'agent', name: 'agent.answer-taken', action: 'kill', atHit: 1 },
    { kind: 'failpoint', target: 'agent', name: 'agent.answer-taken', action: 'kill', atHit: 2 },
    { kind: 'kill', target: 'agent' },
    { kind: 'kill', target: 'session' },
    { kind: 'kill', target: 'relay' },
    { kind: 'kill', target: 'key' },
    { kind: 'postgres-restart' },
    ...APPROVAL_POINTS.map(([target, name]): Fault => ({ kind: 'failpoint', target, name, action: 'kill', atHit: 3 })),
    { kind: 'kill', target: 'nats' },
    { kind: 'kill', target: 'dataset' },
    { kind: 'kill', target: 'gateway' },
  ],
};
