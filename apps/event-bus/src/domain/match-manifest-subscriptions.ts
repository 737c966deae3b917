import type { ManifestSubscription, SubscriptionOrigin } from '@switchyard/contracts';
import { type JsonObject, canonicalJson } from '@switchyard/kernel';

/** A subscription that a manifest brought, as it is stored. */
export interface ExistingDefault {
  id: string;
  defaultKey: string;
  event: string;
  taskId: string;
  /** Whether the task came with the application, too. */
  bringsTask: boolean;
  origin: SubscriptionOrigin;
  filter: JsonObject | null;
  active: boolean;
}

interface Matched {
  entry: ManifestSubscription;
  defaultKey: string;
  existing: ExistingDefault | undefined;
}

/**
 * Which entry of a manifest is which default. An entry is known by its event and its task: by the task's id, or by the
 * name of the task that it brings. Where such a task has a new name, the entry is the next default of its event whose
 * task the manifest does not name any more.
 */
export function knowAgain(
  declared: readonly ManifestSubscription[],
  existing: readonly ExistingDefault[],
): { entries: Matched[]; orphans: ExistingDefault[] } {
  const rest = new Map(existing.map((item) => [item.defaultKey, item]));
  const take = (item: ExistingDefault | undefined): ExistingDefault | undefined => {
    if (item) rest.delete(item.defaultKey);
    return item;
  };
  const byName = keyed(declared).map(([defaultKey, entry]) => ({
    entry,
    defaultKey,
    existing: take(rest.get(defaultKey)),
  }));
  const entries = byName.map((item) => {
    if (item.existing || !item.entry.task) return item;
    const next = [...rest.values()].find(({ event, bringsTask }) => bringsTask && event === item.entry.event);
    return { ...item, existing: take(next) };
  });
  return { entries, orphans: [...rest.values()] };
}

/** Equal entries are told apart by their order. */
function keyed(declared: readonly ManifestSubscription[]): [string, ManifestSubscription][] {
  const seen = new Map<string, number>();
  return declared.map((entry) => {
    const name = canonicalJson([entry.event, entry.taskId ?? null, entry.task?.['name'] ?? null]);
    const count = seen.get(name) ?? 0;
    seen.set(name, count + 1);
    return [count === 0 ? name : `${name}#${count}`, entry];
  });
}
