import { until, usePlatform } from '@switchyard/testing';
import { JobActions } from './job-actions';

const platform = usePlatform();

describe('jobs whose turns run', () => {
  it('have no worker, so that more of them run than a Space may have workers', async () => {
    const [busy, quiet] = await Promise.all([platform.newSpace(), platform.newSpace()]);
    await busy.owner.patch(`/spaces/${busy.id}`, { settings: { jobConcurrency: 50 } });
    const own = await JobActions.open(busy);
    const jobs = await Promise.all(Array.from({ length: 48 }, () => own.submit('@@delay 1000\n@@tokens 600')));
    const waiting = async (): Promise<number> => {
      const rows = await platform.database.query(
        `select 1 from job.jobs where space_id = $1 and phase = 'RUNNING' and worker is null and turn_id is not null`,
        [busy.id],
      );
      return rows.length;
    };
    await until(async () => (await waiting()) === jobs.length);
    const other = await JobActions.open(quiet);
    await other.reaches((await other.submit('Hi')).id, 'SUCCEEDED');
    await Promise.all(jobs.map(({ id }) => busy.owner.post(`/agent-jobs/${id}/cancel`, {})));
    for (const { id } of jobs) await own.reaches(id, 'CANCELLED');
  }, 120_000);
});
