import { Injectable } from '@nestjs/common';
import {
  type Ctx,
  DatasetCalls,
  type DefaultTasks,
  type Manifest,
  type SetWatch,
  TaskCalls,
  hasScope,
  requireSpace,
  scopeOf,
} from '@switchyard/contracts';
import { AppError, invalid } from '@switchyard/kernel';
import { Bus } from '@switchyard/messaging';
import { Logger } from '@switchyard/service';
import type { Watch } from '../db/application-changes.repository';
import type { BroughtTasks } from '../domain/default-subscriptions';
import { type FieldTypes, checkRowFilters, fieldTypesOf, filteredDatasets } from '../domain/check-row-filters';

/** Resources of an application in other services: tasks it declares, tasks it starts, datasets it watches. */
@Injectable()
export class RemoteResources {
  constructor(
    private readonly bus: Bus,
    private readonly logger: Logger,
  ) {}

  /** Tasks that subscriptions name must be there, and must be EVENT tasks. */
  async checkTasks(ctx: Ctx, taskIds: readonly string[], path: (taskId: string) => string): Promise<void> {
    if (taskIds.length === 0) return;
    const { items } = await this.bus.call(TaskCalls.describeEventTasks, ctx, {
      spaceId: requireSpace(ctx),
      taskIds: [...new Set(taskIds)],
    });
    const types = new Map(items.map((task) => [task.taskId, task.type]));
    for (const taskId of taskIds) {
      const type = types.get(taskId);
      if (type === undefined) throw new AppError('NOT_FOUND', `There is no task ${taskId}.`);
      if (type !== 'EVENT') throw invalid(path(taskId), 'must be an EVENT task');
    }
  }

  /** Current state of an application's tasks: users change and delete them through the task API. */
  async broughtTasks(ctx: Ctx, taskIds: readonly string[]): Promise<BroughtTasks> {
    if (taskIds.length === 0) return { taken: new Set(), deleted: new Set() };
    const { items } = await this.bus.call(TaskCalls.describeEventTasks, ctx, {
      spaceId: requireSpace(ctx),
      taskIds: [...new Set(taskIds)],
    });
    const there = new Set(items.map(({ taskId }) => taskId));
    return {
      taken: new Set(items.filter(({ isDefault }) => isDefault === false).map(({ taskId }) => taskId)),
      deleted: new Set(taskIds.filter((taskId) => !there.has(taskId))),
    };
  }

  async applyTasks(ctx: Ctx, change: DefaultTasks): Promise<void> {
    if (change.ensure.length + change.remove.length + change.release.length === 0 && !change.keepOnly) return;
    await this.bus.call(TaskCalls.applyDefaultTasks, ctx, change);
  }

  /** Only the resources of an application. */
  async keepOnlyTasks(
    ctx: Ctx,
    application: Pick<DefaultTasks, 'spaceId' | 'applicationId' | 'revision' | 'keepUpTo'>,
    keepOnly: string[],
  ): Promise<void> {
    const change = { ...application, ownerId: null, ensure: [], remove: [], release: [], keepOnly };
    await this.bus.call(TaskCalls.applyDefaultTasks, ctx, change);
  }

  /**
   * The payload of a watched dataset's event is the row: a key that may not read rows has none of them emitted either.
   */
  checkReach(ctx: Ctx, { events }: Manifest): void {
    const scope = scopeOf(DatasetCalls.get);
    const watching = events.find(({ emitOn }) => emitOn !== undefined);
    if (!watching || scope === null || hasScope(ctx.scopes, scope)) return;
    throw new AppError(
      'FORBIDDEN',
      `The event "${watching.name}" emits rows of a dataset, which needs the scope ${scope}. This credential does not have it.`,
    );
  }

  /** The fields of the datasets whose rows are filtered, once the filters fit them. */
  async watchedFields(ctx: Ctx, { events }: Manifest): Promise<Map<string, FieldTypes>> {
    const types = new Map<string, FieldTypes>();
    for (const id of filteredDatasets(events)) {
      const { schema } = await this.bus.call(DatasetCalls.get, ctx, { id });
      types.set(id, fieldTypesOf(schema.fields));
    }
    checkRowFilters(events, types);
    return types;
  }

  /** Datasets announce writes for each event that a manifest hangs on them. Setting a watch again changes nothing. */
  async watch(ctx: Ctx, manifest: Manifest, eventIds: ReadonlyMap<string, string>): Promise<void> {
    for (const { name, emitOn } of manifest.events) {
      const watcherId = eventIds.get(name);
      if (!emitOn || !watcherId) continue;
      await this.setWatch(ctx, { datasetId: emitOn.dataset, watcherId, operations: emitOn.operations });
    }
  }

  async setWatch(ctx: Ctx, watch: SetWatch): Promise<void> {
    await this.bus.call(DatasetCalls.setWatch, ctx, watch);
  }

  /** A dataset deleted since has no events and blocks nothing. */
  async watchAgain(ctx: Ctx, watch: SetWatch): Promise<void> {
    try {
      await this.setWatch(ctx, watch);
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'NOT_FOUND')) throw error;
    }
  }

  /** Throws where one of them could not be removed: the caller keeps its note of them. */
  async unwatch(ctx: Ctx, watches: readonly Watch[]): Promise<void> {
    for (const { datasetId, watcherId } of watches) await this.setWatch(ctx, { datasetId, watcherId, operations: [] });
  }

  async bestEffort(work: Promise<unknown>, problem: string): Promise<void> {
    try {
      await work;
    } catch (error) {
      this.logger.warn({ err: error }, problem);
    }
  }
}
