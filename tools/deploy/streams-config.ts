import { f } from '@switchyard/contracts';
import { Env } from '@switchyard/service';

/** Settings of the JetStream streams, for the migration. */
export class StreamsConfig {
  @Env(f.text({ min: 1 }), { reason: 'The NATS server, or several separated by commas.' })
  NATS_URL!: string;

  @Env(f.text({ min: 50, max: 80 }), {
    optional: true,
    secret: true,
    reason:
      "The seed of the migration's NATS user, the only user that may create and change streams. Without it, the migration uses the credentials in NATS_URL.",
  })
  NATS_MIGRATION_SEED?: string;

  @Env(f.int({ min: 1, max: 5 }), {
    optional: true,
    reason:
      'The number of servers of a NATS cluster that store each stream. Without it, a new stream has one replica, and an existing stream is not changed.',
  })
  NATS_STREAM_REPLICAS?: number;

  @Env(f.int({ min: 16 * 1024 * 1024 }), {
    default: 1024 * 1024 * 1024,
    reason: 'Maximum size of the NATS stream of events. Acknowledged events leave it within seconds.',
  })
  NATS_EVENTS_MAX_BYTES!: number;

  @Env(f.int({ min: 16 * 1024 * 1024 }), {
    default: 2 * 1024 * 1024 * 1024,
    reason: 'Maximum size of the stream of frames. Above it, NATS deletes the oldest frames.',
  })
  NATS_FRAMES_MAX_BYTES!: number;
}
