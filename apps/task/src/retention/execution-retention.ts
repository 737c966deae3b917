import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Retention } from '@switchyard/service';
import { TaskRetentionRepository } from '../db/task-retention.repository';
import { TaskConfig } from '../task.config';

/** How long ended executions can be looked at, and retried; a deleted task goes with the last of them. */
@Injectable()
export class ExecutionRetention implements OnModuleInit {
  constructor(
    private readonly retention: Retention,
    private readonly old: TaskRetentionRepository,
    private readonly config: TaskConfig,
  ) {}

  onModuleInit(): void {
    const days = {
      done: this.config.TASK_EXECUTION_RETENTION_DAYS,
      failed: this.config.TASK_FAILED_EXECUTION_RETENTION_DAYS,
    };
    this.retention.register('executions', (tx, limit) => this.old.forget(tx, days, limit));
    const longest = Math.max(days.done, days.failed);
    this.retention.register('deleted tasks', (tx, limit) => this.old.removeOldTasks(tx, longest, limit));
  }
}
