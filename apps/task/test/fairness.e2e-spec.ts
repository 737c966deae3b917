import { newId } from '@switchyard/kernel';
import { type TestSpace, until, usePlatform } from '@switchyard/testing';
import { Listener } from './listener';
import { type Step, TaskActions, transform, wait } from './task-actions';

const platform = usePlatform();
let busy: TestSpace;
let quiet: TestSpace;
beforeAll(async () => {
  [busy, quiet] = await Promise.all([platform.newSpace(), platform.newSpace()]);
});

const opened: Listener[] = [];
afterAll(() => {
  for (const listener of opened) listener.close();
});

/** A listener whose slow answers come when the test says so, and that ends with the tests. */
async function openSlow(): Promise<{ listener: Listener; release: () => void }> {
  let release = (): void => undefined;
  const isReleased = new Promise<void>((resolve) => (release = resolve));
  const listener = await Listener.open(() => ({ after: isReleased }));
  opened.push(listener);
  return { listener, release };
}

describe('a Space with more slow executions than a process has places', () => {
  it('leaves a place for the single execution of another Space', async () => {
    const { listener, release } = await openSlow();
    await busy.owner.patch(`/spaces/${busy.id}`, { settings: { taskConcurrency: 50 } });
    const own = new TaskActions(busy.owner);
    const slow: Step = { id: 'slow', type: 'http', with: { url: listener.url, timeoutSeconds: 120 } };
    const task = await own.create({ steps: [slow], concurrency: { limit: 50 } });
    const ids = await Promise.all(Array.from({ length: 60 }, () => own.start(task.id)));
    // Two thirds of the 48 places of the process: it takes no more of this Space.
    await until(() => listener.heard.length === 32, { timeoutMs: 60_000 });
    await new TaskActions(quiet.owner).run([transform('a', { n: 1 })]);
    expect(listener.over).toHaveLength(0);
    expect(listener.heard).toHaveLength(32);
    release();
    await Promise.all(ids.map((id) => own.reaches(id, 'SUCCEEDED')));
  }, 120_000);
});

describe('Spaces of several payers whose addresses do not answer', () => {
  it('hold no place of the others while they wait, and each is asked once', async () => {
    const { listener, release } = await openSlow();
    const slow: Step = { id: 'slow', type: 'http', with: { url: listener.url, timeoutSeconds: 120 } };
    const spaces = await Promise.all([platform.newSpace(), platform.newSpace(), platform.newSpace()]);
    const runs = await Promise.all(
      spaces.map(async ({ id, owner }) => {
        await owner.patch(`/spaces/${id}`, { settings: { taskConcurrency: 50 } });
        const own = new TaskActions(owner);
        const task = await own.create({ steps: [slow], concurrency: { limit: 50 } });
        const ids = await Promise.all(Array.from({ length: 20 }, () => own.start(task.id)));
        return ids.map((run) => ({ own, run }));
      }),
    );
    // As many as the process has places, or more: each payer has a third while others wait.
    await until(() => listener.heard.length >= 48, { timeoutMs: 60_000 });
    const metric = (name: string): Promise<number> => platform.service('task').metric(`switchyard_workers_${name}`);
    expect(await metric('waiting')).toBeGreaterThanOrEqual(48);
    expect(await metric('busy')).toBeLessThan(48);
    await new TaskActions(quiet.owner).run([transform('a', { n: 1 })]);
    expect(listener.over).toHaveLength(0);
    release();
    await Promise.all(runs.flat().map(({ own, run }) => own.reaches(run, 'SUCCEEDED')));
    expect(listener.heard).toHaveLength(60);
  }, 120_000);
});

describe('Spaces of one payer with more slow executions than a process has places', () => {
  it('have one share together, of queued work and of work that its workers lost', async () => {
    const spaces = await Promise.all([platform.newSpace(), platform.newSpace(), platform.newSpace()]);
    await platform.database.query(`update key.spaces set payer_kind = 'user', payer_id = $2 where id = any($1)`, [
      spaces.map(({ id }) => id),
      newId(),
    ]);
    const { listener, release } = await openSlow();
    const slow: Step = { id: 'slow', type: 'http', with: { url: listener.url, timeoutSeconds: 120 } };
    const tasks = await Promise.all(
      spaces.map(async ({ id, owner }) => {
        await owner.patch(`/spaces/${id}`, { settings: { taskConcurrency: 50 } });
        return new TaskActions(owner).create({ steps: [slow], concurrency: { limit: 50 } });
      }),
    );
    await Promise.all(
      spaces.flatMap(({ owner }, at) =>
        Array.from({ length: 16 }, () => new TaskActions(owner).start(tasks[at]?.id ?? '')),
      ),
    );
    await until(() => listener.heard.length === 32, { timeoutMs: 60_000 });
    for (const [at, space] of spaces.entries()) await addLoose(space, tasks[at]?.id ?? '', 20, 600);
    await new TaskActions(quiet.owner).run([transform('a', { n: 1 })]);
    await new TaskActions(quiet.owner).run([transform('a', { n: 1 })]);
    expect([listener.over.length, listener.heard.length]).toEqual([0, 32]);
    release();
    await Promise.all(spaces.map(({ owner }, at) => owner.delete(`/tasks/${tasks[at]?.id ?? ''}`)));
  }, 120_000);
});

