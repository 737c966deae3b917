import { f } from '@switchyard/contracts';
import { DatabaseServiceConfig, Env } from '@switchyard/service';

export class JobConfig extends DatabaseServiceConfig {
  @Env(f.int({ min: 1, max: 1000 }), {
    default: 10,
    reason: 'Concurrent jobs of a Space, unless the Space sets its own limit.',
  })
  JOB_SPACE_CONCURRENCY!: number;

  @Env(f.int({ min: 1, max: 86_400 }), {
    default: 900,
    reason: 'How long a job may take, all attempts together, unless the job sets its own limit.',
  })
  JOB_TIMEOUT_SECONDS!: number;

  @Env(f.int({ min: 1, max: 1000 }), {
    default: 50,
    reason: 'The highest limit of concurrent jobs that a Space may set for itself.',
  })
  JOB_CONCURRENCY_MAX!: number;

  @Env(f.int({ min: 1, max: 1000 }), {
    default: 64,
    reason: 'Jobs that one process runs at a time. One Space may have a third of them while others wait.',
  })
  JOB_WORKERS!: number;

  @Env(f.int({ min: 1024, max: 1_073_741_824 }), {
    default: 33_554_432,
    reason:
      'Bytes of input of all jobs that one process runs at a time. One Space may use a third of them while others wait. The job that exceeds the limit still starts; the next ones wait.',
  })
  JOB_CLAIMED_MAX_BYTES!: number;

  @Env(f.int({ min: 30, max: 36_500 }), {
    default: 30,
    reason:
      'Days until a job that succeeded or was cancelled is deleted. Its idempotency key is recognised for 30 days.',
  })
  JOB_RETENTION_DAYS!: number;

  @Env(f.int({ min: 30, max: 36_500 }), {
    default: 90,
    reason: 'Days until a job that failed or timed out is deleted.',
  })
  JOB_FAILED_RETENTION_DAYS!: number;

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
