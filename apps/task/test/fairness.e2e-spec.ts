import { type TestSpace, until, usePlatform } from '@switchyard/testing';
import { Listener } from './listener';
import { type Step, TaskDesk, transform, wait } from './task-desk';

const platform = usePlatform();
let busy: TestSpace;
let quiet: TestSpace;
beforeAll(async () => {
  [busy, quiet] = await Promise.all([platform.newSpace(), platform.newSpace()]);
});

describe('a Space with more slow executions than a process has places', () => {
  it('leaves a place for the single execution of another Space', async () => {
    let release = (): void => undefined;
    const isReleased = new Promise<void>((resolve) => (release = resolve));
    const listener = await Listener.open(() => ({ after: isReleased }));
    await busy.owner.patch(`/spaces/${busy.id}`, { settings: { taskConcurrency: 50 } });
    const own = new TaskDesk(busy.owner);
    const slow: Step = { id: 'slow', type: 'http', with: { url: listener.url, timeoutSeconds: 120 } };
    const task = await own.create({ steps: [slow], concurrency: { limit: 50 } });
    const ids = await Promise.all(Array.from({ length: 60 }, () => own.start(task.id)));
    // Two thirds of the 48 places of the process: it takes no more of this Space.
    await until(() => listener.heard.length === 32, { timeoutMs: 60_000 });
    await new TaskDesk(quiet.owner).run([transform('a', { n: 1 })]);
    expect(listener.over).toHaveLength(0);
    expect(listener.heard).toHaveLength(32);
    release();
    await Promise.all(ids.map((id) => own.reaches(id, 'SUCCEEDED')));
    listener.close();
  }, 120_000);
});

describe('executions that wait for turns of agents', () => {
  it('have no worker, and take their turns with them when they are cancelled', async () => {
    const space = await platform.newSpace();
    await space.owner.patch(`/spaces/${space.id}`, { settings: { taskConcurrency: 50 } });
    const agent = await space.owner.post('/agents', { name: 'A', model: 'sim-chat', systemPrompt: 'You help.' });
    const own = new TaskDesk(space.owner);
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
    await new TaskDesk(quiet.owner).run([transform('a', { n: 1 })]);
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
    const done = await new TaskDesk(space.owner).run([
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
    const own = new TaskDesk(space.owner);
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
    const own = new TaskDesk(space.owner);
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