/** Executions under way without a lease that are due, as a worker that was lost leaves them. */
async function addLoose(space: TestSpace, taskId: string, count: number, ageSeconds: number): Promise<void> {
  await platform.database.query(
    `insert into task.executions (space_id, id, task_id, task_version, kind, status, steps, inputs, max_attempts, last_attempt, backoff_seconds,
       timeout_seconds, owner_id, correlation_id, depth, epoch, run_at, started_at, deadline_at)
     select t.space_id, gen_random_uuid(), t.id, 1, 'MANUAL', 'RUNNING', t.steps, '{}', 1, 1, 1, 3600, t.owner_id, gen_random_uuid(), 0, 1,
       now() - make_interval(secs => $4), now(), now() + interval '1 hour'
       from task.tasks t, generate_series(1, $3::int) where t.space_id = $1 and t.id = $2`,
    [space.id, taskId, count, ageSeconds],
  );
}

describe('a Space at its share with work that its workers lost', () => {
  it('does not hide the lost work of another Space, however much older it is', async () => {
    const [hoarder, other] = await Promise.all([platform.newSpace(), platform.newSpace()]);
    const { listener, release } = await openSlow();
    await hoarder.owner.patch(`/spaces/${hoarder.id}`, { settings: { taskConcurrency: 50 } });
    const own = new TaskActions(hoarder.owner);
    const slow: Step = { id: 'slow', type: 'http', with: { url: listener.url, timeoutSeconds: 120 } };
    const task = await own.create({ steps: [slow], concurrency: { limit: 50 } });
    await Promise.all(Array.from({ length: 32 }, () => own.start(task.id)));
    await until(() => listener.heard.length === 32, { timeoutMs: 60_000 });
    // More than a round looks at.
    await addLoose(hoarder, task.id, 200, 600);
    const quick = await new TaskActions(other.owner).create({ steps: [transform('a', { n: 1 })] });
    await addLoose(other, quick.id, 1, 1);
    await until(async () => {
      const ended = `select 1 from task.executions where space_id = $1 and status = 'SUCCEEDED'`;
      return (await platform.database.query(ended, [other.id])).length === 1;
    });
    expect(listener.heard).toHaveLength(32);
    release();
    await hoarder.owner.delete(`/tasks/${task.id}`);
  }, 120_000);
});

describe('executions with large inputs', () => {
  it('are claimed only as long as a process has memory for them, and all run', async () => {
    const [heavy, light] = await Promise.all([platform.newSpace(), platform.newSpace()]);
    const { listener, release } = await openSlow();
    await heavy.owner.patch(`/spaces/${heavy.id}`, { settings: { taskConcurrency: 50 } });
    const own = new TaskActions(heavy.owner);
    const slow: Step = { id: 'slow', type: 'http', with: { url: listener.url, timeoutSeconds: 120 } };
    const task = await own.create({ steps: [slow], concurrency: { limit: 1 } });
    const ids = [await own.start(task.id)];
    await until(() => listener.heard.length === 1, { timeoutMs: 60_000 });
    for (let n = 0; n < 9; n += 1) ids.push(await own.start(task.id));
    // As inputs could be before they had a limit.
    const bytes = 4 * 1024 * 1024;
    await platform.database.query(
      `update task.executions set inputs = jsonb_build_object('text', repeat('x', $2)), bytes = bytes + $2
       where space_id = $1 and status = 'QUEUED'`,
      [heavy.id, bytes],
    );
    // All that wait can be claimed by one round: two thirds of 32 MiB are, and the one that goes past it.
    await heavy.owner.put(`/tasks/${task.id}`, { concurrency: { limit: 50 } });
    await until(() => listener.heard.length === 7, { timeoutMs: 60_000 });
    await new TaskActions(light.owner).run([transform('a', { n: 1 })]);
    expect(listener.heard).toHaveLength(7);
    const used = await platform.service('task').metric('switchyard_claimed_bytes');
    expect(used).toBeGreaterThan(24 * 1024 * 1024);
    expect(used).toBeLessThan(32 * 1024 * 1024);
    release();
    for (const id of ids) await own.reaches(id, 'SUCCEEDED');
  }, 120_000);
});

