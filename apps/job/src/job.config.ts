import { f } from '@switchyard/contracts';
import { DatabaseServiceConfig, Env } from '@switchyard/service';

export class JobConfig extends DatabaseServiceConfig {
  @Env(f.int({ min: 1, max: 1000 }), {
    default: 10,
    reason: 'Jobs of a Space side by side, unless the Space has its own limit.',
  })
  JOB_SPACE_CONCURRENCY!: number;

  @Env(f.int({ min: 1, max: 86_400 }), {
    default: 900,
    reason: 'How long a job may take, all attempts together, unless it says otherwise.',
  })
  JOB_TIMEOUT_SECONDS!: number;

  @Env(f.int({ min: 1, max: 1000 }), {
    default: 50,
    reason: 'The most that a Space may set as its limit of jobs side by side.',
  })
  JOB_CONCURRENCY_MAX!: number;

  @Env(f.int({ min: 1, max: 1000 }), {
    default: 64,
    reason: 'Jobs that one process works on at a time. A Space has a third of them while others wait.',
  })
  JOB_WORKERS!: number;

  @Env(f.int({ min: 1024, max: 1_073_741_824 }), {
    default: 33_554_432,
    reason:
      'How many bytes of inputs the jobs may have together that one process works on. A Space has a third of them while others wait; the one that goes past it is let in.',
  })
  JOB_CLAIMED_MAX_BYTES!: number;

  @Env(f.int({ min: 1, max: 600_000 }), {
    default: 5_000,
    reason: 'The wait before the second delivery of a callback; the later ones grow with it, as those of endpoints do.',
  })
  JOB_CALLBACK_BASE_MS!: number;

  @Env(f.int({ min: 30, max: 36_500 }), {
    default: 30,
    reason: 'How many days a job that succeeded or was cancelled is kept. Its idempotency key is kept for 30.',
  })
  JOB_RETENTION_DAYS!: number;

  @Env(f.int({ min: 30, max: 36_500 }), {
    default: 90,
    reason: 'How many days a job that failed or timed out is kept.',
  })
  JOB_FAILED_RETENTION_DAYS!: number;

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
