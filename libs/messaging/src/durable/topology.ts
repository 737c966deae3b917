import {
  AckPolicy,
  ConsumerConfig,
  DeliverPolicy,
  DiscardPolicy,
  JetStreamManager,
  NatsError,
  RetentionPolicy,
  StorageType,
  StreamConfig,
  nanos,
} from 'nats';
import { BusLog } from '../options';

const HOUR_MS = 3_600_000;
const MIB = 1024 * 1024;

export const EVENTS_STREAM = 'EVENTS';
export const FRAMES_STREAM = 'FRAMES';

/**
 * Limits retention, never a work queue: the dedupe window of a work queue forgets what was acknowledged,
 * and a message must stay readable for a consumer that comes late.
 */
export const streamConfigs = (replicas = 1): Partial<StreamConfig>[] => [
  {
    name: EVENTS_STREAM,
    subjects: ['event.>'],
    retention: RetentionPolicy.Limits,
    storage: StorageType.File,
    discard: DiscardPolicy.New,
    max_age: nanos(72 * HOUR_MS),
    max_bytes: 1024 * MIB,
    duplicate_window: nanos(120_000),
    num_replicas: replicas,
  },
  {
    name: FRAMES_STREAM,
    subjects: ['frames.>'],
    retention: RetentionPolicy.Limits,
    storage: StorageType.File,
    discard: DiscardPolicy.Old,
    max_age: nanos(25 * HOUR_MS),
    max_bytes: 2048 * MIB,
    duplicate_window: nanos(120_000),
    num_replicas: replicas,
  },
];

export const durableName = (service: string, event: string): string => `${service}-${event.replaceAll('.', '_')}`;

/** No `backoff` and no `max_deliver`: delays and poison are handled by us, in Postgres. */
export const consumerConfig = (service: string, event: string): Partial<ConsumerConfig> => ({
  durable_name: durableName(service, event),
  filter_subject: `event.${event}`,
  ack_policy: AckPolicy.Explicit,
  deliver_policy: DeliverPolicy.All,
  ack_wait: nanos(30_000),
  max_deliver: -1,
  max_ack_pending: 256,
});

const isNotFound = (error: unknown): boolean => error instanceof NatsError && /not found/i.test(error.message);

const differences = (wanted: object, found: object): string[] =>
  Object.entries(wanted)
    .filter(([key, value]) => JSON.stringify((found as Record<string, unknown>)[key]) !== JSON.stringify(value))
    .map(([key]) => key);

/** Makes the streams that are missing and says whether any was; an old server ignores what it does not know, so the answer is read back. */
export async function ensureStreams(jsm: JetStreamManager, log: BusLog, replicas = 1): Promise<boolean> {
  let made = false;
  for (const config of streamConfigs(replicas)) {
    const name = config.name ?? '';
    const found = await jsm.streams.info(name).catch((error: unknown) => {
      if (isNotFound(error)) return null;
      throw error;
    });
    const info = found ?? (await jsm.streams.add(config));
    if (!found) {
      made = true;
      log.info({ stream: name }, 'made a stream');
    }
    const differing = differences(config, info.config);
    if (differing.length > 0) log.warn({ stream: name, differing }, 'a stream is not configured as declared');
  }
  return made;
}

export async function ensureConsumer(
  jsm: JetStreamManager,
  log: BusLog,
  service: string,
  event: string,
): Promise<void> {
  const config = consumerConfig(service, event);
  const found = await jsm.consumers.info(EVENTS_STREAM, durableName(service, event)).catch((error: unknown) => {
    if (isNotFound(error)) return null;
    throw error;
  });
  const info = found ?? (await jsm.consumers.add(EVENTS_STREAM, config));
  const differing = differences(config, info.config);
  if (differing.length > 0)
    log.warn({ consumer: config.durable_name, differing }, 'a consumer is not configured as declared');
}
