import { sleep } from '@switchyard/kernel';
import { connect } from 'nats';
import type { BusOptions } from '../options';
import { connectOptions } from './connect-options';

const FIRST_AFTER_MS = 2_000;
const AGAIN_AFTER_MS = 60_000;

/**
 * The NATS client retries silently: a bad certificate looks like a missing server. Probes with a second connection and
 * logs why it fails, until connected.
 */
export async function logConnectFailure(options: BusOptions, up: AbortSignal): Promise<void> {
  for (let waitMs = FIRST_AFTER_MS; ; waitMs = AGAIN_AFTER_MS) {
    await sleep(waitMs, up);
    if (up.aborted) return;
    const error = await probe(options);
    if (error !== null) options.log.warn({ err: error }, 'failed to connect to NATS');
  }
}

async function probe(options: BusOptions): Promise<unknown> {
  try {
    const connection = await connect({
      ...connectOptions(options, 'probe'),
      reconnect: false,
      waitOnFirstConnect: false,
    });
    await connection.close();
    return null;
  } catch (error) {
    return error;
  }
}
