import { f } from '@switchyard/contracts';
import { DatabaseServiceConfig, Env, EnvOfPayload } from '@switchyard/service';

export class EventBusConfig extends DatabaseServiceConfig {
  @Env(f.int({ min: 1, max: 1000 }), {
    default: 10,
    reason:
      'How long a chain of emissions may grow, each caused by a run of the one before, until it is taken for a loop.',
  })
  EVENT_MAX_DEPTH!: number;

  @EnvOfPayload()
  EVENT_PAYLOAD_MAX_BYTES!: number;

  @Env(f.int({ min: 1, max: 1000 }), {
    default: 100,
    reason: 'How many subscriptions one event may have in a Space: as many runs can one emission start.',
  })
  EVENT_SUBSCRIPTIONS_MAX!: number;

  @Env(f.int({ min: 1024 * 1024 }), {
    default: 64 * 1024 * 1024,
    reason:
      'Bytes of emissions and triggers of one Space that may wait to be delivered. Over it emit and replay answer 429.',
  })
  EVENT_BACKLOG_MAX_BYTES!: number;

  @Env(f.int({ min: 30, max: 36_500 }), {
    default: 90,
    reason:
      'How many days an envelope is kept with its deliveries and its idempotency key, and can be replayed. One that still waits is kept longer.',
  })
  EVENT_RETENTION_DAYS!: number;
}
