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
  StreamInfo,
  nanos,
} from 'nats';
import { BusLog } from '../options';
import { durableName } from './durable-consumer-name';

const HOUR_MS = 3_600_000;
const MIB = 1024 * 1024;

export const EVENTS_STREAM = 'EVENTS';
export const FRAMES_STREAM = 'FRAMES';
/** Retention of a turn's frames. */
export const FRAMES_RETENTION_HOURS = 25;

export interface StreamSizes {
  replicas?: number;
  eventsMaxBytes?: number;
  framesMaxBytes?: number;
}

/**
 * Limits retention, not a work queue: a work queue's dedupe window drops acknowledged messages, and late consumers must
 * still read them. `AcknowledgedEventPurge` purges confirmed ones. When an event expires its signature is void; its
 * outbox row is published again.
 */
export const streamConfigs = ({
  replicas = 1,
  eventsMaxBytes = 1024 * MIB,
  framesMaxBytes = 2048 * MIB,
}: StreamSizes = {}): Partial<StreamConfig>[] => [
  {
    name: EVENTS_STREAM,
    subjects: ['event.>'],
    retention: RetentionPolicy.Limits,
    storage: StorageType.File,
    discard: DiscardPolicy.New,
    max_age: nanos(72 * HOUR_MS),
    max_bytes: eventsMaxBytes,
    duplicate_window: nanos(120_000),
    num_replicas: replicas,
  },
  {
    name: FRAMES_STREAM,
    subjects: ['frames.>'],
    retention: RetentionPolicy.Limits,
    storage: StorageType.File,
    discard: DiscardPolicy.Old,
    max_age: nanos(FRAMES_RETENTION_HOURS * HOUR_MS),
    max_bytes: framesMaxBytes,
    duplicate_window: nanos(120_000),
    num_replicas: replicas,
  },
];

export { durableName };

/**
 * Most of these are parked (`DeferredMessages`), which costs a subject each; beyond it one Space could block all
 * others.
 */
const UNANSWERED_MAX = 8192;

/** No `backoff` and no `max_deliver`: delays and poison messages are handled in Postgres. */
export const consumerConfig = (service: string, event: string): Partial<ConsumerConfig> => ({
  durable_name: durableName(service, event),
  filter_subject: `event.${event}`,
  ack_policy: AckPolicy.Explicit,
  deliver_policy: DeliverPolicy.All,
  ack_wait: nanos(30_000),
  max_deliver: -1,
  max_ack_pending: UNANSWERED_MAX,
});

const isNotFound = (error: unknown): boolean => error instanceof NatsError && /not found/i.test(error.message);

const differences = (declared: object, found: object): string[] =>
  Object.entries(declared)
    .filter(([key, value]) => JSON.stringify((found as Record<string, unknown>)[key]) !== JSON.stringify(value))
    .map(([key]) => key);

/** Settings that are updated on existing streams; others only apply to new ones. */
const CHANGEABLE = ['max_age', 'max_bytes', 'discard', 'duplicate_window'] as const;

/** The streams that this server lacks. */
export async function missingStreams(jsm: JetStreamManager, names: readonly string[]): Promise<string[]> {
  const missing: string[] = [];
  for (const name of names)
    await jsm.streams.info(name).catch((error: unknown) => {
      if (!isNotFound(error)) throw error;
      missing.push(name);
    });
  return missing;
}

/**
 * Creates missing streams (returns whether any) and updates the settings of others. Needs the migration's login. An old
 * server ignores unknown settings, so the result is verified.
 */
export async function ensureStreams(jsm: JetStreamManager, log: BusLog, sizes: StreamSizes = {}): Promise<boolean> {
  let made = false;
  for (const config of streamConfigs(sizes)) {
    const name = config.name ?? '';
    const found = await jsm.streams.info(name).catch((error: unknown) => {
      if (isNotFound(error)) return null;
      throw error;
    });
    const info = found ? await changed(jsm, log, config, found) : await jsm.streams.add(config);
    if (!found) {
      made = true;
      log.info({ stream: name }, 'created a stream');
    }
    const differing = differences(config, info.config);
    if (differing.length > 0)
      log.warn({ stream: name, differing }, 'the settings of a stream differ from the declared ones');
  }
  return made;
}

async function changed(
  jsm: JetStreamManager,
  log: BusLog,
  declared: Partial<StreamConfig>,
  found: StreamInfo,
): Promise<StreamInfo> {
  const change = Object.fromEntries(CHANGEABLE.map((key) => [key, declared[key]]));
  const differing = differences(change, found.config);
  if (differing.length === 0) return found;
  const stream = found.config.name;
  try {
    const info = await jsm.streams.update(stream, { ...found.config, ...change });
    log.info({ stream, differing }, 'updated the settings of a stream');
    return info;
  } catch (error) {
    log.warn({ err: error, stream, differing }, 'failed to update the settings of a stream');
    return found;
  }
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
  // Adding an existing stream updates it.
  const isAsDeclared = found && differences(config, found.config).length === 0;
  const info = isAsDeclared ? found : await jsm.consumers.add(EVENTS_STREAM, config);
  const differing = differences(config, info.config);
  if (differing.length > 0)
    log.warn({ consumer: config.durable_name, differing }, 'the settings of a consumer differ from the declared ones');
}
