import { type CounterTable, missingSpaces, until, usePlatform, wrongCounters } from '@switchyard/testing';
import { JobActions } from './job-actions';

const platform = usePlatform();
const JOBS: CounterTable = {
  schema: 'job',
  table: 'jobs',
  status: 'phase',
  owner: 'created_by',
  queued: ['QUEUED', 'RETRYING'],
};
const EACH = 12;

/** Submits jobs that work for a moment, ask or fail, and cancels some of them. While the service is gone, a request may be refused. */
async function storm(jobs: JobActions): Promise<void> {
  const queries = ['@@delay 20\n@@tokens 20', 'Hi', '@@error 400'];
  const all = Array.from({ length: EACH }, async (_, n) => {
    const body = jobs.body(queries[n % queries.length] ?? '', { maxAttempts: 2 });
    const reply = await jobs.client.post('/agent-jobs', body);
    if (n % 4 === 0 && reply.status === 202)
      await jobs.client.post(`/agent-jobs/${(reply.body as { data: { id: string } }).data.id}/cancel`, {});
  });
  await Promise.all(all);
}

describe('a storm of jobs through which the service is killed again and again', () => {
  it('leaves counters that equal a recount, and loses no Space that waits', async () => {
    const spaces = await Promise.all([platform.newSpace(), platform.newSpace()]);
    const ids = spaces.map(({ id }) => id);
    const all = await Promise.all(spaces.map((space) => JobActions.open(space)));
    const there = async (condition: string): Promise<number> =>
      (await platform.database.query(`select 1 from job.jobs where space_id = any($1) and ${condition}`, [ids])).length;
    for (let round = 0; round < 3; round += 1) {
      const before = await there('true');
      const storms = Promise.all(all.map((jobs) => storm(jobs)));
      // Jobs submitted later are refused.
      await until(async () => (await there('true')) >= before + EACH && (await there(`phase = 'RUNNING'`)) > 0);
      await platform.service('job').crash();
      expect(await wrongCounters(platform.database, JOBS, ids)).toEqual([]);
      expect(await missingSpaces(platform.database, JOBS, ids)).toEqual([]);
      await storms;
    }
    await until(async () => (await there('finished_at is null')) === 0, { timeoutMs: 180_000 });
    expect(await there('finished_at is not null')).toBeGreaterThan(EACH);
    expect(await wrongCounters(platform.database, JOBS, ids)).toEqual([]);
    // With nothing left to run, no Space is looked into for nothing.
    await until(async () => {
      const due = `select 1 from job.ready_spaces where space_id = any($1) and due_at < 'infinity'`;
      return (await platform.database.query(due, [ids])).length === 0;
    });
  }, 400_000);
});
