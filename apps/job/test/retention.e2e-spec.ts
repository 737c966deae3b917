import { until, usePlatform } from '@switchyard/testing';
import { JobActions } from './job-actions';
import { Listener } from './listener';

const platform = usePlatform();

/** As if it had been submitted, and had ended, so many days ago. */
const age = (jobId: string, days: number): Promise<unknown> =>
  platform.database.query(
    `update job.jobs set created_at = now() - make_interval(days => $2), finished_at = now() - make_interval(days => $2) where id = $1`,
    [jobId, days],
  );

describe('jobs', () => {
  it('are kept for 30 days, failed ones for 90, and as long as their callback is on its way', async () => {
    const jobs = await JobActions.open(await platform.newSpace());
    const listener = await Listener.open();
    const submit = async (query: string, phase: string, more: Record<string, unknown> = {}): Promise<string> => {
      const { id } = await jobs.submit(query, { maxAttempts: 1, ...more });
      await jobs.reaches(id, phase);
      return id as string;
    };
    const past = await submit('Hi', 'SUCCEEDED', { callbackUrl: listener.url });
    const within = await submit('Hi', 'SUCCEEDED');
    const failed = await submit('@@error 500', 'FAILED');
    const untold = await submit('Hi', 'SUCCEEDED', { callbackUrl: 'http://127.0.0.2:1/' });
    await until(() => listener.received.length === 1);
    await until(async () => {
      const [row] = await platform.database.query('select delivered_at from job.callbacks where job_id = $1', [past]);
      return row?.delivered_at;
    });
    await age(untold, 400);
    await age(within, 29);
    await age(failed, 89);
    await age(past, 31);
    const statusOf = async (id: string): Promise<number> => (await jobs.client.get(`/agent-jobs/${id}`)).status;
    await until(async () => (await statusOf(past)) === 404, { timeoutMs: 60_000 });
    for (const id of [within, failed, untold]) expect(await statusOf(id)).toBe(200);
    expect(await platform.database.query('select 1 from job.callbacks where job_id = $1', [past])).toHaveLength(0);
    await age(failed, 91);
    await until(async () => (await statusOf(failed)) === 404, { timeoutMs: 60_000 });
    listener.close();
  });
});
