import * as contracts from '@switchyard/contracts';
import type { EventContract } from '@switchyard/contracts';

export interface NamedEvent {
  /** As sources name it: `TaskEvents.removed`. */
  name: string;
  event: EventContract;
}

const isEvent = (value: unknown): value is EventContract =>
  typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'event';

export const namedEvents = (): NamedEvent[] =>
  Object.entries(contracts).flatMap(([group, members]) =>
    typeof members === 'object'
      ? Object.entries(members).flatMap(([key, event]) => (isEvent(event) ? [{ name: `${group}.${key}`, event }] : []))
      : [],
  );

/** Triggers of the database write these; `platform-events.spec.ts` says which. */
const isWrittenByTrigger = (subject: string): boolean => subject.endsWith('.platform-change');

/** Events that no code of their service announces, and names that do not begin with the service. */
export function eventFaults(events: readonly NamedEvent[], textOf: (service: string) => string): string[] {
  return events.flatMap(({ name, event: { name: subject, source } }) => [
    ...(subject.startsWith(`${source}.`) ? [] : [`${name}: its name ${subject} must begin with its source ${source}`]),
    ...(isWrittenByTrigger(subject) ||
    new RegExp(`\\bannounce\\(\\s*${name.replace('.', '\\.')}\\b`, 'u').test(textOf(source))
      ? []
      : [`${name}: ${source} never announces it, so its consumers wait for nothing`]),
  ]);
}
