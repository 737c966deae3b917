import { f } from '@switchyard/contracts';
import { DatabaseServiceConfig, Env, EnvOfPayload } from '@switchyard/service';

export class TaskConfig extends DatabaseServiceConfig {
  @Env(f.int({ min: 1, max: 1000 }), {
    default: 10,
    reason: 'Concurrent executions of a Space, unless the Space sets its own limit.',
  })
  TASK_SPACE_CONCURRENCY!: number;

  @Env(f.int({ min: 1, max: 1000 }), {
    default: 5,
    reason: 'Concurrent executions of a task, unless the task sets its own limit.',
  })
  TASK_CONCURRENCY!: number;

  @Env(f.int({ min: 1, max: 86_400 }), {
    default: 3600,
    reason: 'How many seconds an execution may take, unless its task sets its own limit.',
  })
  TASK_TIMEOUT_SECONDS!: number;

  @Env(f.int({ min: 1, max: 1000 }), {
    default: 50,
    reason: 'The highest limit of concurrent executions that a Space may set for itself.',
  })
  TASK_CONCURRENCY_MAX!: number;

  @Env(f.int({ min: 1, max: 1000 }), {
    default: 48,
    reason: 'Executions that one process runs at a time. One Space may have a third of them while others wait.',
  })
  TASK_WORKERS!: number;

  @Env(f.int({ min: 1024, max: 1_073_741_824 }), {
    default: 33_554_432,
    reason:
      'Bytes of inputs and steps of all executions that one process runs at a time, plus 64 bytes for each JSON value. One Space may use a third of them while others wait. The execution that exceeds the limit still starts; one that grows beyond it pauses until memory is free.',
  })
  TASK_CLAIMED_MAX_BYTES!: number;

  @Env(f.int({ min: 1024, max: 8_388_608 }), {
    default: 1_048_576,
    reason: 'The largest value in a template of a step, in bytes, intermediate results of filters included.',
  })
  TASK_VALUE_MAX_BYTES!: number;

  @Env(f.int({ min: 1024, max: 8_388_608 }), {
    default: 1_048_576,
    reason: 'The largest input of a step, and the largest output, in bytes.',
  })
  TASK_STEP_MAX_BYTES!: number;

  @Env(f.int({ min: 1024, max: 268_435_456 }), {
    default: 16_777_216,
    reason: 'Bytes of the inputs and outputs of all steps of an execution, plus 64 bytes for each JSON value.',
  })
  TASK_EXECUTION_MAX_BYTES!: number;

  @Env(f.int({ min: 1, max: 36_500 }), {
    default: 30,
    reason: 'Days until an execution that succeeded, was cancelled or was skipped is deleted.',
  })
  TASK_EXECUTION_RETENTION_DAYS!: number;

  @Env(f.int({ min: 1, max: 36_500 }), {
    default: 90,
    reason: 'Days until an execution that failed or timed out is deleted. Until then it can be retried.',
  })
  TASK_FAILED_EXECUTION_RETENTION_DAYS!: number;

  @Env(f.int({ min: 1, max: 1000 }), {
    default: 10,
    reason: 'How many executions may start each other in a chain, by events, before the platform stops it as a loop.',
  })
  EVENT_MAX_DEPTH!: number;

  @EnvOfPayload()
  EVENT_PAYLOAD_MAX_BYTES!: number;

  @Env(f.text({ max: 10_000 }), {
    default: '',
    reason:
      'Private addresses that agents, tasks, callbacks and endpoints may call, separated by commas. No ranges. With a port (`10.0.0.7:8080`), only that port.',
  })
  SWITCHYARD_ALLOW_PRIVATE_EGRESS!: string;

  @Env(
    f.text({ max: 1000, pattern: '^(\\s*[1-9][0-9]{0,4}\\s*(,|$))*$', allows: 'must be ports, separated by commas' }),
    {
      default: '',
      reason: 'Ports of public addresses that outgoing calls may use in addition to 80 and 443, separated by commas.',
    },
  )
  SWITCHYARD_EGRESS_PORTS!: string;
}
