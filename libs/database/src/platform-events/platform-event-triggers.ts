import type { QueryRunner } from 'typeorm';
import { changeBriefly } from '../migrations/online';
import { protectTable } from '../migrations/tables';
import { TRIGGER_WROTE } from './trigger-notices';

/** SQL conditions by the event that they tell. */
type Conditions = Readonly<Record<string, string>>;

/** Changes of a table that tell events of the platform. SQL expressions read `new`, and `old` of an update. */
export interface PlatformEventTrigger {
  service: string;
  table: string;
  inserted?: Conditions;
  updated?: { columns: readonly string[]; events: Conditions };
  /** Here `new` is the deleted row; conditions read `old`. */
  deleted?: Conditions;
  /** Joins that `facts` and `cause` read. */
  joins?: string;
  /** The record's id; `new.id` if it is not given. */
  id?: string;
  /** The column with its status; null: it has none. */
  status: string | null;
  /** Fields of the change beside `event`, `id` and `at`. */
  facts: Readonly<Record<string, string>>;
  /** The person or credential that did it, as `app.actor` has it; null or an empty text for the platform. */
  actor: string;
  /** Of a run; null for what a request does. */
  cause: { causationId: string; correlationId: string; depth: string; root: string; parent: string } | null;
}

/** The caller of this transaction. */
export const CALLER = `current_setting('app.actor', true)`;

/** Events of rows whose status becomes one of these. */
export const statusEvents = (column: string, events: Conditions): NonNullable<PlatformEventTrigger['updated']> => ({
  columns: [column],
  events: Object.fromEntries(
    Object.entries(events).map(([status, event]) => [
      event,
      `new.${column} is distinct from old.${column} and new.${column} = ${quoted(status)}`,
    ]),
  ),
});

/** The field `action` of an event of changes. */
export const ACTION = `case tg_op when 'INSERT' then 'created' when 'DELETE' then 'deleted' else 'updated' end`;

/** One event for a row that is inserted, deleted, or changed in one of these columns. */
export const changeEvents = (
  event: string,
  columns: readonly string[],
): Pick<PlatformEventTrigger, 'inserted' | 'updated' | 'deleted'> => ({
  inserted: { [event]: 'true' },
  updated: {
    columns,
    events: { [event]: columns.map((column) => `new.${column} is distinct from old.${column}`).join(' or ') },
  },
  deleted: { [event]: 'true' },
});

/** As the trigger was before its events had the name: of a column that goes. */
export const withoutName = (trigger: PlatformEventTrigger): PlatformEventTrigger => {
  const { name: _name, ...facts } = trigger.facts;
  return { ...trigger, facts };
};

/** Events that subscriptions of a Space want: triggers read it in the transaction of each change. */
export async function createPlatformEventWatches(runner: QueryRunner): Promise<void> {
  await runner.query(
    `create table if not exists platform_event_watches (space_id uuid not null, event text not null,
       watched_at timestamptz not null default clock_timestamp(), primary key (space_id, event))`,
  );
  await protectTable(runner, 'platform_event_watches');
}

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** Of a request, which may be part of a run. */
const CAUSE_OF_CALLER = `jsonb_build_object('causationId', null, 'correlationId', null, 'depth', 0)
  || coalesce(nullif(current_setting('app.cause', true), '')::jsonb, '{}')`;

const causeSql = (cause: PlatformEventTrigger['cause']): string =>
  cause === null
    ? CAUSE_OF_CALLER
    : `jsonb_build_object('causationId', ${cause.causationId}, 'correlationId', ${cause.correlationId}, 'depth', ${cause.depth},
         'lineage', jsonb_build_object('root', ${cause.root}, 'parent', ${cause.parent}))`;

/**
 * Writes an event to the outbox, in the statement that changes the row, if a subscription of the Space wants it. No
 * code that ends work can forget it, and without a subscription it costs one look at a small table. The process that
 * commits is notified over its connection and publishes at once.
 */
