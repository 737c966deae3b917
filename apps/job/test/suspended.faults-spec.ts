import { until, usePlatform } from '@switchyard/testing';
import { JobActions } from './job-actions';
import {
  IS_TURN_OVER,
  LONG_TURN,
  OPEN,
  OVER,
  OpenWork,
  SERVICES,
  decide,
  each,
  execute,
  has,
  query,
} from './open-work';

const platform = usePlatform();
const MANY = 600;

describe('a Space that is suspended while services are down', () => {
  afterAll(async () => {
    await each(SERVICES, 'start');
    await each(SERVICES, 'ready');
  });

  it('has its times stopped when they start, as of when it was suspended, and over further restarts', async () => {
    const [work, other] = [
      await OpenWork.begin(await platform.newSpace()),
      await OpenWork.begin(await platform.newSpace(), { isLong: true }),
    ];
    const { space } = work;
    await each(SERVICES, 'stop');
    await decide(space, 'suspend');
    await each(SERVICES, 'start');
    for (const service of SERVICES)
      await until(() =>
        has(
          `select 1 from ${service}.stopped_clocks c join key.spaces s on s.space_id = c.space_id
           where c.space_id = $1 and c.since = s.suspended_at`,
          space.id,
        ),
      );
    await work.prolong();
    await Promise.all([work.makeLate(), other.makeLate()]);
    await each(SERVICES, 'crash');
    await until(async () => Object.values(await other.stands()).every((stand) => Object.values(OVER).includes(stand)), {
      timeoutMs: 120_000,
    });
    expect(await other.stands()).toEqual(OVER);
    expect(await work.stands()).toEqual(OPEN);
    await decide(space, 'resume');
    await work.answer();
    expect(await work.jobs.reaches(work.jobId, 'SUCCEEDED')).toMatchObject({ attempt: 1 });
    await until(async () => (await work.stands()).execution === 'SUCCEEDED');
    for (const service of SERVICES)
      expect(await has(`select 1 from ${service}.stopped_clocks where space_id = $1`, space.id)).toBe(false);
  }, 300_000);

  it('goes on when they start, if it was resumed while they were down', async () => {
    const work = await OpenWork.begin(await platform.newSpace());
    const { space } = work;
    await decide(space, 'suspend');
    for (const service of SERVICES)
      await until(() => has(`select 1 from ${service}.stopped_clocks where space_id = $1`, space.id));
    await work.prolong();
    await work.makeLate();
    await each(SERVICES, 'stop');
    await decide(space, 'resume');
    await each(SERVICES, 'start');
    await each(SERVICES, 'ready');
    await work.answer();
    await work.jobs.reaches(work.jobId, 'SUCCEEDED');
    await until(async () => (await work.stands()).execution === 'SUCCEEDED');
  }, 300_000);
});

describe('stopped clocks', () => {
  const isStopped = (space: { id: string }): Promise<boolean> =>
    has('select 1 from job.stopped_clocks where space_id = $1', space.id);
  /** As a process does that has missed that the Space was resumed. */
  const stop = (space: { id: string }) => query('insert into job.stopped_clocks (space_id) values ($1)', [space.id]);

  it('stay while the Space is suspended, also if this process has not heard of it', async () => {
    const [space, other] = [await platform.newSpace(), await platform.newSpace()];
    const jobs = await JobActions.open(space);
    // The job service knows the Space as active.
    await jobs.reaches((await jobs.submit('hello')).id, 'SUCCEEDED');
    await query(`update key.spaces set status = 'SUSPENDED', suspended_at = now() where space_id = $1`, [space.id]);
    await stop(space);
    // Two rounds: the first may have begun before.
    for (let round = 0; round < 2; round += 1) {
      await stop(other);
      await until(async () => !(await isStopped(other)));
    }
    expect(await isStopped(space)).toBe(true);
    await query(`update key.spaces set status = 'ACTIVE', suspended_at = null where space_id = $1`, [space.id]);
    await until(async () => !(await isStopped(space)));
  }, 300_000);

  it('start for a Space behind more suspended ones than a page', async () => {
    const ids = `select ('00000000-0000-4000-8000-' || lpad(to_hex(n), 12, '0'))::uuid as id from generate_series(1, $1::int) n`;
    const space = await platform.newSpace();
    try {
      await query(
        `insert into key.spaces (space_id, id, name, sealed_webhook_secret, status, suspended_at)
         select id, id, 'Many', '\\x00', 'SUSPENDED', now() from (${ids}) many`,
        [MANY],
      );
      await query(
        `insert into job.stopped_clocks (space_id, since) select id, now() - interval '1 hour' from (${ids}) many`,
        [MANY],
      );
      await stop(space);
      await until(async () => !(await isStopped(space)), { timeoutMs: 120_000 });
      expect(await query(`select 1 from job.stopped_clocks where space_id in (${ids})`, [MANY])).toHaveLength(MANY);
    } finally {
      await query(`delete from key.spaces where space_id in (${ids})`, [MANY]);
      await query(`delete from job.stopped_clocks where space_id in (${ids})`, [MANY]);
    }
  }, 300_000);

  it('are not moved twice for one suspension, if a process hears late of it', async () => {
    const space = await platform.newSpace();
    const jobs = await JobActions.open(space);
    const { id } = await jobs.submit(LONG_TURN);
    await until(() => has(`select 1 from job.jobs where id = $1 and deadline_at is not null`, id));
    const deadline = async (): Promise<number> =>
      (
        await query<{ at: number }>(
          'select extract(epoch from deadline_at)::float8 as at from job.jobs where id = $1',
          [id],
        )
      )[0]!.at;
    const before = await deadline();
    await decide(space, 'suspend');
    await until(() => isStopped(space));
    await query(`update job.stopped_clocks set since = since - interval '1 hour' where space_id = $1`, [space.id]);
    await decide(space, 'resume');
    await until(async () => !(await isStopped(space)));
    const moved = await deadline();
    expect(moved - before).toBeGreaterThan(3_500);
    // Suspended once more, and the announcement of an hour ago comes late.
    await query(
      `update key.spaces set status = 'SUSPENDED', suspended_at = now() - interval '1 hour' where space_id = $1`,
      [space.id],
    );
    await platform.service('job').crash();
    await until(() => isStopped(space));
    await query(`update key.spaces set status = 'ACTIVE', suspended_at = null where space_id = $1`, [space.id]);
    await until(async () => !(await isStopped(space)));
    expect((await deadline()) - moved).toBeLessThan(600);
  }, 300_000);
});

