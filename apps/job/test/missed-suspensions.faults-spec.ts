import { until, usePlatform } from '@switchyard/testing';
import { IS_TURN_OVER, OPEN, OVER, OpenWork, SERVICES, decide, each, has, query } from './open-work';

const platform = usePlatform();

describe('a Space that is suspended and resumed twice while services are down', () => {
  afterAll(async () => {
    await each(SERVICES, 'start');
    await each(SERVICES, 'ready');
  });

  it('has its times moved when they start, once, before any of them ends', async () => {
    const [work, other] = [
      await OpenWork.begin(await platform.newSpace()),
      await OpenWork.begin(await platform.newSpace()),
    ];
    const { space } = work;
    const deadlines = async (): Promise<number[]> => {
      const [row] = await query<{ job: number; execution: number; question: number }>(
        `select (select extract(epoch from deadline_at)::float8 from job.jobs where id = $1) as job,
           (select extract(epoch from deadline_at)::float8 from task.executions where id = $2) as execution,
           (select extract(epoch from expires_at)::float8 from session.interactions where space_id = $3) as question`,
        [work.jobId, work.executionId, space.id],
      );
      return row ? [row.job, row.execution, row.question] : [];
    };
    await each(['job', 'task'], 'stop');
    for (const { jobId } of [work, other]) await until(() => has(IS_TURN_OVER, jobId), { timeoutMs: 120_000 });
    await platform.service('session').stop();
    // Nothing of them is due before its deadline is looked at.
    const later = `clock_timestamp() + interval '1 hour'`;
    for (const { jobId, executionId } of [work, other]) {
      await query(`update job.jobs set run_at = ${later} where id = $1`, [jobId]);
      await query(`update task.executions set run_at = ${later} where id = $1`, [executionId]);
    }
    // Two suspensions of an hour each, both after the times began to run.
    await query(
      `insert into key.space_events (space_id, id, action, request_id, at)
       select $1, gen_random_uuid(), action, 'x', now() - ago
       from (values ('space.suspended', interval '1 hour'), ('space.resumed', interval '0')) given (action, ago)`,
      [space.id],
    );
    await decide(space, 'suspend');
    await decide(space, 'resume');
    await query(`update key.spaces set last_resumed_at = last_resumed_at + interval '1 hour' where space_id = $1`, [
      space.id,
    ]);
    await Promise.all([work.makeLate(), other.makeLate()]);
    const before = await deadlines();
    await each(SERVICES, 'start');
    await until(async () => Object.values(await other.stands()).every((stand) => Object.values(OVER).includes(stand)), {
      timeoutMs: 120_000,
    });
    expect(await work.stands()).toEqual(OPEN);
    const movedBy = async (): Promise<number[]> => (await deadlines()).map((at, n) => Math.round(at - before[n]!));
    const hours = expect.closeTo(7_200, -2);
    expect(await movedBy()).toEqual([hours, hours, hours]);
    const moved = await movedBy();
    // The same pause is not moved for again.
    await each(SERVICES, 'crash');
    const third = await OpenWork.begin(await platform.newSpace(), { isLong: true });
    await third.makeLate();
    await until(async () => Object.values(await third.stands()).every((stand) => Object.values(OVER).includes(stand)), {
      timeoutMs: 120_000,
    });
    expect(await movedBy()).toEqual(moved);
    expect(await work.stands()).toEqual(OPEN);
  }, 300_000);

  it('keeps the times that began after that', async () => {
    const work = await OpenWork.begin(await platform.newSpace(), { isLong: true });
    await each(SERVICES, 'stop');
    await query(
      `update key.spaces set last_suspended_at = now() - interval '2 hours', last_resumed_at = now() - interval '1 hour' where space_id = $1`,
      [work.space.id],
    );
    await work.makeLate();
    await each(SERVICES, 'start');
    await until(async () => Object.values(await work.stands()).every((stand) => Object.values(OVER).includes(stand)), {
      timeoutMs: 120_000,
    });
    expect(await work.stands()).toEqual(OVER);
  }, 300_000);
});