export async function createPlatformEventTrigger(runner: QueryRunner, trigger: PlatformEventTrigger): Promise<void> {
  const { table, inserted, updated, deleted } = trigger;
  await dropPlatformEventTriggers(runner, table);
  if (inserted) await createTrigger(runner, trigger, { operation: 'insert', on: 'insert', events: inserted });
  if (updated) {
    const on = `update of ${updated.columns.join(', ')}`;
    await createTrigger(runner, trigger, { operation: 'update', on, events: updated.events });
  }
  if (deleted) await createTrigger(runner, trigger, { operation: 'delete', on: 'delete', events: deleted });
}

/** With the function of earlier versions. */
export async function dropPlatformEventTriggers(runner: QueryRunner, table: string): Promise<void> {
  await runner.query(`drop function if exists raise_events_of_${table}() cascade`);
  for (const operation of ['insert', 'update', 'delete'])
    await runner.query(`drop function if exists raise_${operation}_events_of_${table}() cascade`);
}

/** Where a subscription of the Space wants it, changes of these tables are written to the outbox from now on. */
export const installPlatformEvents = (runner: QueryRunner, triggers: readonly PlatformEventTrigger[]): Promise<void> =>
  changeBriefly(runner, async () => {
    await createPlatformEventWatches(runner);
    for (const trigger of triggers) await createPlatformEventTrigger(runner, trigger);
  });

export const removePlatformEvents = (runner: QueryRunner, triggers: readonly PlatformEventTrigger[]): Promise<void> =>
  changeBriefly(runner, async () => {
    for (const { table } of triggers) await dropPlatformEventTriggers(runner, table);
    await runner.query('drop table platform_event_watches');
  });

interface Operation {
  operation: 'insert' | 'update' | 'delete';
  on: string;
  events: Conditions;
}

async function createTrigger(
  runner: QueryRunner,
  trigger: PlatformEventTrigger,
  { operation, on, events }: Operation,
): Promise<void> {
  const [row] = (await runner.query('select current_schema() as schema')) as { schema: string }[];
  const schema = `"${row?.schema ?? 'public'}"`;
  const { service, table, status, facts, actor, cause, joins = '', id = 'new.id' } = trigger;
  const cases = Object.entries(events).map(([event, condition]) => `case when ${condition} then ${quoted(event)} end`);
  const statuses =
    status === null
      ? []
      : [`'status', new.${status}`, ...(operation === 'update' ? [`'previousStatus', old.${status}`] : [])];
  const fields = [...statuses, ...Object.entries(facts).map(([name, sql]) => `${quoted(name)}, ${sql}`)];
  await runner.query(
    `create function raise_${operation}_events_of_${table}() returns trigger language plpgsql as $raise$
     declare
       happened text;
       caller text;
     begin
       ${operation === 'delete' ? 'new := old;' : ''}
       for happened in
         select w.event from ${schema}.platform_event_watches w where w.space_id = new.space_id and w.event in (${cases.join(', ')})
       loop
         caller := coalesce(${actor}, '');
         insert into ${schema}.outbox (id, name, at, ctx, data, pending, epoch, locked_until)
         select gen_random_uuid(), ${quoted(`${service}.platform-change`)}, clock_timestamp(),
           jsonb_build_object('requestId', gen_random_uuid(), 'spaceId', new.space_id, 'userId', null, 'role', null, 'scopes', '[]'::jsonb,
             'credentialId', ${quoted(service)}, 'credentialType', 'service', 'applicationId', null)
             || ${causeSql(cause)},
           jsonb_build_object('event', happened, 'id', ${id}, 'at', to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
             'actorType', nullif(split_part(caller, ' ', 1), ''), 'actorId', nullif(split_part(caller, ' ', 2), ''),
             ${fields.join(', ')}),
           '{event-bus}', 0, clock_timestamp() from (select 1) changed ${joins};
         if found and coalesce(current_setting('app.trigger_wrote', true), '') = '' then
           perform set_config('app.trigger_wrote', 'yes', true);
           raise info 'a trigger wrote to the outbox' using errcode = ${quoted(TRIGGER_WROTE)};
         end if;
       end loop;
       return null;
     end $raise$`,
  );
  await runner.query(
    `create trigger raise_events_on_${operation} after ${on} on ${table} for each row
       when (${Object.values(events)
         .map((condition) => `(${condition})`)
         .join(' or ')})
       execute function raise_${operation}_events_of_${table}()`,
  );
}
