import type { Writable } from 'node:stream';
import type { PoolClient } from 'pg';

export type Pipelined = PoolClient & { pipeline: boolean; connection: { stream: Writable } };

/** Sends `begin` in the same packet as the first statement. If it fails, all later statements fail too. */
export function beginWithFirst(client: PoolClient, begin: string): Promise<unknown> {
  const pipelined = client as Pipelined;
  const { stream } = pipelined.connection;
  pipelined.pipeline = true;
  stream.cork();
  const begun = client.query(begin);
  begun.catch(() => undefined);
  process.nextTick(() => {
    stream.uncork();
  });
  return begun;
}
