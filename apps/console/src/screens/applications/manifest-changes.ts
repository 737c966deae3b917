import type { Manifest } from '@switchyard/client';

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** What an upgrade would change, in words. What is no manifest at all has nothing to compare. */
export function changesOf(old: Manifest, next: Record<string, unknown>): string[] {
  const changes: string[] = [];
  for (const field of ['name', 'version'] as const)
    if (!same(old[field], next[field])) changes.push(`${field}: ${old[field]} becomes ${String(next[field])}`);
  const before = byName(old.events);
  const after = byName(next['events']);
  for (const name of after.keys()) {
    if (!before.has(name)) changes.push(`event ${name} is added`);
    else if (!same(before.get(name), after.get(name))) changes.push(`event ${name} changes`);
  }
  for (const name of before.keys()) if (!after.has(name)) changes.push(`event ${name} goes`);
  if (!same(old.subscriptions ?? [], next['subscriptions'] ?? [])) changes.push('default subscriptions change');
  return changes;
}

function byName(events: unknown): Map<string, unknown> {
  const found = new Map<string, unknown>();
  for (const event of Array.isArray(events) ? (events as unknown[]) : [])
    if (typeof event === 'object' && event !== null && 'name' in event) found.set(String(event.name), event);
  return found;
}
