import type { TestPlatform } from '@switchyard/testing';

/** One write to a row that has a state and an epoch. */
export interface StateChange {
  table: AuditedTable;
  id: string;
  from: string;
  to: string;
  epochFrom: number;
  epochTo: number;
  /** The worker with the row's lease, if any, and the process that wrote. */
  worker: string | null;
  by: string;
}

/** Where each state may lead; one that leads nowhere is an end, after which nothing is written at all. */
const WAYS = {
  'task.executions': {
    QUEUED: ['RUNNING', 'CANCELLED', 'SKIPPED'],
    RUNNING: ['QUEUED', 'SUCCEEDED', 'FAILED', 'CANCELLED', 'TIMED_OUT'],
  },
  'job.jobs': {
    QUEUED: ['RUNNING', 'CANCELLED'],
    RUNNING: ['RETRYING', 'WAITING_INPUT', 'CANCELLING', 'SUCCEEDED', 'FAILED', 'TIMED_OUT', 'CANCELLED'],
    RETRYING: ['RUNNING', 'CANCELLED', 'TIMED_OUT'],
    WAITING_INPUT: ['RUNNING', 'CANCELLING', 'CANCELLED', 'SUCCEEDED', 'FAILED', 'TIMED_OUT'],
    CANCELLING: ['CANCELLED'],
  },
  'session.turns': {
    RUNNING: ['WAITING_INPUT', 'COMPLETED', 'FAILED', 'CANCELLED'],
    WAITING_INPUT: ['RUNNING', 'CANCELLED'],
  },
} as const satisfies Record<string, Record<string, readonly string[]>>;

export type AuditedTable = keyof typeof WAYS;
const STATE_OF: Record<AuditedTable, string> = {
  'task.executions': 'status',
  'job.jobs': 'phase',
  'session.turns': 'status',
};

/** Has the database write down each change of state by any process. */
export async function audit(platform: TestPlatform, table: AuditedTable): Promise<void> {
  const state = STATE_OF[table];
  const [schema] = table.split('.');
  await platform.database.query(`
    create table if not exists ${schema}.state_changes
      (seq bigint generated always as identity, id uuid, "from" text, "to" text, epoch_from int, epoch_to int, worker text, by text);
    grant insert on ${schema}.state_changes to public;
    create or replace function ${schema}.note_change() returns trigger language plpgsql as $$ begin
      insert into ${schema}.state_changes (id, "from", "to", epoch_from, epoch_to, worker, by)
        values (new.id, old.${state}, new.${state}, old.epoch, new.epoch, to_jsonb(old)->>'worker', current_setting('application_name'));
      return new;
    end $$;
    create or replace trigger note_change after update on ${table} for each row execute function ${schema}.note_change()`);
}

export async function changesOf(platform: TestPlatform, table: AuditedTable): Promise<StateChange[]> {
  const [schema] = table.split('.');
  const rows = await platform.database.query<Omit<StateChange, 'table'> & Record<string, unknown>>(
    `select id, "from", "to", epoch_from as "epochFrom", epoch_to as "epochTo", worker, by from ${schema}.state_changes order by seq`,
  );
  return rows.map((row) => ({ ...row, table }));
}

/**
 * Out of these only the worker that holds the row leads on, and only others' cancellations and the sweeper's epochs do
 * else.
 */
const LEASED = new Set(['RUNNING', 'WAITING_INPUT']);
const BY_ANYBODY = new Set(['CANCELLING', 'CANCELLED']);

const processOf = (text: string): string | undefined =>
  /@[0-9a-f]+\.\d+\.(\d+)\.\d+$|\/(\d+)$/.exec(text)?.slice(1).join('');

/** A worker that was taken for dead writes nothing any more: what it did is another's to do. */
function isByStranger({ table, from, to, epochFrom, epochTo, worker, by }: StateChange): boolean {
  // Turns are held by agents, for whom the session service writes.
  if (table === 'session.turns' || to === from || epochTo !== epochFrom) return false;
  if (!LEASED.has(from) || BY_ANYBODY.has(to)) return false;
  return worker === null || processOf(worker) !== processOf(by);
}

export function wrongChanges(changes: readonly StateChange[]): string[] {
  return changes.flatMap((change) => {
    const { table, id, from, to, epochFrom, epochTo, worker, by } = change;
    const ways: Record<string, readonly string[]> = WAYS[table];
    if (!ways[from]) return [`${id} was ${from} and was written again, as ${to}`];
    if (to !== from && !ways[from].includes(to)) return [`${id} went from ${from} to ${to}`];
    if (isByStranger(change)) return [`${id} went from ${from} to ${to} by ${by}, while ${worker ?? 'nobody'} held it`];
    return epochTo < epochFrom ? [`the epoch of ${id} fell from ${epochFrom} to ${epochTo}`] : [];
  });
}
