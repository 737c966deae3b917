import type { QueryRunner } from 'typeorm';
import { protectTable } from '../migrations/tables';

/** Rows whose status tells that an event of the platform happened. SQL expressions read `new`. */
export interface PlatformEventTrigger {
  service: string;
  table: string;
  /** The column with the status. */
  status: string;
  /** Events by the status that they begin with. */
  events: Readonly<Record<string, string>>;
  /** Statuses with which rows may be inserted. */
  inserted: readonly string[];
  /** Fields of the change beside `event`, `id`, `at`, `status` and `previousStatus`. */
  facts: Readonly<Record<string, string>>;
  /** Tells that the person who does this transaction did it. */
  isOfCaller: string;
  cause: { causationId: string; correlationId: string; depth: string; root: string; parent: string };
}

/** Events that subscriptions of a Space want: triggers read it in the transaction of each change. */
export async function createPlatformEventWatches(runner: QueryRunner): Promise<void> {
  await runner.query(
    `create table platform_event_watches (space_id uuid not null, event text not null,
       watched_at timestamptz not null default clock_timestamp(), primary key (space_id, event))`,
  );
  await protectTable(runner, 'platform_event_watches');
}

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;
const listOf = (values: readonly string[]): string => `(${values.map(quoted).join(', ')})`;

/**
 * Writes an event to the outbox, in the statement that changes the row, if a subscription of the Space wants it. No
 * code that ends work can forget it, and without a subscription it costs one look at a small table.
 */
export async function createPlatformEventTrigger(runner: QueryRunner, trigger: PlatformEventTrigger): Promise<void> {
  const [row] = (await runner.query('select current_schema() as schema')) as { schema: string }[];
  const schema = `"${row?.schema ?? 'public'}"`;
  const { service, table, status, events, inserted, facts, isOfCaller, cause } = trigger;
  const cases = Object.entries(events).map(([value, event]) => `when ${quoted(value)} then ${quoted(event)}`);
  const fields = Object.entries(facts).map(([name, sql]) => `${quoted(name)}, ${sql}`);
  await runner.query(
    `create function raise_events_of_${table}() returns trigger language plpgsql as $raise$
     declare
       happened text := case new.${status} ${cases.join(' ')} end;
       caller text := case when ${isOfCaller} then coalesce(current_setting('app.actor', true), '') else '' end;
     begin
       if exists (select 1 from ${schema}.platform_event_watches w where w.space_id = new.space_id and w.event = happened) then
         insert into ${schema}.outbox (id, name, at, ctx, data, pending, epoch, locked_until)
         values (gen_random_uuid(), ${quoted(`${service}.platform-change`)}, clock_timestamp(),
           jsonb_build_object('requestId', gen_random_uuid(), 'spaceId', new.space_id, 'userId', null, 'role', null, 'scopes', '[]'::jsonb,
             'credentialId', ${quoted(service)}, 'credentialType', 'service', 'applicationId', null,
             'causationId', ${cause.causationId}, 'correlationId', ${cause.correlationId}, 'depth', ${cause.depth},
             'lineage', jsonb_build_object('root', ${cause.root}, 'parent', ${cause.parent})),
           jsonb_build_object('event', happened, 'id', new.id, 'at', to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
             'status', new.${status}, 'previousStatus', case when tg_op = 'UPDATE' then old.${status} end,
             'actorType', nullif(split_part(caller, ' ', 1), ''), 'actorId', nullif(split_part(caller, ' ', 2), ''),
             ${fields.join(', ')}),
           '{event-bus}', 0, clock_timestamp());
       end if;
       return null;
     end $raise$`,
  );
  await runner.query(
    `create trigger raise_events_on_update after update of ${status} on ${table} for each row
       when (new.${status} is distinct from old.${status} and new.${status} in ${listOf(Object.keys(events))})
       execute function raise_events_of_${table}()`,
  );
  if (inserted.length > 0)
    await runner.query(
      `create trigger raise_events_on_insert after insert on ${table} for each row
         when (new.${status} in ${listOf(inserted)}) execute function raise_events_of_${table}()`,
    );
}
