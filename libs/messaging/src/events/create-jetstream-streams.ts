import { sleep } from '@switchyard/kernel';
import { ErrorCode, type JetStreamManager, NatsError, type StreamInfo, connect } from 'nats';
import { connectOptions } from '../transport/connect-options';
import type { BusLog } from '../options';
import { type StreamSizes, ensureStreams, streamConfigs } from '../transport/stream-and-consumer-definitions';

const POLL_MS = 500;
/** NATS may refuse a new login until it has reloaded its users. */
const REFUSED_FOR_MS = 15_000;

/** The login that creates and changes streams; no service has it. */
export const MIGRATION = 'migration';

export interface PrepareStreams {
  natsUrl: string;
  /** Seed of the migration's NATS user. Default: the credentials of the URL. */
  nkeySeed?: string;
  /** `replicas` also applies to existing streams. */
  sizes: StreamSizes;
  log: BusLog;
  /** Time limit for NATS to start and replicas to catch up. */
  withinMs: number;
}

/** Outcome for a stream's replica count. */
export interface PreparedStream {
  stream: string;
  before: number;
  now: number;
}

/**
 * Creates missing streams, updates the others, and sets their replicas. Idempotent. Waits until NATS answers and all
 * replicas are current.
 */
export async function prepareStreams(options: PrepareStreams): Promise<PreparedStream[]> {
  const startedAt = Date.now();
  for (;;) {
    try {
      return await prepareOnce(options, startedAt + options.withinMs);
    } catch (error) {
      const patienceMs = isRefused(error) ? Math.min(REFUSED_FOR_MS, options.withinMs) : options.withinMs;
      if (!isRefused(error) && !isUnavailable(error)) throw error;
      if (Date.now() - startedAt > patienceMs) throw explained(error);
      options.log.debug({ err: error }, 'waiting for NATS before the migration');
      await sleep(POLL_MS);
    }
  }
}

const codeOf = (error: unknown): string => String((error as { code?: unknown }).code);

const isRefused = (error: unknown): boolean => REFUSED.has(codeOf(error));

const REFUSED = new Set<string>([
  ErrorCode.AuthorizationViolation,
  ErrorCode.AuthenticationExpired,
  ErrorCode.PermissionsViolation,
]);

const UNAVAILABLE = new Set<string>([
  ErrorCode.ConnectionRefused,
  ErrorCode.ConnectionTimeout,
  ErrorCode.ConnectionClosed,
  ErrorCode.Disconnect,
  ErrorCode.Timeout,
  ErrorCode.NoResponders,
  ErrorCode.JetStreamNotEnabled,
]);

/** A cluster without a leader also answers 503. */
const isUnavailable = (error: unknown): boolean =>
  UNAVAILABLE.has(codeOf(error)) || (error instanceof NatsError && error.api_error?.code === 503);

const explained = (error: unknown): Error =>
  new Error(
    isRefused(error)
      ? 'NATS does not accept the login of the migration. Load the nats.conf (or authorization.conf) of this version, then run this again.'
      : `NATS cannot be reached: ${error instanceof Error ? error.message : String(error)}`,
    { cause: error },
  );

async function prepareOnce(
  { natsUrl, nkeySeed, sizes, log }: PrepareStreams,
  deadline: number,
): Promise<PreparedStream[]> {
  const connection = await connect({
    ...connectOptions({ service: MIGRATION, instance: 'streams', natsUrl, nkeySeed }),
    waitOnFirstConnect: false,
    ignoreAuthErrorAbort: false,
    reconnect: false,
  });
  try {
    // This user may not list streams, only look them up by name.
    const manager = await connection.jetstreamManager({ checkAPI: false, timeout: 20_000 });
    await ensureStreams(manager, log, sizes);
    return await setReplicas(manager, sizes.replicas, deadline);
  } finally {
    await connection.close();
  }
}

async function setReplicas(
  manager: JetStreamManager,
  replicas: number | undefined,
  deadline: number,
): Promise<PreparedStream[]> {
  const done: PreparedStream[] = [];
  for (const { name = '' } of streamConfigs()) {
    const { config } = await manager.streams.info(name);
    const now = replicas ?? config.num_replicas;
    if (config.num_replicas !== now) await manager.streams.update(name, { ...config, num_replicas: now });
    if (replicas !== undefined) await untilCurrent(manager, name, replicas, deadline);
    done.push({ stream: name, before: config.num_replicas, now });
  }
  return done;
}

async function untilCurrent(
  manager: JetStreamManager,
  name: string,
  replicas: number,
  deadline: number,
): Promise<void> {
  for (;;) {
    const info = await manager.streams.info(name);
    if (isCurrent(info, replicas)) return;
    if (Date.now() > deadline)
      throw new Error(`${name} has not all of its ${replicas} copies yet; NATS goes on copying`);
    await sleep(POLL_MS);
  }
}

/** A single server reports no cluster. */
const isCurrent = ({ config, cluster }: StreamInfo, replicas: number): boolean => {
  const others = cluster?.replicas ?? [];
  const hasLeader = replicas === 1 || Boolean(cluster?.leader);
  return config.num_replicas === replicas && hasLeader && others.length === replicas - 1 && others.every(isCaughtUp);
};

const isCaughtUp = ({ current, offline }: { current: boolean; offline?: boolean }): boolean => current && !offline;