describe('while the key service is away and nothing is known of a Space', () => {
  const key = platform.service('key');
  const others = ['job', 'task', 'dataset', 'agent'];

  afterEach(async () => {
    await key.start();
    await key.ready();
  });

  it('a request that needs a ceiling is 503 with Retry-After', async () => {
    const space = await platform.newSpace();
    await Promise.all(others.map((name) => platform.service(name).restart()));
    await each(others, 'ready');
    // The gateway knows the credential, and no other service the Space.
    expect((await space.owner.get('/auth/me')).status).toBe(200);
    await key.stop();
    const agent = { name: 'A', model: 'sim-chat', systemPrompt: 'You help.' };
    const task = { name: 'T', steps: [{ id: 'a', type: 'transform', with: { b: 1 } }] };
    const dataset = { name: 'D', schema: { fields: [{ name: 'n', type: 'integer' }] } };
    for (const [path, body] of [
      ['/agents', agent],
      ['/tasks', task],
      ['/datasets', dataset],
    ] as const) {
      const reply = await space.owner.post(path, body);
      expect([path, reply.status, reply.body.code, reply.body.message, reply.headers['retry-after']]).toEqual([
        path,
        503,
        'SERVICE_UNAVAILABLE',
        expect.stringContaining('ceilings'),
        expect.stringMatching(/^[1-9]/),
      ]);
    }
  }, 300_000);

  it('its work ends neither failed nor timed out, and goes on when the key service is there again', async () => {
    const [work, active] = [
      await OpenWork.begin(await platform.newSpace()),
      await OpenWork.begin(await platform.newSpace()),
    ];
    await each(['job', 'task'], 'stop');
    for (const { jobId } of [work, active]) await until(() => has(IS_TURN_OVER, jobId), { timeoutMs: 120_000 });
    await platform.service('session').stop();
    // Nothing of it is due before the key service is away: else its status would be asked for, and known.
    const later = `clock_timestamp() + interval '1 hour'`;
    for (const { jobId, executionId } of [work, active]) {
      await query(`update job.jobs set run_at = ${later} where id = $1`, [jobId]);
      await query(`update task.executions set run_at = ${later} where id = $1`, [executionId]);
    }
    await each(SERVICES, 'start');
    await each(SERVICES, 'ready');
    // These services learn that the other Space is active.
    await active.jobs.reaches((await active.jobs.submit('hello')).id, 'SUCCEEDED');
    await execute(active.space.owner, [{ id: 'a', type: 'transform', with: { b: 1 } }]);
    await key.stop();
    await Promise.all([work.makeLate(), active.makeLate()]);
    for (const [table, id] of [
      ['job.jobs', work.jobId],
      ['task.executions', work.executionId],
    ] as const)
      await query(`update ${table} set run_at = clock_timestamp() where id = $1`, [id]);
    await until(
      async () => {
        const { job, execution } = await active.stands();
        return job === 'TIMED_OUT' && execution === 'TIMED_OUT';
      },
      { timeoutMs: 120_000 },
    );
    // Claimed, and put off.
    for (const [table, id] of [
      ['job.jobs', work.jobId],
      ['task.executions', work.executionId],
    ] as const)
      await until(() =>
        has(`select 1 from ${table} where id = $1 and worker is null and run_at > clock_timestamp() and epoch > 1`, id),
      );
    expect(await work.stands()).toEqual(OPEN);
    await query(`update job.jobs set deadline_at = ${later} where id = $1`, [work.jobId]);
    await query(`update task.executions set deadline_at = ${later} where id = $1`, [work.executionId]);
    await query(`update session.interactions set expires_at = ${later} where space_id = $1`, [work.space.id]);
    await key.start();
    await key.ready();
    await work.jobs.reaches(work.jobId, 'SUCCEEDED');
    await until(async () => (await work.stands()).execution === 'SUCCEEDED');
    await work.answer();
  }, 300_000);
});
