import { type TestSpace, until, usePlatform } from '@switchyard/testing';
import { JobActions } from './job-actions';

const platform = usePlatform();

const decide = async (space: TestSpace, verb: 'suspend' | 'resume'): Promise<void> => {
  const body = verb === 'suspend' ? { reason: 'a test' } : {};
  expect((await space.operator.post(`/operator/spaces/${space.id}/${verb}`, body)).status).toBe(200);
};
const phaseOf = async (id: string): Promise<string | undefined> =>
  (await platform.database.query<{ phase: string }>('select phase from job.jobs where id = $1', [id]))[0]?.phase;
const isStopped = async (space: TestSpace): Promise<boolean> =>
  (await platform.database.query('select 1 from job.stopped_clocks where space_id = $1', [space.id])).length === 1;

describe('while a Space is suspended', () => {
  it('the time of a job stands still, however long that takes', async () => {
    const [space, other] = [await platform.newSpace(), await platform.newSpace()];
    const [jobs, otherJobs] = [await JobActions.open(space), await JobActions.open(other)];
    const query = '@@delay 50\n@@tokens 40\n@@tool query_dataset {}\n@@reply after the tool';
    const [{ id }, overdue] = [await jobs.submit(query), await otherJobs.submit('@@delay 100\n@@tokens 600')];
    for (const job of [id, overdue.id])
      await until(
        async () =>
          (
            await platform.database.query(
              `select 1 from job.jobs where id = $1 and phase = 'RUNNING' and worker is null`,
              [job],
            )
          ).length === 1,
      );
    await decide(space, 'suspend');
    await until(() => isStopped(space));
    // An hour passes, and one minute of it is more than either of them has.
    await platform.database.query(
      `update job.stopped_clocks set since = since - interval '1 hour' where space_id = $1`,
      [space.id],
    );
    await platform.database.query(
      `update job.jobs set deadline_at = clock_timestamp() - interval '1 minute' where id = any($1)`,
      [[id, overdue.id]],
    );
    await until(async () => (await phaseOf(overdue.id)) === 'TIMED_OUT');
    expect(await phaseOf(id)).toBe('RUNNING');
    await decide(space, 'resume');
    expect(await jobs.reaches(id, 'SUCCEEDED')).toMatchObject({ attempt: 1 });
    expect(await isStopped(space)).toBe(false);
  });
});
