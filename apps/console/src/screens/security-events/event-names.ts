import type { SecurityEvent } from '@switchyard/client';
import { shortId } from '../../ui/format';
import type { Names } from '../usage/use-names';

const ID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/u;

const textAt = (details: Record<string, unknown>, name: string): string | null => {
  const value = details[name];
  return typeof value === 'string' && value !== '' ? value : null;
};

/** The actor by name: a person, a key, an operator, or the platform itself. */
export function actorName({ actor, actorUserId }: SecurityEvent, names: Names): string {
  if (actor.type === 'machine') return 'Platform';
  if (actor.type === 'key' && actor.id !== undefined) return `Key ${names.key(actor.id)}`;
  if (actor.type === 'operator') return 'Operator';
  const user = actorUserId ?? actor.id;
  return user === undefined ? 'Platform' : names.user(user);
}

/** The name of the object, where the event has it. */
export const writtenName = ({ details }: Pick<SecurityEvent, 'details'>): string | null =>
  textAt(details, 'name') ?? textAt(details, 'email') ?? textAt(details, 'identifier');

/** The object of the event by name, as its kind has one. */
export function targetName(event: SecurityEvent, names: Names): string | null {
  const { action, target } = event;
  const written = writtenName(event);
  if (written !== null || target === null) return written;
  const [kind] = action.split('.');
  // The actor's own session.
  if (kind === 'sign-in') return null;
  if (kind === 'key') return names.key(target);
  if (kind === 'agent') return names.agent(target);
  if (kind === 'member' || kind === 'user') return names.user(target);
  if (kind === 'space') return 'This Space';
  return ID.test(target) ? shortId(target) : target;
}
