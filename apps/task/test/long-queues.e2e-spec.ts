import { Database, type Read, claimRound } from '@switchyard/database';
import { type TestSpace, usePlatform } from '@switchyard/testing';
import { ExecutionClaimsRepository } from '../src/db/execution-claims.repository';
import { TaskActions, transform } from './task-actions';

const platform = usePlatform();
const log = { warn: () => undefined, info: () => undefined, error: () => undefined, debug: () => undefined };
const claims = new ExecutionClaimsRepository();
const QUEUED = 20_000;
const LIMIT = 20;

class RoundUndone extends Error {}

describe('a claim from a long queue', () => {
  let database: Database;
  let space: TestSpace;
  let taskId: string;

  beforeAll(async () => {
    database = new Database({ service: 'task', url: platform.state.databaseLogins['task'] ?? '', poolSize: 1, log });
    await database.connect();
    space = await platform.newSpace();
    const task = await new TaskActions(space.owner).create({
      steps: [transform('a', { n: 1 })],
      concurrency: { limit: LIMIT },
    });
    taskId = task.id;
  });

  afterAll(async () => {
    await platform.database.query('delete from task.executions where space_id = $1', [space.id]);
    await platform.database.query('analyze task.executions');
    await database.close();
  });

  /** Without a mark that the Space has work, no service takes part. */
  const fill = (): Promise<unknown> =>
    platform.database.query(
      `insert into task.executions (space_id, id, task_id, task_version, kind, status, steps, inputs, max_attempts, last_attempt,
         backoff_seconds, timeout_seconds, owner_id, correlation_id, depth, run_at)
       select t.space_id, gen_random_uuid(), t.id, 1, 'MANUAL', 'QUEUED', t.steps, '{}', 1, 1, 1, 60, t.owner_id, gen_random_uuid(), 0,
         now() - interval '1 hour' + n * interval '1 ms' from task.tasks t, generate_series(1, ${QUEUED}) n where t.id = '${taskId}';
       delete from task.ready_spaces where space_id = '${space.id}'`,
    );

  /** The statements of a round, in a transaction that is undone; rows of the table that its indexes led to. */
  async function round(): Promise<{ claimed: unknown[]; read: number }> {
    let claimed: unknown[] = [];
    let read = 0;
    const quota = { spaceId: space.id, limit: 50, quota: 50, bytes: 1e9, isLimitExact: true };
    const statements: Read[] = claimRound(claims.queue, [quota], 1e9, (chosen) => claims.claimQueued('trial', chosen));
    const run = database.system('try a claim out', async (tx) => {
      await tx.run('insert into ready_spaces values ($1, clock_timestamp())', [space.id]);
      await tx.withOnePlan();
      const results: unknown[][] = [];
      for (const statement of statements) results.push(await tx.statement(statement));
      const rows = await tx.one<{ read: number }>(
        `select idx_tup_fetch::int as read from pg_stat_xact_user_tables where relid = 'executions'::regclass`,
      );
      claimed = results[1] ?? [];
      read = rows?.read ?? 0;
      throw new RoundUndone();
    });
    await expect(run).rejects.toThrow(RoundUndone);
    return { claimed, read };
  }

  it('reads the rows that it takes, and not all that wait', async () => {
    // Postgres counts rows now and then: here the last time was before these were queued.
    await platform.database.query('analyze task.executions');
    await fill();
    const { claimed, read } = await round();
    expect(claimed).toHaveLength(LIMIT);
    expect(read).toBeGreaterThanOrEqual(LIMIT);
    expect(read).toBeLessThan(QUEUED / 10);
  });
});
