import { sleep } from '@switchyard/kernel';
import { type ConnectionOptions, connect } from 'nats';
import type { BusLog } from '../options';

const FIRST_AFTER_MS = 2_000;
const AGAIN_AFTER_MS = 60_000;

/**
 * The NATS client retries silently: a bad certificate looks like a missing server. Probes with a second connection and
 * logs why it fails, until connected.
 */
export async function logConnectFailure(
  options: ConnectionOptions,
  { log, server }: { log: BusLog; server: string },
  up: AbortSignal,
): Promise<void> {
  for (let waitMs = FIRST_AFTER_MS; ; waitMs = AGAIN_AFTER_MS) {
    await sleep(waitMs, up);
    if (up.aborted) return;
    const error = await tryToConnect(options);
    if (error !== null) log.warn({ err: error }, `failed to connect to ${server}`);
  }
}

/** Null if a connection is accepted, else the reason. */
export async function tryToConnect(options: ConnectionOptions): Promise<unknown> {
  try {
    const connection = await connect({ ...options, reconnect: false, waitOnFirstConnect: false });
    await connection.close();
    return null;
  } catch (error) {
    return error;
  }
}
