import { Database } from '@switchyard/database';
import { newId } from '@switchyard/kernel';
import { LeaseLost, workerName } from '@switchyard/service';
import { usePlatform } from '@switchyard/testing';
import { type Finished, LeasedExecutionsRepository } from '../src/db/leased-executions.repository';
import { ExecutionEndWriter } from '../src/running/execution-end-writer';
import { TaskActions, transform } from './task-actions';

const platform = usePlatform();
const log = { warn: () => undefined, info: () => undefined, error: () => undefined, debug: () => undefined };
const worker = workerName();

describe('ends of executions that are written together', () => {
  let database: Database;
  let endings: ExecutionEndWriter;

  beforeAll(async () => {
    database = new Database({ service: 'task', url: platform.state.databaseLogins['task'] ?? '', poolSize: 1, log });
    await database.connect();
    endings = new ExecutionEndWriter(database, new LeasedExecutionsRepository());
  });

  afterAll(() => database.close());

  /** Executions that this process holds, in their third epoch. */
  async function heldExecutions(count: number): Promise<{ spaceId: string; ids: string[] }> {
    const space = await platform.newSpace();
    const task = await new TaskActions(space.owner).create({ steps: [transform('a', { n: 1 })] });
    const ids = Array.from({ length: count }, newId);
    await platform.database.query(
      `insert into task.executions (space_id, id, task_id, task_version, kind, status, steps, inputs, max_attempts, last_attempt,
         backoff_seconds, timeout_seconds, owner_id, correlation_id, depth, epoch, run_at, started_at, deadline_at, worker, lease_until)
       select t.space_id, given.id, t.id, 1, 'MANUAL', 'RUNNING', t.steps, '{}', 1, 1, 1, 3600, t.owner_id, gen_random_uuid(), 0, 3,
         now(), now(), now() + interval '1 hour', $4, now() + interval '1 hour'
         from task.tasks t, unnest($3::uuid[]) as given (id) where t.space_id = $1 and t.id = $2`,
      [space.id, task.id, ids, worker],
    );
    return { spaceId: space.id, ids };
  }

  const ended = (spaceId: string, id: string, epoch: number, output: unknown): Finished => ({
    hold: { spaceId, id, epoch, worker },
    steps: ['a', 'b'].map((stepId) => ({
      stepId,
      status: 'SUCCEEDED',
      attempt: 1,
      tries: 1,
      outages: 0,
      input: null,
      output: { of: output, in: stepId },
      error: null,
      bytes: 10,
    })),
    ending: { status: 'SUCCEEDED', output, error: null },
  });

  const rowsOf = (spaceId: string) =>
    platform.database.query<{ id: string; status: string; output: unknown; steps: unknown[]; together: boolean }>(
      `select e.id, e.status, e.output, array_agg(s.output order by s.step_id) as steps, bool_and(s.finished_at = e.finished_at) as together
         from task.executions e left join task.execution_steps s on s.space_id = e.space_id and s.execution_id = e.id
        where e.space_id = $1 group by e.space_id, e.id, e.status, e.output`,
      [spaceId],
    );

  it('give each execution its own end and its own steps', async () => {
    const { spaceId, ids } = await heldExecutions(40);
    const outputs = new Map(ids.map((id, n) => [id, n % 4 === 0 ? null : n % 4 === 1 ? [n, { a: '}' }] : { n }]));
    await Promise.all([...outputs].map(([id, output]) => endings.write(ended(spaceId, id, 3, output))));
    const rows = await rowsOf(spaceId);
    expect(rows).toHaveLength(40);
    for (const { id, status, output, steps, together } of rows) {
      const own = outputs.get(id);
      expect({ status, output, together }).toEqual({ status: 'SUCCEEDED', output: own, together: true });
      expect(steps).toEqual([
        { of: own, in: 'a' },
        { of: own, in: 'b' },
      ]);
    }
  });

  it('are refused where the hold is not the last, also beside one that is', async () => {
    const { spaceId, ids } = await heldExecutions(3);
    const [first = '', lapsed = '', retaken = ''] = ids;
    const written = await Promise.allSettled([
      endings.write(ended(spaceId, first, 3, 'first')),
      endings.write(ended(spaceId, lapsed, 2, 'stale')),
      endings.write(ended(spaceId, retaken, 2, 'stale')),
      endings.write(ended(spaceId, retaken, 3, 'last')),
    ]);
    expect(written.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled']);
    for (const each of written) if (each.status === 'rejected') expect(each.reason).toBeInstanceOf(LeaseLost);
    const rows = new Map((await rowsOf(spaceId)).map((row) => [row.id, row]));
    expect(rows.get(lapsed)).toMatchObject({ status: 'RUNNING', steps: [null] });
    expect(rows.get(retaken)).toMatchObject({ output: 'last', steps: [{ of: 'last' }, { of: 'last' }] });
  });
});
