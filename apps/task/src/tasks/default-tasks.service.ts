import { Injectable } from '@nestjs/common';
import {
  CreateTask,
  apiKeyOf,
  type Ctx,
  type DefaultTask,
  type DefaultTasks,
  type Scope,
  checkRequest,
} from '@switchyard/contracts';
import { Database, type Tx } from '@switchyard/database';
import type { JsonObject } from '@switchyard/kernel';
import { TasksRepository } from '../db/tasks.repository';
import type { TaskFields } from '../domain/task-fields';
import { TasksService } from './tasks.service';

/** The tasks that applications bring along. Applying the same list again changes nothing. */
interface GivenTasks {
  scopes: ReadonlyMap<string, Scope[]>;
  keyId: string | null;
  /** Ceiling of tasks of the Space; null if no caller can get the error. */
  ceiling: number | null;
}

@Injectable()
export class DefaultTasksService {
  constructor(
    private readonly database: Database,
    private readonly tasks: TasksRepository,
    private readonly service: TasksService,
  ) {}

  /** References of a task must be visible to the person who installs it, as when a task is created by hand. */
  async apply(ctx: Ctx, requested: DefaultTasks): Promise<void> {
    const scopes = new Map<string, Scope[]>();
    for (const { taskId, body } of requested.ensure)
      scopes.set(taskId, await this.service.checkReach(ctx, this.taskOf(body).steps));
    const ceiling = await this.service.policies.ceilingOf(requested.spaceId, 'tasks');
    await this.database.inSpace(requested.spaceId, (tx) =>
      this.applyIn(tx, requested, { scopes, keyId: apiKeyOf(ctx), ceiling }),
    );
  }

  /** Scopes of the tasks' runs come from a person or key: without one, a task has none. */
  async applyIn(
    tx: Tx,
    requested: DefaultTasks,
    given: GivenTasks = { scopes: new Map(), keyId: null, ceiling: null },
  ): Promise<void> {
    const { scopes, keyId, ceiling } = given;
    for (const task of requested.ensure)
      await this.ensure(tx, requested, { ...task, scopes: scopes.get(task.taskId) ?? [], keyId, ceiling });
    for (const taskId of requested.remove) await this.remove(tx, requested, taskId);
    for (const taskId of requested.release) await this.release(tx, requested, taskId);
    if (requested.keepOnly) {
      const { spaceId, applicationId, keepOnly } = requested;
      const rest = await this.tasks.idsOfApplication(tx, spaceId, applicationId, keepOnly);
      for (const taskId of rest) await this.remove(tx, requested, taskId, requested.keepUpTo);
    }
  }

  private async ensure(
    tx: Tx,
    { spaceId, applicationId, revision, ownerId }: DefaultTasks,
    { taskId, body, scopes, keyId, ceiling }: DefaultTask & { scopes: Scope[] } & Omit<GivenTasks, 'scopes'>,
  ): Promise<void> {
    const task = this.taskOf(body);
    const existing = { spaceId, id: taskId, scopes, keyId, applicationId, defaultRevision: revision };
    const old = await this.tasks.findLocked(tx, spaceId, taskId);
    if (old) {
      if (old.applicationId !== applicationId || (old.defaultRevision ?? 0) >= revision) return;
      await this.tasks.save(tx, this.service.record({ ...existing, ownerId: old.ownerId ?? ownerId }, task, old));
    } else if (!(await this.tasks.exists(tx, spaceId, taskId))) {
      await this.service.requireCapacity(tx, spaceId, ceiling);
      await this.tasks.add(tx, this.service.record({ ...existing, ownerId }, task, null));
    }
  }

  private taskOf(body: JsonObject): TaskFields {
    checkRequest(CreateTask, body);
    return this.service.changed(null, Object.hasOwn(body, 'type') ? body : { ...body, type: 'EVENT' });
  }

  private async remove(tx: Tx, requested: DefaultTasks, taskId: string, keepUpTo = -1): Promise<void> {
    const { spaceId, applicationId, revision } = requested;
    const old = await this.tasks.findLocked(tx, spaceId, taskId);
    if (!old || old.applicationId !== applicationId) return;
    const brought = old.defaultRevision ?? 0;
    if (brought > keepUpTo && brought <= revision) await this.service.removeIn(tx, spaceId, taskId);
  }

  private async release(tx: Tx, { spaceId, applicationId }: DefaultTasks, taskId: string): Promise<void> {
    await tx.run('update tasks set application_id = null where space_id = $1 and id = $2 and application_id = $3', [
      spaceId,
      taskId,
      applicationId,
    ]);
  }
}
