import type { TestPlatform } from '@switchyard/testing';
import type { Random } from './random';

const SCHEMAS = ['event_bus', 'task'];
const EPOCH_OF_REPEATS = 1000;

/** Keeps a copy of every event that leaves an outbox, so that it can be sent once more with the same id. */
export async function keepSentEvents(platform: TestPlatform): Promise<void> {
  for (const schema of SCHEMAS) {
    await platform.database.query(`
      create table if not exists ${schema}.sent_events as select * from ${schema}.outbox with no data;
      grant insert on ${schema}.sent_events to public;
      create or replace function ${schema}.keep_sent() returns trigger language plpgsql as
        $$ begin insert into ${schema}.sent_events values (old.*); return old; end $$;
      create or replace trigger keep_sent before delete on ${schema}.outbox for each row execute function ${schema}.keep_sent()`);
  }
}

/** Events that were handled long ago arrive again: what a carrier that forgets acknowledgements does. */
export async function repeatEvents(platform: TestPlatform, rows: number, random: Random): Promise<true> {
  for (const schema of SCHEMAS) {
    const epoch = EPOCH_OF_REPEATS + random.between(0, 1_000_000);
    await platform.database.query(
      `with chosen as (select distinct on (id) * from ${schema}.sent_events order by id),
            picked as (select * from chosen order by md5(id::text || $2::text) limit $1)
       insert into ${schema}.outbox (id, name, at, ctx, data, order_key, pending, epoch, locked_until)
       select id, name, at, ctx, data, order_key, pending, $2::int, 'epoch' from picked on conflict (id) do nothing`,
      [Math.ceil(rows / 2), epoch],
    );
  }
  return true;
}

/** How many deliveries (several travel in one event) went out again after they had been confirmed. */
export async function repeatedDeliveries(platform: TestPlatform): Promise<number> {
  let repeated = 0;
  for (const schema of SCHEMAS) {
    const [row] = await platform.database.query<{ repeats: number }>(
      `select coalesce(sum(held * (times - 1)), 0)::int as repeats
         from (select count(*) as times, max(coalesce(jsonb_array_length(data->'deliveries'), 1)) as held
                 from ${schema}.sent_events group by id) sent`,
    );
    repeated += row?.repeats ?? 0;
  }
  return repeated;
}
