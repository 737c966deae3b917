import { Injectable } from '@nestjs/common';
import { type Ctx, TaskCalls, actAs, isOfTask, serviceCtx } from '@switchyard/contracts';
import { type JsonObject, newId } from '@switchyard/kernel';
import { Bus } from '@switchyard/messaging';
import { type Matches, NO_MATCHES, type TaskMatch, splitMatches } from '../domain/matches';
import { isPlatformId } from '../domain/platform-ids';
import { type EventRevision, SubscriptionIndexes } from './subscription-indexes';

export interface Matchable extends EventRevision {
  id: string;
  payload: JsonObject;
  eventActive: boolean;
}

const IDS_PER_CALL = 10_000;

/** Executions of a task do not start the task again. */
function withoutOwnTask({ tasks, endpoints }: Matches, { eventId, payload }: Matchable): Matches {
  if (!isPlatformId(eventId)) return { tasks, endpoints };
  return { tasks: tasks.filter(({ taskId }) => !isOfTask(payload, taskId)), endpoints };
}

/**
 * Which subscriptions an emission reaches now: active ones whose filter fits, of active EVENT tasks and of endpoints.
 */
@Injectable()
export class SubscriptionMatcher {
  constructor(
    private readonly bus: Bus,
    private readonly indexes: SubscriptionIndexes,
  ) {}

  /** The matches by emission id. Throws SERVICE_UNAVAILABLE while the task service cannot be asked. */
  async match(emissions: readonly Matchable[]): Promise<Map<string, Matches>> {
    const candidates = new Map<string, Matches>();
    const tasksBySpace = new Map<string, Set<string>>();
    await this.indexes.load(emissions.filter(({ eventActive }) => eventActive));
    for (const emission of emissions) {
      const matches = emission.eventActive
        ? withoutOwnTask(splitMatches((await this.indexes.of(emission)).match(emission.payload)), emission)
        : NO_MATCHES;
      candidates.set(emission.id, matches);
      const tasks = tasksBySpace.get(emission.spaceId) ?? new Set<string>();
      for (const match of matches.tasks) tasks.add(match.taskId);
      if (tasks.size > 0) tasksBySpace.set(emission.spaceId, tasks);
    }
    const startable = new Set<string>();
    await Promise.all([...tasksBySpace].map(([spaceId, tasks]) => this.addStartable(spaceId, [...tasks], startable)));
    const isStartable = ({ taskId }: TaskMatch): boolean => startable.has(taskId);
    return new Map(
      [...candidates].map(([id, { tasks, endpoints }]) => [id, { tasks: tasks.filter(isStartable), endpoints }]),
    );
  }

  /** Whether the task service answers questions now. */
  async isAnswered(): Promise<boolean> {
    const spaceId = newId();
    const ctx = actAs(serviceCtx('event-bus'), { spaceId });
    return this.bus.call(TaskCalls.describeEventTasks, ctx, { spaceId, taskIds: [] }, { timeoutMs: 2_000 }).then(
      () => true,
      () => false,
    );
  }

  private async addStartable(spaceId: string, taskIds: string[], startable: Set<string>): Promise<void> {
    const ctx: Ctx = actAs(serviceCtx('event-bus'), { spaceId });
    for (let from = 0; from < taskIds.length; from += IDS_PER_CALL) {
      const { items } = await this.bus.call(TaskCalls.describeEventTasks, ctx, {
        spaceId,
        taskIds: taskIds.slice(from, from + IDS_PER_CALL),
      });
      for (const task of items) if (task.active && task.type === 'EVENT') startable.add(task.taskId);
    }
  }
}
