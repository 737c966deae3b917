import { randomUUID } from 'node:crypto';
import { TestPlatform, type TestSpace } from '@switchyard/testing';

const OTHER_SPACES = 100;
const DAYS = 30;
const PIECE = 50_000;
/** Of one chain, more than a tree shows. */
const CHAIN = 1_200;
/** With their steps, as many nodes as a tree shows. */
const WHOLE_TREE = 500;
const COLUMNS = `space_id, id, task_id, task_version, kind, status, steps, inputs, output, max_attempts, last_attempt, backoff_seconds, timeout_seconds,
  owner_id, requested_by, correlation_id, depth, created_at, started_at, finished_at`;
const STEPS = `'[{"id":"one","type":"transform","with":{"n":1}}]'::jsonb`;
/** Nearly all succeeded, and one in ten thousand timed out. */
const STATUS = `case when n % 10000 = 1 then 'TIMED_OUT' when n % 100 = 2 then 'FAILED' when n % 500 = 3 then 'CANCELLED' when n % 1000 = 4 then 'SKIPPED' else 'SUCCEEDED' end`;
const KIND = `case when n % 50 = 0 then 'MANUAL' when n % 3 = 0 then 'SCHEDULE' else 'EVENT' end`;

export interface ExecutionsGround {
  platform: TestPlatform;
  space: TestSpace;
  userId: string;
  taskId: string;
  /** The head of a chain of many executions. */
  chainId: string;
  /** The head of a chain that is shown whole. */
  treeId: string;
  /** An execution of each status that has ended long ago. */
  oldIds: string[];
}

/** A Space with so many ended executions of 200 tasks over a month, and other Spaces with theirs. */
export async function prepareExecutions(
  count: number,
  others: number,
  report: (line: string) => void,
): Promise<ExecutionsGround> {
  const platform = new TestPlatform();
  const space = await platform.newSpace();
  const body = {
    name: 'Bench',
    type: 'MANUAL',
    active: true,
    steps: [{ id: 'one', type: 'transform', with: { n: 1 } }],
  };
  const made = await space.owner.post('/tasks', body);
  const taskId = (made.body as { data: { id: string } }).data.id;
  const userId = space.owner.identity.userId ?? '';
  await platform.database.query(
    `insert into task.tasks (space_id, id, name, type, active, owner_id, steps, inputs, concurrency_limit, concurrency_policy, retry, timeout_seconds, metadata)
     select space_id, md5('task ' || n)::uuid, 'Task ' || n, type, active, owner_id, steps, inputs, concurrency_limit, concurrency_policy, retry, timeout_seconds, metadata
       from task.tasks, generate_series(1, 199) n where space_id = $1 and id = $2`,
    [space.id, taskId],
  );
  const ground = { platform, space, userId, taskId, chainId: randomUUID(), treeId: randomUUID(), oldIds: [] };
  for (let from = 0; from < count; from += PIECE) {
    await fill(ground, from, Math.min(PIECE, count - from), count);
    report(`${Math.min(from + PIECE, count)} executions`);
  }
  await fillOthers(ground, others);
  await addChain(ground, ground.chainId, CHAIN);
  await addChain(ground, ground.treeId, WHOLE_TREE - 1);
  await platform.database.query('vacuum (analyze) task.executions');
  await platform.database.query('vacuum (analyze) task.execution_steps');
  const old = await platform.database.query<{ id: string }>(
    `select id from task.executions where space_id = $1 and status = 'FAILED' order by created_at limit 200`,
    [space.id],
  );
  return { ...ground, oldIds: old.map(({ id }) => id) };
}

async function fill({ platform, space, userId, taskId }: ExecutionsGround, from: number, rows: number, of: number) {
  await platform.database.query(
    `insert into task.executions (${COLUMNS})
     select $1, id, case when n % 200 = 0 then $2::uuid else md5('task ' || n % 200)::uuid end, 1, ${KIND}, ${STATUS}, ${STEPS}, '{"n":1}', '{"n":1}', 1, 1, 1, 3600,
       $3, case when n % 50 = 0 then $3::uuid end, id, 0, at, at, at + interval '1 second'
       from (select n, gen_random_uuid() as id, now() - make_interval(secs => ${DAYS * 86_400}::float8 * ($6 - n) / $6) as at
               from generate_series($4::int + 1, $4::int + $5::int) n) made`,
    [space.id, taskId, userId, from, rows, of],
  );
}

async function fillOthers({ platform }: ExecutionsGround, rows: number): Promise<void> {
  await platform.database.query(
    `insert into task.executions (${COLUMNS})
     select md5('space ' || n % ${OTHER_SPACES})::uuid, id, md5('task ' || n % 7)::uuid, 1, ${KIND}, ${STATUS}, ${STEPS}, '{"n":1}', '{"n":1}', 1, 1, 1, 3600,
       null, null, id, 0, at, at, at + interval '1 second'
       from (select n, gen_random_uuid() as id, now() - make_interval(secs => ${DAYS * 86_400}::float8 * n / $1) as at
               from generate_series(1, $1::int) n) made`,
    [rows],
  );
}

/** The executions that one event has led to, with their steps. */
async function addChain(
  { platform, space, taskId, userId }: ExecutionsGround,
  head: string,
  followers: number,
): Promise<void> {
  await platform.database.query(
    `with made as (
       insert into task.executions (${COLUMNS})
       select $1, case when n = 0 then $4::uuid else gen_random_uuid() end, $2, 1, 'EVENT', 'SUCCEEDED', ${STEPS}, '{"n":1}', '{"n":1}', 1, 1, 1, 3600,
         $3, null, $4, least(n, 1), now(), now(), now() from generate_series(0, $5::int) n
       returning space_id, id)
     insert into task.execution_steps (space_id, execution_id, step_id, status, attempt, tries, outages, input, output, started_at, finished_at)
     select space_id, id, 'one', 'SUCCEEDED', 1, 1, 0, '{"n":1}', '{"n":1}', now(), now() from made`,
    [space.id, taskId, userId, head, followers],
  );
}
