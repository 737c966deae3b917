import { Random } from './random';

export const KILLABLE = ['event-bus', 'task', 'gateway', 'key'] as const;
export type Killable = (typeof KILLABLE)[number];

export type Fault =
  | { kind: 'kill'; target: Killable | 'nats' | 'redis' }
  | { kind: 'pause'; target: 'event-bus' | 'task' | 'nats' | 'redis'; forMs: number }
  | { kind: 'nats-away'; forMs: number }
  | { kind: 'nats-wiped' }
  | { kind: 'postgres-restart' }
  | { kind: 'connections-cut' }
  | { kind: 'duplicates'; rows: number };

export interface PlannedFault {
  /** Counted in emissions that were accepted, so that a slow machine meets the same faults at the same work. */
  afterAccepted: number;
  fault: Fault;
}

/** The more often one is named, the more often it happens. */
const makers: ((random: Random) => Fault)[] = [
  ...Array.from({ length: 5 }, () => (): Fault => ({ kind: 'kill', target: 'event-bus' })),
  ...Array.from({ length: 5 }, () => (): Fault => ({ kind: 'kill', target: 'task' })),
  ...Array.from({ length: 2 }, () => (): Fault => ({ kind: 'kill', target: 'gateway' })),
  () => ({ kind: 'kill', target: 'key' }),
  () => ({ kind: 'kill', target: 'nats' }),
  () => ({ kind: 'kill', target: 'nats' }),
  () => ({ kind: 'kill', target: 'redis' }),
  (random) => ({
    kind: 'pause',
    target: random.pick(['event-bus', 'task', 'nats', 'redis'] as const),
    forMs: random.between(500, 4000),
  }),
  (random) => ({ kind: 'nats-away', forMs: random.between(500, 3000) }),
  () => ({ kind: 'nats-wiped' }),
  () => ({ kind: 'postgres-restart' }),
  () => ({ kind: 'connections-cut' }),
  (random) => ({ kind: 'duplicates', rows: random.between(50, 200) }),
  (random) => ({ kind: 'duplicates', rows: random.between(50, 200) }),
];

/** The faults that any run must have met to prove something. */
const always: Fault[] = [
  { kind: 'kill', target: 'event-bus' },
  { kind: 'kill', target: 'task' },
  { kind: 'nats-wiped' },
  { kind: 'duplicates', rows: 100 },
  { kind: 'postgres-restart' },
];

/** Spreads `count` faults over the accepted emissions of a run. */
export function planFaults(random: Random, count: number, emissions: number): PlannedFault[] {
  const faults = Array.from({ length: count }, (_, index) => always[index] ?? random.pick(makers)(random));
  const places = faults
    .map(() => random.between(Math.floor(emissions * 0.05), Math.floor(emissions * 0.95)))
    .sort((a, b) => a - b);
  const shuffled = faults.map((fault) => ({ fault, at: random.next() })).sort((a, b) => a.at - b.at);
  return shuffled.map(({ fault }, index) => ({ afterAccepted: places[index] ?? 0, fault }));
}
