import { f } from '@switchyard/contracts';
import { DatabaseServiceConfig, Env } from '@switchyard/service';

export class TaskConfig extends DatabaseServiceConfig {
  @Env(f.int({ min: 1, max: 1000 }), {
    default: 10,
    reason: 'Executions of a Space side by side, unless the Space has its own limit.',
  })
  TASK_SPACE_CONCURRENCY!: number;

  @Env(f.int({ min: 1, max: 1000 }), {
    default: 5,
    reason: 'Executions of a task side by side, unless the task has its own limit.',
  })
  TASK_CONCURRENCY!: number;

  @Env(f.int({ min: 1, max: 86_400 }), {
    default: 3600,
    reason: 'How long an execution may take, unless its task says otherwise.',
  })
  TASK_TIMEOUT_SECONDS!: number;

  @Env(f.int({ min: 1, max: 1000 }), { default: 32, reason: 'Executions that one process works on at a time.' })
  TASK_WORKERS!: number;

  @Env(f.int({ min: 1, max: 86_400 }), {
    default: 60,
    reason: 'How late a due time may be and still count as on time.',
  })
  TASK_MISFIRE_GRACE_SECONDS!: number;

  @Env(f.int({ min: 1, max: 36_500 }), {
    default: 30,
    reason: 'How many days an execution that succeeded, was cancelled or skipped is kept.',
  })
  TASK_EXECUTION_RETENTION_DAYS!: number;

  @Env(f.int({ min: 1, max: 36_500 }), {
    default: 90,
    reason: 'How many days an execution that failed or timed out is kept, and can be retried.',
  })
  TASK_FAILED_EXECUTION_RETENTION_DAYS!: number;

  @Env(f.int({ min: 1, max: 1000 }), {
    default: 10,
    reason: 'How deep runs may start runs before the loop guard stops them.',
  })
  EVENT_MAX_DEPTH!: number;

  @Env(f.text({ max: 10_000 }), {
    default: '',
    reason: 'Exact private addresses that outgoing calls may reach, separated by commas.',
  })
  SWITCHYARD_ALLOW_PRIVATE_EGRESS!: string;
}
