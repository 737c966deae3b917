import { type TestPlatform, until } from '@switchyard/testing';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault } from './fault-plan';
import type { Random } from './random';

/** Brings a fault about and sees to it that what it stopped runs again. */
export async function perform(platform: TestPlatform, fault: Fault, random: Random): Promise<void> {
  switch (fault.kind) {
    case 'kill':
      return killAndWait(platform, fault.target);
    case 'pause':
      return pause(platform, fault.target, fault.forMs);
    case 'nats-away':
      await platform.server('nats').stop();
      await sleep(fault.forMs);
      await platform.server('nats').start();
      return;
    case 'nats-wiped':
      await platform.server('nats').wipe();
      return;
    case 'postgres-restart':
      // SIGQUIT is Postgres' immediate stop: no checkpoint, recovery at the next start.
      await handleOf(platform, 'postgres').kill('SIGQUIT');
      await handleOf(platform, 'postgres').ready();
      return;
    case 'connections-cut':
      await platform.database.query(
        'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname is not null',
      );
      return;
    case 'duplicates':
      await repeatEvents(platform, fault.rows, random);
  }
}

const SERVERS = new Set(['postgres', 'nats', 'redis']);

const handleOf = (platform: TestPlatform, name: string) =>
  SERVERS.has(name) ? platform.server(name as 'postgres' | 'nats' | 'redis') : platform.service(name);

async function killAndWait(platform: TestPlatform, name: string): Promise<void> {
  const handle = handleOf(platform, name);
  if (handle.pid === null) return;
  await handle.kill('SIGKILL');
}

async function pause(platform: TestPlatform, name: string, forMs: number): Promise<void> {
  const handle = handleOf(platform, name);
  const { pid } = handle;
  if (pid === null) return;
  handle.pause();
  await sleep(forMs);
  // Only the process that was stopped: it may have been killed and followed by another meanwhile.
  if (handle.pid === pid) handle.resume();
}

/** Keeps a copy of every event that leaves an outbox, so that it can be sent once more with the same id. */
export async function keepSentEvents(platform: TestPlatform): Promise<void> {
  for (const schema of ['event_bus', 'task']) {
    await platform.database.query(`
      create table if not exists ${schema}.sent_events as select * from ${schema}.outbox with no data;
      grant insert on ${schema}.sent_events to public;
      create or replace function ${schema}.keep_sent() returns trigger language plpgsql as
        $$ begin insert into ${schema}.sent_events values (old.*); return old; end $$;
      create or replace trigger keep_sent before delete on ${schema}.outbox for each row execute function ${schema}.keep_sent()`);
  }
}

const EPOCH_OF_REPEATS = 1000;

/** Events that were handled long ago arrive again: what a carrier that forgets acknowledgements does. */
async function repeatEvents(platform: TestPlatform, rows: number, random: Random): Promise<void> {
  for (const schema of ['event_bus', 'task']) {
    const epoch = EPOCH_OF_REPEATS + random.between(0, 1_000_000);
    await platform.database.query(
      `with chosen as (select distinct on (id) * from ${schema}.sent_events order by id),
            picked as (select * from chosen order by md5(id::text || $2::text) limit $1)
       insert into ${schema}.outbox (id, name, at, ctx, data, order_key, pending, epoch, locked_until)
       select id, name, at, ctx, data, order_key, pending, $2::int, 'epoch' from picked on conflict (id) do nothing`,
      [Math.ceil(rows / 2), epoch],
    );
  }
}

/** How many deliveries (several travel in one event) went out again after they had been confirmed. */
export async function repeatedDeliveries(platform: TestPlatform): Promise<number> {
  let repeated = 0;
  for (const schema of ['event_bus', 'task']) {
    const [row] = await platform.database.query<{ repeats: number }>(
      `select coalesce(sum(held * (times - 1)), 0)::int as repeats
         from (select count(*) as times, max(coalesce(jsonb_array_length(data->'deliveries'), 1)) as held
                 from ${schema}.sent_events group by id) sent`,
    );
    repeated += row?.repeats ?? 0;
  }
  return repeated;
}

export async function everythingUp(platform: TestPlatform, timeoutMs = 60_000): Promise<void> {
  for (const name of Object.keys(platform.state.pids)) await handleOf(platform, name).ready({ timeoutMs });
  await until(() => platform.database.query('select 1'), { timeoutMs });
}
