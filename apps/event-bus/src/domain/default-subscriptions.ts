import { type DefaultTask, type ManifestSubscription, type SubscriptionOrigin } from '@switchyard/contracts';
import { type JsonObject, canonicalJson } from '@switchyard/kernel';

/** A subscription that a manifest brought, as it is stored. */
export interface KnownDefault {
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

export interface NewDefault {
  id: string;
  defaultKey: string;
  event: string;
  taskId: string;
  bringsTask: boolean;
  filter: JsonObject | null;
  active: boolean;
}

export interface DefaultsPlan {
  create: NewDefault[];
  change: { id: string; filter: JsonObject | null; active: boolean }[];
  remove: string[];
  ensureTasks: DefaultTask[];
  removeTasks: string[];
  releaseTasks: string[];
}

interface Given {
  wanted: readonly ManifestSubscription[];
  known: readonly KnownDefault[];
  /** Tasks that subscriptions of the user start. */
  tasksOfUser: ReadonlySet<string>;
  newId: () => string;
}

/**
 * How default subscriptions and their tasks follow a manifest; an empty one takes all of them away. What a user has
 * changed is the user's from then on: it is neither changed nor removed nor made a second time, and neither is a
 * task that it starts.
 */
export function planDefaults({ wanted, known, tasksOfUser, newId }: Given): DefaultsPlan {
  const plan: DefaultsPlan = { create: [], change: [], remove: [], ensureTasks: [], removeTasks: [], releaseTasks: [] };
  const byKey = new Map(known.map((item) => [item.defaultKey, item]));
  for (const [defaultKey, entry] of keyed(wanted)) {
    const filter = entry.filter ?? null;
    const active = entry.active ?? true;
    const existing = byKey.get(defaultKey);
    byKey.delete(defaultKey);
    if (existing?.origin === 'USER') continue;
    const taskId = existing?.taskId ?? entry.taskId ?? newId();
    if (entry.task) plan.ensureTasks.push({ taskId, body: { ...entry.task, type: 'EVENT' } });
    if (!existing) {
      plan.create.push({
        id: newId(),
        defaultKey,
        event: entry.event,
        taskId,
        bringsTask: entry.task !== undefined,
        filter,
        active,
      });
    } else if (existing.active !== active || canonicalJson(existing.filter) !== canonicalJson(filter)) {
      plan.change.push({ id: existing.id, filter, active });
    }
  }
  for (const orphan of byKey.values()) {
    if (orphan.origin === 'DEFAULT') plan.remove.push(orphan.id);
    if (!orphan.bringsTask) continue;
    const keep = orphan.origin === 'USER' || tasksOfUser.has(orphan.taskId);
    (keep ? plan.releaseTasks : plan.removeTasks).push(orphan.taskId);
  }
  return plan;
}

/** An entry is known again by its event and its task; of equal ones, by their order. */
function keyed(wanted: readonly ManifestSubscription[]): [string, ManifestSubscription][] {
  const seen = new Map<string, number>();
  return wanted.map((entry) => {
    const name = canonicalJson([entry.event, entry.taskId ?? null, entry.task?.['name'] ?? null]);
    const count = seen.get(name) ?? 0;
    seen.set(name, count + 1);
    return [count === 0 ? name : `${name}#${count}`, entry];
  });
}
