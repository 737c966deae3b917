import { newId } from '@switchyard/kernel';
import { until, usePlatform } from '@switchyard/testing';
import { TaskActions, transform } from './task-actions';

const platform = usePlatform();
/** Longer than an answer of the key service about an owner is fresh. */
const OUTDATED_MS = 6_000;

describe('an execution whose owner has left the Space', () => {
  const key = platform.service('key');

  afterAll(async () => {
    await key.start();
    await key.ready();
  });

  const rowOf = async (id: string): Promise<{ status: string; code: string | null } | undefined> =>
    (
      await platform.database.query<{ status: string; code: string | null }>(
        `select status, error->>'code' as code from task.executions where id = $1`,
        [id],
      )
    )[0];
  const makeDue = (id: string) =>
    platform.database.query('update task.executions set run_at = clock_timestamp() where id = $1', [id]);

  /** An execution of the task that was begun, and has its first step in an hour. */
  async function begun(taskId: string): Promise<string> {
    const id = newId();
    await platform.database.query(
      `insert into task.executions (space_id, id, task_id, task_version, kind, status, steps, inputs, max_attempts, last_attempt,
         backoff_seconds, timeout_seconds, owner_id, correlation_id, depth, epoch, run_at, started_at, deadline_at)
       select space_id, $2, id, 1, 'MANUAL', 'RUNNING', steps, '{}', 1, 1, 1, 7200, owner_id, $2, 0, 1,
         now() + interval '1 hour', now(), now() + interval '2 hours' from task.tasks where id = $1`,
      [taskId, id],
    );
    return id;
  }

  it('does not go on while the key service is away, as long as that has not said otherwise', async () => {
    const space = await platform.newSpace();
    const member = await space.member();
    const task = await new TaskActions(member).create({ steps: [transform('then', { done: true })] });
    const [first, second] = [await begun(task.id as string), await begun(task.id as string)];
    const removed = await space.owner.delete(`/spaces/${space.id}/members/${member.identity.userId ?? ''}`);
    expect(removed.status).toBe(200);
    await makeDue(first);
    await until(async () => (await rowOf(first))?.status !== 'RUNNING');
    expect(await rowOf(first)).toEqual({ status: 'FAILED', code: 'FORBIDDEN' });
    const at = Date.now();
    await key.stop();
    await until(() => Date.now() - at > OUTDATED_MS);
    await makeDue(second);
    await until(async () => (await rowOf(second))?.status !== 'RUNNING');
    expect(await rowOf(second)).toEqual({ status: 'FAILED', code: 'FORBIDDEN' });
  }, 300_000);
});
