import { f } from '@switchyard/contracts';
import { DatabaseServiceConfig, Env, EnvOfPayload } from '@switchyard/service';

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

  @Env(f.int({ min: 1, max: 1000 }), {
    default: 50,
    reason: 'The most that a Space may set as its limit of executions side by side.',
  })
  TASK_CONCURRENCY_MAX!: number;

  @Env(f.int({ min: 1, max: 1000 }), {
    default: 48,
    reason: 'Executions that one process works on at a time. A Space has a third of them while others wait.',
  })
  TASK_WORKERS!: number;

  @Env(f.int({ min: 1024, max: 1_073_741_824 }), {
    default: 33_554_432,
    reason:
      'How many bytes the inputs and steps of the executions may have together that one process works on, each JSON value of a step counted with 64 bytes more. A Space has a third of them while others wait; the one that exceeds it is accepted, and one that grows past it is paused until memory is free.',
  })
  TASK_CLAIMED_MAX_BYTES!: number;

  @Env(f.int({ min: 1024, max: 8_388_608 }), {
    default: 1_048_576,
    reason: 'How many bytes one value in the templates of a step may have, also between two filters.',
  })
  TASK_VALUE_MAX_BYTES!: number;

  @Env(f.int({ min: 1024, max: 8_388_608 }), {
    default: 1_048_576,
    reason: 'How many bytes the input of a step may have, and its output.',
  })
  TASK_STEP_MAX_BYTES!: number;

  @Env(f.int({ min: 1024, max: 268_435_456 }), {
    default: 16_777_216,
    reason:
      'How many bytes the inputs and outputs of all steps of an execution may have together, each JSON value counted with 64 bytes more.',
  })
  TASK_EXECUTION_MAX_BYTES!: number;

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
    reason: 'How many runs may start each other in a chain before the loop guard stops it.',
  })
  EVENT_MAX_DEPTH!: number;

  @EnvOfPayload()
  EVENT_PAYLOAD_MAX_BYTES!: number;

  @Env(f.text({ max: 10_000 }), {
    default: '',
    reason: 'Exact private addresses that outgoing calls may reach, separated by commas; with a port, that port alone.',
  })
  SWITCHYARD_ALLOW_PRIVATE_EGRESS!: string;

  @Env(
    f.text({ max: 1000, pattern: '^(\\s*[1-9][0-9]{0,4}\\s*(,|$))*$', allows: 'must be ports, separated by commas' }),
    {
      default: '',
      reason: 'Ports of public addresses that outgoing calls may go to, beside 80 and 443, separated by commas.',
    },
  )
  SWITCHYARD_EGRESS_PORTS!: string;
}
