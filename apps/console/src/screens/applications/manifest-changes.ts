import type { Manifest } from '@switchyard/client';

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** Describes the changes of an upgrade. An invalid manifest has none. */
export function changesOf(old: Manifest, next: Record<string, unknown>): string[] {
  const changes: string[] = [];
  for (const field of ['name', 'version'] as const)
    if (!same(old[field], next[field])) changes.push(`${field}: ${old[field]} becomes ${String(next[field])}`);
  const before = byName(old.events);
  const after = byName(next['events']);
  for (const name of after.keys()) {
    if (!before.has(name)) changes.push(`event ${name} is added`);
    else changes.push(...changesIn(before.get(name), after.get(name), '').map((change) => `event ${name}: ${change}`));
  }
  for (const name of before.keys()) if (!after.has(name)) changes.push(`event ${name} goes`);
  if (!same(old.subscriptions ?? [], next['subscriptions'] ?? [])) changes.push('default subscriptions change');
  return changes;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isWords = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');

const SHOWN = 60;
const shown = (value: unknown): string => {
  const text = JSON.stringify(value);
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
};

/** Differences within an event: added and removed words of lists, other values as a whole. */
function changesIn(before: unknown, after: unknown, path: string): string[] {
  if (same(before, after)) return [];
  if (isObject(before) && isObject(after)) {
    const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    return names.flatMap((name) => changesIn(before[name], after[name], path === '' ? name : `${path}.${name}`));
  }
  if (before === undefined) return [`${path} is added (${shown(after)})`];
  if (after === undefined) return [`${path} is removed`];
  if (isWords(before) && isWords(after)) {
    const added = after.filter((one) => !before.includes(one)).map((one) => `${path} gets ${shown(one)}`);
    const removed = before.filter((one) => !after.includes(one)).map((one) => `${path} loses ${shown(one)}`);
    if (added.length + removed.length > 0) return [...added, ...removed];
  }
  return [`${path === '' ? 'it' : path} changes from ${shown(before)} to ${shown(after)}`];
}

function byName(events: unknown): Map<string, unknown> {
  const found = new Map<string, unknown>();
  for (const event of Array.isArray(events) ? (events as unknown[]) : [])
    if (typeof event === 'object' && event !== null && 'name' in event) found.set(String(event.name), event);
  return found;
}
