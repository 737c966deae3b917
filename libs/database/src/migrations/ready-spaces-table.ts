import type { QueryRunner } from 'typeorm';
import { createIndexes, protectTable } from './tables';

export interface QueueTable {
  table: string;
  /** State column. */
  status: string;
  /** States that wait for a worker from `run_at` on. */
  queued: readonly string[];
  /** States that count against the Space's limit. */
  busy: readonly string[];
}

const listOf = (states: readonly string[]): string => states.map((state) => `'${state}'`).join(', ');

/**
 * `ready_spaces` has a row for each Space that ever had work; from `due_at` on it may have a row to claim. Claimers
 * read due Spaces in that order, so a round costs what is ready, not what exists. Triggers maintain it: a queued row
 * makes its Space due, and a row that stops being busy unblocks its Space. A due Space is only locked with KEY SHARE,
 * so writers of one Space do not wait for each other. A claimer that postpones a Space takes FOR UPDATE, which excludes
 * those writers: it either sees their rows, or leaves the Space due.
 */
export async function readySpacesTable(runner: QueryRunner, queue: QueueTable): Promise<void> {
  const { table, status } = queue;
  await createTable(runner);
  await createTriggers(runner, queue);
  await createIndexes(runner, {
    [`${table}_next`]: `on ${table} (space_id, run_at) where ${status} in (${listOf(queue.queued)})`,
  });
}

async function createTable(runner: QueryRunner): Promise<void> {
  await runner.query('create table ready_spaces (space_id uuid primary key, due_at timestamptz not null)');
  await runner.query(
    'alter table ready_spaces set (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0)',
  );
  await runner.query('create index ready_spaces_due on ready_spaces (due_at)');
  await protectTable(runner, 'ready_spaces');
}

async function createTriggers(runner: QueryRunner, { table, status, ...states }: QueueTable): Promise<void> {
  const [queued, busy] = [listOf(states.queued), listOf(states.busy)];
  const [row] = (await runner.query('select current_schema() as schema')) as { schema: string }[];
  const spaces = `"${row?.schema ?? 'public'}".ready_spaces`;
  await runner.query(
    `create function mark_space_ready() returns trigger language plpgsql as $$
     begin
       perform 1 from ${spaces} where space_id = new.space_id and due_at <= greatest(new.run_at, clock_timestamp()) for key share;
       if not found then
         insert into ${spaces} values (new.space_id, greatest(new.run_at, clock_timestamp()))
         on conflict (space_id) do update set due_at = clock_timestamp();
       end if;
       return null;
     end $$`,
  );
  await runner.query(
    `create function mark_spaces_ready() returns trigger language plpgsql as $$
     begin
       insert into ${spaces} as marked
         select space_id, due_at from (
           select space_id, greatest(min(run_at), clock_timestamp()) as due_at from new_rows where ${status} in (${queued}) group by space_id) added
         where not exists (
           select 1 from ${spaces} r where r.space_id = added.space_id and r.due_at <= added.due_at for key share)
         order by space_id
       on conflict (space_id) do update set due_at = least(marked.due_at, excluded.due_at);
       return null;
     end $$`,
  );
  await runner.query(
    `create function mark_space_unblocked() returns trigger language plpgsql as $$
     begin
       perform 1 from ${spaces} where space_id = new.space_id and due_at <= clock_timestamp() for key share;
       if not found then
         update ${spaces} set due_at = clock_timestamp() where space_id = new.space_id and due_at > clock_timestamp();
       end if;
       return null;
     end $$`,
  );
  await runner.query(
    `create trigger ready_when_added after insert on ${table} referencing new table as new_rows
     for each statement execute function mark_spaces_ready()`,
  );
  await runner.query(
    `create trigger ready_when_queued after update of ${status} on ${table} for each row
     when (new.${status} in (${queued}) and old.${status} is distinct from new.${status}) execute function mark_space_ready()`,
  );
  await runner.query(
    `create trigger ready_when_unblocked after update of ${status} on ${table} for each row
     when (old.${status} in (${busy}) and new.${status} not in (${busy})) execute function mark_space_unblocked()`,
  );
}
