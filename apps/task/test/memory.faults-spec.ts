import { until, usePlatform } from '@switchyard/testing';
import { Listener } from './listener';
import { type Step, TaskActions, transform } from './task-actions';

const platform = usePlatform();
const MIB = 1024 * 1024;
/** Payers have a third of the executions of a process each while others wait. */
const SPACES = 6;
const EACH = 16;
let listener: Listener | undefined;

afterEach(() => listener?.close());
afterAll(async () => {
  await platform.service('task').restart();
  await platform.service('task').ready();
});

describe('executions whose steps give much', () => {
  it('count in the memory of their process, wait while it is used up, and all end', async () => {
    const space = await platform.newSpace();
    await space.owner.patch(`/spaces/${space.id}`, { settings: { taskConcurrency: 50 } });
    await platform.service('task').restart({ TASK_CLAIMED_MAX_BYTES: String(4 * MIB) });
    await platform.service('task').ready();
    let release = (): void => undefined;
    const isReleased = new Promise<void>((resolve) => (release = resolve));
    listener = await Listener.open(() => ({ after: isReleased }));
    const tasks = new TaskActions(space.owner);
    // A thousand characters become half a million, twice.
    const grow = transform('grow', { text: `{{ execution.inputs.text | replace: "x", "${'y'.repeat(500)}" }}` });
    const slow: Step = { id: 'slow', type: 'http', with: { url: listener.url, timeoutSeconds: 120 } };
    const task = await tasks.create({ steps: [grow, slow], concurrency: { limit: 50 } });
    const ids = await Promise.all(Array.from({ length: 12 }, () => tasks.start(task.id, { text: 'x'.repeat(1000) })));
    // As many as there is room for have sent their request; others may not have begun.
    await until(() => Promise.resolve((listener?.heard.length ?? 0) >= 3), { timeoutMs: 120_000 });
    const used = () => platform.service('task').metric('switchyard_claimed_bytes');
    // Steps that end at the same moment take more until their executions have left.
    await until(async () => (await used()) < 5.5 * MIB);
    expect(await used()).toBeGreaterThan(2 * MIB);
    expect(listener.heard.length).toBeLessThan(6);
    release();
    await Promise.all(
      ids.map((id) =>
        until(async () => (await space.owner.get(`/tasks/runs/${id}`)).body.data.status === 'SUCCEEDED', {
          timeoutMs: 120_000,
        }),
      ),
    );
    // None was done twice.
    expect(listener.heard).toHaveLength(12);
  }, 300_000);

  it('get answers of many values at the same moment, and are parsed a few at a time', async () => {
    await platform.service('task').restart();
    await platform.service('task').ready();
    const process = platform.service('task').pid;
    let release = (): void => undefined;
    const isReleased = new Promise<void>((resolve) => (release = resolve));
    // Some 12 MiB of objects each, once they are parsed and cleaned.
    const body = `[${'{},'.repeat(99_000)}{}]`;
    listener = await Listener.open(() => ({ after: isReleased, body }));
    const { url } = listener;
    const spaces = await Promise.all(Array.from({ length: SPACES }, () => platform.newSpace()));
    await Promise.all(
      spaces.map(async ({ id, owner }) => {
        await owner.patch(`/spaces/${id}`, { settings: { taskConcurrency: EACH } });
        const tasks = new TaskActions(owner);
        const slow: Step = { id: 'slow', type: 'http', with: { url, timeoutSeconds: 120 } };
        const task = await tasks.create({ steps: [slow], concurrency: { limit: EACH } });
        await Promise.all(Array.from({ length: EACH }, () => tasks.start(task.id)));
      }),
    );
    await until(() => Promise.resolve(listener?.heard.length === SPACES * EACH), { timeoutMs: 120_000 });
    release();
    const counts = (): Promise<unknown[]> =>
      platform.database.query(
        'select status, count(*)::int as count from task.executions where space_id = any($1) group by status',
        [spaces.map(({ id }) => id)],
      );
    await until(
      async () => {
        expect(await counts()).toEqual([{ status: 'SUCCEEDED', count: SPACES * EACH }]);
        return true;
      },
      { timeoutMs: 180_000 },
    );
    expect(platform.service('task').pid).toBe(process);
    expect(listener.heard).toHaveLength(SPACES * EACH);
    for (const stage of ['reading', 'parsing'])
      expect(await platform.service('task').metric('switchyard_step_answers', { stage })).toBe(0);
  }, 400_000);
});
