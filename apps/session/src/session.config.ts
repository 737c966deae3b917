import { f } from '@switchyard/contracts';
import { DatabaseServiceConfig, Env } from '@switchyard/service';

export class SessionConfig extends DatabaseServiceConfig {
  @Env(f.int({ min: 2, max: 600 }), {
    default: 10,
    reason: 'Seconds after its last heartbeat until a turn is given to another replica.',
  })
  SESSION_TURN_LEASE_SECONDS!: number;

  @Env(f.number({ min: 0.00001, max: 365 }), {
    default: 7,
    reason: 'Days until an unanswered question expires.',
  })
  SESSION_INTERACTION_DAYS!: number;

  @Env(f.int({ min: 0, max: 8760 }), {
    default: 24,
    reason: 'Hours until a deleted session is removed from the database.',
  })
  SESSION_PURGE_AFTER_HOURS!: number;

  @Env(f.int({ min: 100, max: 3_600_000 }), {
    default: 5000,
    reason: 'Milliseconds between two looks for what has expired; five seconds once nothing has for a while.',
  })
  SESSION_SWEEP_INTERVAL_MS!: number;

  @Env(f.int({ min: 100, max: 3_600_000 }), {
    default: 180_000,
    reason: 'Milliseconds between two rounds that sum up how long turns took.',
  })
  SESSION_LATENCY_INTERVAL_MS!: number;

  @Env(f.int({ min: 1, max: 3650 }), {
    default: 400,
    reason: 'Days for which it is kept how long the turns of an hour took.',
  })
  SESSION_LATENCY_RETENTION_DAYS!: number;
}
