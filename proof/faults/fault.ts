import type { Failpoint } from '@switchyard/kernel';

export type NetworkTrouble = 'swallow' | 'halfOpen' | 'reset' | 'refuse' | 'slow';

/** Something that goes wrong. `target` names a process: a service, a further replica of one, or a server. */
export type Fault =
  | { kind: 'kill'; target: string }
  | { kind: 'stop'; target: string }
  | { kind: 'pause'; target: string; forMs: number }
  | { kind: 'failpoint'; target: string; name: Failpoint; action: 'kill' | 'throw'; atHit: number }
  /** Stops where it stands at a named place, for longer than a lease, and then goes on from there. */
  | { kind: 'freeze'; target: string; name: Failpoint; atHit: number; forMs: number }
  | { kind: 'network'; target: string; server: 'nats' | 'postgres'; trouble: NetworkTrouble; forMs: number }
  | { kind: 'nats-away'; forMs: number }
  | { kind: 'nats-wiped' }
  | { kind: 'postgres-restart' }
  | { kind: 'connections-cut' }
  | { kind: 'redis-emptied' }
  | { kind: 'duplicates'; rows: number };

export function nameOfFault(fault: Fault): string {
  switch (fault.kind) {
    case 'failpoint':
      return `${fault.action} ${fault.target} at ${fault.name}`;
    case 'freeze':
      return `freeze ${fault.target} at ${fault.name}`;
    case 'network':
      return `network ${fault.trouble} ${fault.target}-${fault.server}`;
    default:
      return 'target' in fault ? `${fault.kind} ${fault.target}` : fault.kind;
  }
}

/** Whether it ends a process without warning: what the count of kills is about. */
export const isKill = (name: string): boolean => name.startsWith('kill') || name === 'postgres-restart';
