import { jsonBytes } from './bytes/json-bytes';

/** Points where tests can kill, stop or fail a process, mostly between an effect and its acknowledgement. */
export const FAILPOINTS = [
  'outbox.committed',
  'outbox.published',
  'outbox.confirming',
  'outbox.queue-claimed',
  'inbox.committed',
  'inbox.confirming',
  'event-bus.recorded',
  'event-bus.dispatched',
  'event-bus.webhook-sent',
  'event-bus.replay-advanced',
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
  'relay.journaled',
  'relay.settled',
  'gateway.refusing',
] as const;
export type Failpoint = (typeof FAILPOINTS)[number];

/** Points where work kills its process each time, if a text in it says so (`poisonFor`). */
export const POISON_POINTS = [
  'agent.starting',
  'agent.turn',
  'dataset.embedding',
  'dataset.import',
  'event-bus.delivering',
  'event-bus.dispatching',
  'inbox.handling',
  'job.attempt',
  'job.callback',
  'task.execution',
  'task.firing',
] as const;
export type PoisonPoint = (typeof POISON_POINTS)[number];

/** Longer values are not searched for poison, which would take longer than the work. */
const POISON_BYTES = 64 * 1024;

/** A text that kills the process at this point. */
export const poisonFor = (name: PoisonPoint): string => `@@poison ${name}@@`;

export const FAILPOINT_ACTIONS = ['kill', 'pause', 'throw', 'delay'] as const;

export interface ArmedFailpoint {
  name: Failpoint;
  /** `kill` and `pause` send a signal to the own process, which cannot be caught. */
  action: (typeof FAILPOINT_ACTIONS)[number];
  /** Number of the hit that acts; the others pass. */
  atHit: number;
  delayMs: number;
}

interface Failpoints {
  readonly hits: Map<Failpoint, number>;
  readonly armed: Map<Failpoint, ArmedFailpoint>;
}

let open: Failpoints | null = null;

/** Only if the configuration enables failpoints, which production refuses. */
export function openFailpoints(): Failpoints {
  open ??= { hits: new Map(), armed: new Map() };
  return open;
}

/** Costs one comparison while failpoints are closed. */
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

/** Costs one comparison while failpoints are closed. */
export function poisonPoint(name: PoisonPoint, value: unknown): void {
  if (open === null || jsonBytes(value, POISON_BYTES) > POISON_BYTES) return;
  if (value !== undefined && JSON.stringify(value).includes(poisonFor(name))) process.kill(process.pid, 'SIGKILL');
}
