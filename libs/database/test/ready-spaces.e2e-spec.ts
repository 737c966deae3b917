import { newId } from '@switchyard/kernel';
import { until, usePlatform } from '@switchyard/testing';
import { Client } from 'pg';

const platform = usePlatform();
const opened: Client[] = [];
const spaceIds: string[] = [];

async function connect(): Promise<Client> {
  const client = new Client({ connectionString: platform.state.databaseUrl });
  await client.connect();
  opened.push(client);
  return client;
}

function newSpaceId(): string {
  const id = newId();
  spaceIds.push(id);
  return id;
}

afterAll(async () => {
  await platform.database.query('delete from task.executions where space_id = any($1)', [spaceIds]);
  await platform.database.query('delete from task.ready_spaces where space_id = any($1)', [spaceIds]);
  await Promise.all(opened.map((client) => client.end()));
});

/** Executions due in `in` seconds, a second apart. */
const addExecutions = `
  insert into task.executions (space_id, id, task_id, task_version, kind, status, steps, inputs, max_attempts, last_attempt, backoff_seconds,
    timeout_seconds, correlation_id, depth, run_at)
  select $1, gen_random_uuid(), gen_random_uuid(), 1, 'MANUAL', 'QUEUED', '[]', '{}', 1, 1, 1, 60, gen_random_uuid(), 0,
    clock_timestamp() + make_interval(secs => $2::int - n) from generate_series(1, $3::int) n`;

interface Explained {
  Triggers: { 'Trigger Name': string; Calls: number }[];
}

describe('many rows that are queued in one statement', () => {
  it('mark their Space once, with the earliest of their times', async () => {
    const client = await connect();
    const spaceId = newSpaceId();
    await client.query('begin');
    const { rows } = await client.query<{ 'QUERY PLAN': Explained[] }>(
      `explain (analyze, format json) ${addExecutions}`,
      [spaceId, 7200, 1000],
    );
    const calls = rows[0]?.['QUERY PLAN'][0]?.Triggers.map((trigger) => [trigger['Trigger Name'], trigger.Calls]);
    const marks = await client.query<{ soon: boolean; late: boolean }>(
      `select due_at < clock_timestamp() + interval '6205 seconds' as soon, due_at > clock_timestamp() + interval '6100 seconds' as late
         from task.ready_spaces where space_id = $1`,
      [spaceId],
    );
    await client.query('rollback');
    expect(calls).toEqual([
      ['activity_insert', 1],
      ['ready_when_added', 1],
    ]);
    expect(marks.rows).toEqual([{ soon: true, late: true }]);
  });
});

describe('a row that is queued while a claimer puts its Space off', () => {
  it('waits for the claimer, and makes the Space due again', async () => {
    const [claimer, writer] = await Promise.all([connect(), connect()]);
    const spaceId = newSpaceId();
    await claimer.query(`insert into task.ready_spaces values ($1, clock_timestamp() + interval '30 minutes')`, [
      spaceId,
    ]);
    await claimer.query('begin');
    await claimer.query('select 1 from task.ready_spaces where space_id = $1 for update', [spaceId]);
    const { rows } = await writer.query<{ pid: number }>('select pg_backend_pid() as pid');
    const added = writer.query(addExecutions, [spaceId, 3600, 1]);
    await until(async () => {
      const waiting = `select 1 from pg_stat_activity where pid = $1 and wait_event_type = 'Lock'`;
      return (await claimer.query(waiting, [rows[0]?.pid])).rowCount === 1;
    });
    await claimer.query(`update task.ready_spaces set due_at = 'infinity' where space_id = $1`, [spaceId]);
    await claimer.query('commit');
    await added;
    const due = await claimer.query(`select 1 from task.ready_spaces where space_id = $1 and due_at < 'infinity'`, [
      spaceId,
    ]);
    expect(due.rowCount).toBe(1);
  });
});
