import { until, usePlatform } from '@switchyard/testing';
import { Listener } from './listener';
import { type Step, TaskDesk, transform } from './task-desk';

const platform = usePlatform();
const MIB = 1024 * 1024;
let listener: Listener | undefined;

afterAll(async () => {
  listener?.close();
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
    const tasks = new TaskDesk(space.owner);
    // A thousand characters become half a million, twice.
    const grow = transform('grow', { text: `{{ execution.inputs.text | replace: "x", "${'y'.repeat(500)}" }}` });
    const slow: Step = { id: 'slow', type: 'http', with: { url: listener.url, timeoutSeconds: 120 } };
    const task = await tasks.create({ steps: [grow, slow], concurrency: { limit: 50 } });
    const ids = await Promise.all(Array.from({ length: 12 }, () => tasks.start(task.id, { text: 'x'.repeat(1000) })));
    // As many as there is room for have sent their request; others may not have begun.
    await until(() => Promise.resolve((listener?.heard.length ?? 0) >= 3), { timeoutMs: 60_000 });
    const used = await platform.service('task').metric('switchyard_claimed_bytes', { measure: 'used' });
    expect(used).toBeGreaterThan(2 * MIB);
    expect(used).toBeLessThan(5.5 * MIB);
    expect(listener.heard.length).toBeLessThan(6);
    release();
    await Promise.all(
      ids.map((id) =>
        until(async () => (await space.owner.get(`/tasks/runs/${id}`)).body.data.status === 'SUCCEEDED', {
          timeoutMs: 90_000,
        }),
      ),
    );
    // None was done twice.
    expect(listener.heard).toHaveLength(12);
  }, 240_000);
});
