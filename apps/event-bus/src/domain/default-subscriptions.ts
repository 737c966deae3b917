import type { DefaultTask, ManifestSubscription } from '@switchyard/contracts';
import { type JsonObject, canonicalJson } from '@switchyard/kernel';
import { type ExistingDefault, knowAgain } from './match-manifest-subscriptions';

export interface NewDefault {
  id: string;
  defaultKey: string;
  event: string;
  taskId: string;
  bringsTask: boolean;
  filter: JsonObject | null;
  active: boolean;
}

interface ChangedDefault {
  id: string;
  defaultKey: string;
  filter: JsonObject | null;
  active: boolean;
}

export interface DefaultsPlan {
  create: NewDefault[];
  change: ChangedDefault[];
  /** The user's, under the name that the manifest has for them now. */
  rename: { id: string; defaultKey: string }[];
  /** The user's from now on: the user has changed the task that they brought. */
  take: string[];
  remove: string[];
  /** Of those, the ones whose task goes as well. */
  goWithTask: { id: string; taskId: string }[];
  ensureTasks: DefaultTask[];
  removeTasks: string[];
  releaseTasks: string[];
}

/** State of the tasks that defaults created. */
export interface BroughtTasks {
  taken: ReadonlySet<string>;
  deleted: ReadonlySet<string>;
}

interface InstallationState {
  declared: readonly ManifestSubscription[];
  existing: readonly ExistingDefault[];
  brought: BroughtTasks;
  /** Tasks that subscriptions of the user start. */
  tasksOfUser: ReadonlySet<string>;
  newId: () => string;
}

/**
 * How default subscriptions and their tasks follow a manifest; an empty one takes all of them away. A subscription or
 * task that a user has changed belongs to the user: it is not changed, removed or created again, nor is a task that it
 * starts. A default whose task was deleted is created again.
 */
export function planDefaults({
  declared,
  existing: known,
  brought,
  tasksOfUser,
  newId,
}: InstallationState): DefaultsPlan {
  const isDeleted = ({ taskId }: ExistingDefault): boolean => brought.deleted.has(taskId);
  const isOfUser = ({ origin, taskId }: ExistingDefault): boolean => origin === 'USER' || brought.taken.has(taskId);
  const { entries, orphans } = knowAgain(
    declared,
    known.filter((item) => !isDeleted(item)),
  );
  const plan: DefaultsPlan = {
    create: [],
    change: [],
    rename: [],
    take: known.filter((item) => item.origin === 'DEFAULT' && brought.taken.has(item.taskId)).map(({ id }) => id),
    remove: known.filter(isDeleted).map(({ id }) => id),
    goWithTask: [],
    ensureTasks: [],
    removeTasks: [],
    releaseTasks: [],
  };
  for (const { entry, defaultKey, existing } of entries) {
    const filter = entry.filter ?? null;
    const active = entry.active ?? true;
    if (existing && isOfUser(existing)) {
      if (existing.defaultKey !== defaultKey) plan.rename.push({ id: existing.id, defaultKey });
      continue;
    }
    const taskId = existing?.taskId ?? entry.taskId ?? newId();
    if (entry.task) plan.ensureTasks.push({ taskId, body: { ...entry.task, type: 'EVENT' } });
    const wish = { defaultKey, filter, active };
    if (!existing) {
      plan.create.push({ id: newId(), event: entry.event, taskId, bringsTask: entry.task !== undefined, ...wish });
    } else if (!isAsWished(existing, wish)) plan.change.push({ id: existing.id, ...wish });
  }
  for (const orphan of orphans) {
    if (!isOfUser(orphan)) plan.remove.push(orphan.id);
    if (!orphan.bringsTask) continue;
    const keep = isOfUser(orphan) || tasksOfUser.has(orphan.taskId);
    (keep ? plan.releaseTasks : plan.removeTasks).push(orphan.taskId);
    if (!keep) plan.goWithTask.push({ id: orphan.id, taskId: orphan.taskId });
  }
  return plan;
}

const isAsWished = (existing: ExistingDefault, { defaultKey, filter, active }: Omit<ChangedDefault, 'id'>): boolean =>
  existing.defaultKey === defaultKey &&
  existing.active === active &&
  canonicalJson(existing.filter) === canonicalJson(filter);
