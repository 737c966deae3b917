import { type Answer, until, usePlatform } from '@switchyard/testing';

const platform = usePlatform();
const KIB = 1024;

describe('a task that is over a limit of today', () => {
  it('is told to its Space at the next start, and once', async () => {
    const { id: spaceId, owner } = await platform.newSpace();
    const made = async (): Promise<string> =>
      (await owner.post('/tasks', { name: 'Old', steps: [{ id: 'a', type: 'wait', with: { seconds: 0 } }] })).body.data
        .id;
    const plant = (id: string): Promise<unknown> =>
      platform.database.query(
        `update task.tasks set inputs = jsonb_build_object('text', repeat('x', $2::int)) where id = $1`,
        [id, 100 * KIB],
      );
    const sent = async (): Promise<Answer[]> => {
      const { body } = await owner.get(`/spaces/${spaceId}/security-events?limit=100`);
      return (body.data as Answer[]).filter(({ action }) => action === 'task.oversized');
    };
    const first = await made();
    await plant(first);
    await platform.service('task').restart();
    await platform.service('task').ready();
    const event = { target: first, details: { path: 'inputs', bytes: expect.any(Number), limit: 64 * KIB } };
    expect(await until(async () => ((await sent()).length > 0 ? sent() : null), { timeoutMs: 120_000 })).toMatchObject([
      event,
    ]);
    // Marks of a damaged database, which come before that of the second task.
    for (const mark of ['[null]', '{}', '[7]', '[{"path": 1}]'])
      await platform.database.query('update task.tasks set oversized = $2 where id = $1', [await made(), mark]);
    const second = await made();
    await plant(second);
    await platform.service('task').restart();
    await platform.service('task').ready();
    await until(async () => (await sent()).some(({ target }) => target === second) || null, { timeoutMs: 120_000 });
    expect((await sent()).filter(({ target }) => target === first)).toHaveLength(1);
  });
});
