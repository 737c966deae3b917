import { f } from '@switchyard/contracts';
import { DatabaseServiceConfig, Env } from '@switchyard/service';

export class SessionConfig extends DatabaseServiceConfig {
  @Env(f.int({ min: 2, max: 600 }), {
    default: 10,
    reason: 'Seconds after the last heartbeat of an agent process until another process takes over its turns.',
  })
  SESSION_TURN_LEASE_SECONDS!: number;

  @Env(f.number({ min: 0.00001, max: 365 }), {
    default: 7,
    reason: 'Days until an unanswered question expires.',
  })
  SESSION_INTERACTION_DAYS!: number;

  @Env(f.int({ min: 0, max: 8760 }), {
    default: 24,
    reason: 'Hours until a deleted session, or a turn without a session, is removed from the database.',
  })
  SESSION_PURGE_AFTER_HOURS!: number;

  @Env(f.int({ min: 100, max: 3_600_000 }), {
    default: 5000,
    reason: 'Milliseconds between two searches for expired questions and approvals.',
  })
  SESSION_SWEEP_INTERVAL_MS!: number;

  @Env(f.int({ min: 100, max: 3_600_000 }), {
    default: 180_000,
    reason: 'Milliseconds between two updates of the sums of turn latencies.',
  })
  SESSION_LATENCY_INTERVAL_MS!: number;

  @Env(f.int({ min: 1, max: 3650 }), {
    default: 400,
    reason: 'Days until the turn latencies of an hour are deleted.',
  })
  SESSION_LATENCY_RETENTION_DAYS!: number;
}