describe('executions that wait for turns of agents', () => {
  it('have no worker, and take their turns with them when they are cancelled', async () => {
    const space = await platform.newSpace();
    await space.owner.patch(`/spaces/${space.id}`, { settings: { taskConcurrency: 50 } });
    const agent = await space.owner.post('/agents', { name: 'A', model: 'sim-chat', systemPrompt: 'You help.' });
    const own = new TaskActions(space.owner);
    const ask: Step = {
      id: 'ask',
      type: 'agent',
      with: { agentId: agent.body.data.id, inputs: { query: '@@delay 1000\n@@tokens 600' } },
    };
    const task = await own.create({ steps: [ask], concurrency: { limit: 50 } });
    // More than a Space may have workers.
    const ids = await Promise.all(Array.from({ length: 36 }, () => own.start(task.id)));
    const waiting = async (): Promise<number> => {
      const rows = await platform.database.query(
        `select 1 from task.executions where space_id = $1 and status = 'RUNNING' and worker is null and waiting_turn is not null`,
        [space.id],
      );
      return rows.length;
    };
    await until(async () => (await waiting()) === ids.length);
    await new TaskActions(quiet.owner).run([transform('a', { n: 1 })]);
    await space.owner.delete(`/tasks/${task.id}`);
    await until(
      async () =>
        (
          await platform.database.query(`select 1 from session.turns where space_id = $1 and status = 'CANCELLED'`, [
            space.id,
          ])
        ).length === ids.length,
    );
    await until(
      async () =>
        (
          await platform.database.query(
            'select 1 from task.executions where space_id = $1 and waiting_turn is not null',
            [space.id],
          )
        ).length === 0,
    );
  }, 120_000);

  it('go on when the turn has ended', async () => {
    const space = await platform.newSpace();
    const agent = await space.owner.post('/agents', { name: 'A', model: 'sim-chat', systemPrompt: 'You help.' });
    const query = '@@delay 150\n@@tokens 12';
    const done = await new TaskActions(space.owner).run([
      { id: 'ask', type: 'agent', with: { agentId: agent.body.data.id, inputs: { query } } },
      transform('after', { answer: '{{ steps.ask.output.answer | length | gt: 0 }}' }),
    ]);
    expect(done).toMatchObject({ attempt: 1, output: { answer: true } });
    // The news of the turn, and not one of the later looks.
    const [row] = await platform.database.query('select looks from task.executions where id = $1', [done.id]);
    expect(row).toEqual({ looks: 0 });
  });
});

describe('a Space whose work waits', () => {
  it('goes on when its limit is raised, although none of its executions has ended', async () => {
    const space = await platform.newSpace();
    await space.owner.patch(`/spaces/${space.id}`, { settings: { taskConcurrency: 1 } });
    const own = new TaskActions(space.owner);
    const task = await own.create({ steps: [wait('w', 600)] });
    const ids = [await own.start(task.id), await own.start(task.id)];
    await until(async () =>
      (await Promise.all(ids.map((id) => own.read(id)))).some(({ status }) => status === 'RUNNING'),
    );
    await space.owner.patch(`/spaces/${space.id}`, { settings: { taskConcurrency: 2 } });
    for (const id of ids) await own.reaches(id, 'RUNNING');
    for (const id of ids) await space.owner.post(`/tasks/executions/${id}/cancel`, {});
  });

  it('goes on when the limit of the task is raised', async () => {
    const space = await platform.newSpace();
    const own = new TaskActions(space.owner);
    const task = await own.create({ steps: [wait('w', 600)], concurrency: { limit: 1 } });
    const ids = [await own.start(task.id), await own.start(task.id)];
    await until(async () =>
      (await Promise.all(ids.map((id) => own.read(id)))).some(({ status }) => status === 'RUNNING'),
    );
    await space.owner.put(`/tasks/${task.id}`, { concurrency: { limit: 2 } });
    for (const id of ids) await own.reaches(id, 'RUNNING');
    for (const id of ids) await space.owner.post(`/tasks/executions/${id}/cancel`, {});
  });
});
