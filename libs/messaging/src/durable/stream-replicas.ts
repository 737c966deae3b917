import { sleep } from '@switchyard/kernel';
import { type JetStreamManager, type NatsConnection, type StreamInfo, connect } from 'nats';
import { connectOptions } from '../connection/connect-options';
import type { BusOptions } from '../options';
import { streamConfigs } from './topology';

const EVERY_MS = 500;

export interface SetReplicas {
  stream: string;
  before: number;
  now: number;
}

/**
 * Gives the streams that are there the number of copies that is set. Services never do that by themselves: it moves all
 * that a stream holds, and two versions with different settings would move it to and fro. Ends when all copies have all.
 */
export async function setStreamReplicas(options: BusOptions, withinMs: number): Promise<SetReplicas[]> {
  const connection = await connect({ ...connectOptions(options, 'replicas'), waitOnFirstConnect: false });
  try {
    return await setAll(connection, options.streamReplicas ?? 1, Date.now() + withinMs);
  } finally {
    await connection.close();
  }
}

async function setAll(connection: NatsConnection, replicas: number, deadline: number): Promise<SetReplicas[]> {
  // Streams are looked at by name: this user may list none.
  const manager = await connection.jetstreamManager({ checkAPI: false, timeout: 20_000 });
  const done: SetReplicas[] = [];
  for (const { name = '' } of streamConfigs()) {
    const { config } = await manager.streams.info(name);
    if (config.num_replicas !== replicas) await manager.streams.update(name, { ...config, num_replicas: replicas });
    await untilCurrent(manager, name, replicas, deadline);
    done.push({ stream: name, before: config.num_replicas, now: replicas });
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
    await sleep(EVERY_MS);
  }
}

/** A single server tells of no cluster. */
const isCurrent = ({ config, cluster }: StreamInfo, replicas: number): boolean => {
  const others = cluster?.replicas ?? [];
  const hasLeader = replicas === 1 || Boolean(cluster?.leader);
  return config.num_replicas === replicas && hasLeader && others.length === replicas - 1 && others.every(isCaughtUp);
};

const isCaughtUp = ({ current, offline }: { current: boolean; offline?: boolean }): boolean => current && !offline;
