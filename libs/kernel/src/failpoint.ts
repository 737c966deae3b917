import { jsonBytes } from './bytes/json-bytes';

/** The places where a proof may end, stop or fail a process: after an effect and before the word of it, mostly. */
export const FAILPOINTS = [
  'outbox.committed',
  'outbox.published',
  'outbox.confirming',
  'outbox.queue-claimed',
  'inbox.committed',
  'inbox.confirming',
  'event-bus.recorded',
  'event-bus.dispatched',
  'event-bus.install-prepared',
  'event-bus.install-keyed',
  'event-bus.install-committed',
  'event-bus.upgrade-prepared',
  'event-bus.upgrade-committed',
  'event-bus.uninstall-planned',
  'event-bus.uninstall-revoked',
  'event-bus.uninstall-committed',
  'event-bus.key-rotated',
  'key.credit-recorded',
  'key.credit-booked',
  'leases.claimed',
  'task.step-done',
  'task.ending',
  'task.waiting',
  'job.turn-done',
  'job.waiting',
  'job.callback-sent',
  'agent.turn-opened',
  'agent.model-answered',
  'agent.speaking',
  'agent.tool-done',
  'agent.answer-taken',
  'agent.taking-over',
  'agent.closing',
  'agent.closed',
  'session.turn-closed',
  'session.turns-claimed',
  'relay.reserved',
  'relay.answered',
  'relay.settled',
  'gateway.refusing',
] as const;
export type Failpoint = (typeof FAILPOINTS)[number];

/** Where a proof plants work that ends its process: whatever says so of itself, in a text of its own, kills there each time. */
export const POISON_POINTS = [
  'agent.starting',
  'agent.turn',
  'dataset.embedding',
  'dataset.import',
  'event-bus.dispatching',
  'inbox.handling',
  'job.attempt',
  'job.callback',
  'task.execution',
  'task.firing',
] as const;
export type PoisonPoint = (typeof POISON_POINTS)[number];

/** Longer values are no poison: to look for it would take longer than the work. */
const POISON_BYTES = 64 * 1024;

/** The text that makes a value poison at a place. */
export const poisonFor = (name: PoisonPoint): string => `@@poison ${name}@@`;

export const FAILPOINT_ACTIONS = ['kill', 'pause', 'throw', 'delay'] as const;

export interface ArmedFailpoint {
  name: Failpoint;
  /** `kill` and `pause` are signals that the process sends itself: nothing can catch them. */
  action: (typeof FAILPOINT_ACTIONS)[number];
  /** Which of the coming hits it is that acts; the others pass. */
  atHit: number;
  delayMs: number;
}

interface Failpoints {
  readonly hits: Map<Failpoint, number>;
  readonly armed: Map<Failpoint, ArmedFailpoint>;
}

let open: Failpoints | null = null;

/** Only a process that was told so by its configuration, which refuses it in production, has failpoints at all. */
export function openFailpoints(): Failpoints {
  open ??= { hits: new Map(), armed: new Map() };
  return open;
}

/** Costs a comparison where failpoints are not open, which is everywhere but in proofs. */
export const failpoint = (name: Failpoint): Promise<void> | undefined => (open === null ? undefined : hit(open, name));

async function hit({ hits, armed }: Failpoints, name: Failpoint): Promise<void> {
  hits.set(name, (hits.get(name) ?? 0) + 1);
  const order = armed.get(name);
  if (!order) return;
  order.atHit -= 1;
  if (order.atHit > 0) return;
  armed.delete(name);
  switch (order.action) {
    case 'kill':
      process.kill(process.pid, 'SIGKILL');
      return new Promise(() => undefined);
    case 'pause':
      process.kill(process.pid, 'SIGSTOP');
      return;
    case 'throw':
      throw new Error(`the failpoint ${name} was told to throw`);
    case 'delay':
      await new Promise((resolve) => setTimeout(resolve, order.delayMs));
  }
}

/** Costs a comparison where failpoints are not open. */
export function poisonPoint(name: PoisonPoint, value: unknown): void {
  if (open === null || jsonBytes(value, POISON_BYTES) > POISON_BYTES) return;
  if (value !== undefined && JSON.stringify(value).includes(poisonFor(name))) process.kill(process.pid, 'SIGKILL');
}
