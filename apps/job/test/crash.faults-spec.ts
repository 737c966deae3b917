import { type TestSpace, until, usePlatform } from '@switchyard/testing';
import { JobActions } from './job-actions';
import { Listener } from './listener';

const platform = usePlatform();
let space: TestSpace;
let actions: JobActions;
beforeAll(async () => {
  space = await platform.newSpace();
  actions = await JobActions.open(space);
});

describe('after kill -9 of the service', () => {
  it('jobs end once, with one turn and one callback each', async () => {
    const listener = await Listener.open();
    const jobs = await Promise.all(
      Array.from({ length: 4 }, (_, i) =>
        actions.submit(`@@delay 50\n@@tokens ${200 + i}`, { callbackUrl: listener.url }),
      ),
    );
    for (const { id } of jobs) await actions.reaches(id, 'RUNNING');
    await platform.service('job').crash();
    for (const { id } of jobs)
      expect(await actions.reaches(id, 'SUCCEEDED', 60_000)).toMatchObject({ attempt: 1, progress: 100 });
    await until(() => listener.received.length >= jobs.length);
    expect(listener.received).toHaveLength(jobs.length);
    const calls = async (): Promise<number> =>
      (await space.owner.get('/usage?groupBy=source')).body.data.find(
        ({ source }: { source: string }) => source === 'job',
      ).calls;
    await until(async () => (await calls()) >= jobs.length);
    expect(await calls()).toBe(jobs.length);
    listener.close();
  }, 300_000);

  it('a job that waits for its turn is taken up again, and the turn runs once', async () => {
    const other = await platform.newSpace();
    const own = await JobActions.open(other);
    await platform.service('job').arm('job.waiting', 'kill');
    const { id } = await own.submit('@@delay 200\n@@tokens 25');
    expect(await own.reaches(id, 'SUCCEEDED', 60_000)).toMatchObject({ attempt: 1, progress: 100 });
    const usage = await other.owner.get('/usage?groupBy=source');
    expect(usage.body.data.find(({ source }: { source: string }) => source === 'job')).toMatchObject({ calls: 1 });
  }, 300_000);
});
