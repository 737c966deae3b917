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
      "The seed of the migration's NATS user, the only one that makes and changes streams; without it the credentials of NATS_URL are used.",
  })
  NATS_MIGRATION_SEED?: string;

  @Env(f.int({ min: 1, max: 5 }), {
    optional: true,
    reason:
      'How many servers of a NATS cluster keep each stream. Without it a new stream has one, and one that exists keeps what it has.',
  })
  NATS_STREAM_REPLICAS?: number;

  @Env(f.int({ min: 16 * 1024 * 1024 }), {
    default: 1024 * 1024 * 1024,
    reason: 'How large the stream of events may grow. Confirmed events leave it within seconds.',
  })
  NATS_EVENTS_MAX_BYTES!: number;

  @Env(f.int({ min: 16 * 1024 * 1024 }), {
    default: 2 * 1024 * 1024 * 1024,
    reason: 'Maximum size of the stream of frames. Above it, NATS deletes the oldest frames.',
  })
  NATS_FRAMES_MAX_BYTES!: number;
}
