import { Controller } from '@nestjs/common';
import {
  type Count,
  type CreateTask,
  type Ctx,
  type DefaultTasks,
  type Deleted,
  type DescribeTasks,
  EventBusEvents,
  type EventTask,
  type InSpace,
  type Items,
  type ListTasks,
  type Nothing,
  type Page,
  type SecretName,
  type SecretUsers,
  type TaskById,
  TaskCalls,
  type TaskSummary,
  type TaskUsage,
  type TaskView,
  type UpdateTask,
  type UsageOfTask,
} from '@switchyard/contracts';
import type { Tx } from '@switchyard/database';
import { Handles } from '@switchyard/messaging';
import { DefaultTasksService } from './default-tasks.service';
import { TaskUsageService } from './task-usage.service';
import { TasksService } from './tasks.service';

@Controller()
export class TasksController {
  constructor(
    private readonly tasks: TasksService,
    private readonly defaults: DefaultTasksService,
    private readonly usages: TaskUsageService,
  ) {}

  @Handles(TaskCalls.countTasks)
  count({ spaceId }: InSpace): Promise<Count> {
    return this.tasks.count(spaceId);
  }

  @Handles(TaskCalls.create)
  create(data: CreateTask, ctx: Ctx): Promise<TaskView> {
    return this.tasks.create(ctx, data);
  }

  @Handles(TaskCalls.list)
  list(data: ListTasks, ctx: Ctx): Promise<Page<TaskSummary>> {
    return this.tasks.list(ctx, data);
  }

  @Handles(TaskCalls.get)
  get(data: TaskById, ctx: Ctx): Promise<TaskView> {
    return this.tasks.get(ctx, data.taskId);
  }

  @Handles(TaskCalls.usage)
  usage(data: UsageOfTask, ctx: Ctx): Promise<TaskUsage> {
    return this.usages.ofTask(ctx, data);
  }

  @Handles(TaskCalls.update)
  update(data: UpdateTask, ctx: Ctx): Promise<TaskView> {
    return this.tasks.update(ctx, data);
  }

  @Handles(TaskCalls.remove)
  async remove(data: TaskById, ctx: Ctx): Promise<Deleted> {
    await this.tasks.remove(ctx, data.taskId);
    return { id: data.taskId, deleted: true };
  }

  @Handles(TaskCalls.secretUsers)
  secretUsers(data: SecretName, ctx: Ctx): Promise<SecretUsers> {
    return this.tasks.secretUsers(ctx, data.name);
  }

  @Handles(TaskCalls.describeEventTasks)
  async describe(data: DescribeTasks): Promise<Items<EventTask>> {
    return { items: await this.tasks.describe(data.spaceId, data.taskIds) };
  }

  @Handles(TaskCalls.applyDefaultTasks)
  async applyDefaults(data: DefaultTasks, ctx: Ctx): Promise<Nothing> {
    await this.defaults.apply(ctx, data);
    return {};
  }

  @Handles(EventBusEvents.defaultTasksChanged)
  onDefaults(data: DefaultTasks, _ctx: Ctx, tx: Tx): Promise<void> {
    return this.defaults.applyIn(tx, data);
  }
}
