import { type TestSpace, until, usePlatform } from '@switchyard/testing';
import { type InstalledApplication, dataOf, emission, eventTask, install } from './an-application';
import { type Envelope, allEnvelopes, executionsOf, subscribe } from './watching';

const platform = usePlatform();
const MAX_DEPTH = 10;
const ROOT_BUDGET = 256;

const emitting = (installed: InstalledApplication, events: string[]) => ({
  steps: events.map((event, index) => ({
    id: `emit${index}`,
    type: 'emit',
    with: {
      appIdentifier: installed.identifier,
      event,
      payload: { order: '{{ execution.inputs.trigger.payload.order }}' },
    },
  })),
});

async function taskFor(
  space: TestSpace,
  installed: InstalledApplication,
  event: string,
  emits: string[],
): Promise<string> {
  const taskId = await eventTask(space, { ...emitting(installed, emits), concurrency: { limit: 10, policy: 'QUEUE' } });
  await subscribe(space, { appIdentifier: installed.identifier, event, taskId });
  return taskId;
}

/** All envelopes once none waits, no run is under way and nothing has been added for a while. */
async function quiet(space: TestSpace, taskIds: string[]): Promise<Envelope[]> {
  let before = -1;
  return until(
    async () => {
      const envelopes = await allEnvelopes(space);
      const running = (
        await Promise.all(taskIds.map((taskId) => space.owner.get(`/tasks/${taskId}/executions?status=RUNNING`)))
      ).concat(
        await Promise.all(taskIds.map((taskId) => space.owner.get(`/tasks/${taskId}/executions?status=QUEUED`))),
      );
      const isIdle =
        running.every((reply) => dataOf(reply, 200).length === 0) &&
        envelopes.every(({ status }) => status !== 'PENDING');
      const isSame = envelopes.length === before;
      before = envelopes.length;
      return isIdle && isSame && envelopes.length > 1 ? envelopes : null;
    },
    { timeoutMs: 90_000, everyMs: 400 },
  );
}

const atDepth = (envelopes: Envelope[]): Record<number, string[]> => {
  const layers: Record<number, string[]> = {};
  for (const { depth, status } of envelopes) (layers[depth] ??= []).push(status);
  return layers;
};

describe('the depth guard', () => {
  it('ends a task that emits its own event', async () => {
    const space = await platform.newSpace();
    const installed = await install(space);
    const taskId = await taskFor(space, installed, 'order.created', ['order.created']);
    const root = dataOf(await installed.app.post('/events/emit', emission(installed)), 202).envelopeId as string;
    const envelopes = await quiet(space, [taskId]);
    expect(envelopes).toHaveLength(MAX_DEPTH + 2);
    const skipped = envelopes.filter(({ status }) => status === 'SKIPPED');
    expect(skipped).toMatchObject([
      { depth: MAX_DEPTH + 1, matchedSubscriptions: 0, error: { code: 'DEPTH_LIMIT' }, source: 'system' },
    ]);
    expect(envelopes.every(({ correlationId }) => correlationId === root)).toBe(true);
    const byDepth = [...envelopes].sort((a, b) => a.depth - b.depth);
    byDepth.slice(1).forEach((envelope, index) => {
      expect(envelope.causationId).toBe(byDepth[index]?.id);
    });
    const executions = await executionsOf(space, taskId);
    expect(executions.map(({ depth }) => depth).sort((a, b) => a - b)).toEqual(
      Array.from({ length: MAX_DEPTH + 1 }, (_, depth) => depth),
    );
  });

  it('ends two tasks that play ping-pong', async () => {
    const space = await platform.newSpace();
    const installed = await install(space);
    const ping = await taskFor(space, installed, 'order.created', ['order.paid']);
    const pong = await taskFor(space, installed, 'order.paid', ['order.created']);
    const stopped = (): Promise<number> =>
      platform.service('event-bus').metric('switchyard_emissions_recorded_total', { status: 'SKIPPED' });
    const before = await stopped();
    dataOf(await installed.app.post('/events/emit', emission(installed)), 202);
    const envelopes = await quiet(space, [ping, pong]);
    expect(envelopes.filter(({ status }) => status === 'SKIPPED')).toMatchObject([{ depth: MAX_DEPTH + 1 }]);
    expect(await stopped()).toBe(before + 1);
    expect((await executionsOf(space, ping)).length + (await executionsOf(space, pong)).length).toBe(MAX_DEPTH + 1);
  });

  it('lets a replay of a stopped emission start its task, and stops what follows', async () => {
    const space = await platform.newSpace();
    const installed = await install(space);
    const taskId = await taskFor(space, installed, 'order.created', ['order.created']);
    dataOf(await installed.app.post('/events/emit', emission(installed)), 202);
    const skipped = (await quiet(space, [taskId])).find(({ status }) => status === 'SKIPPED');
    expect(dataOf(await space.owner.post(`/events/envelopes/${skipped?.id ?? ''}/replay`, {}), 202)).toMatchObject({
      replay: 1,
      matchedSubscriptions: 1,
    });
    const layers = await until(async () => {
      const found = atDepth(await quiet(space, [taskId]));
      return found[MAX_DEPTH + 2] ? found : null;
    });
    expect(layers[MAX_DEPTH + 1]).toEqual(['SKIPPED']);
    expect(layers[MAX_DEPTH + 2]).toEqual(['SKIPPED']);
  });
});

describe('the root budget', () => {
  it('bounds a tree that fans out by three', async () => {
    const space = await platform.newSpace();
    const installed = await install(space);
    const taskId = await taskFor(space, installed, 'order.created', [
      'order.created',
      'order.created',
      'order.created',
    ]);
    dataOf(await installed.app.post('/events/emit', emission(installed)), 202);
    const envelopes = await quiet(space, [taskId]);
    const runs = envelopes.reduce((sum, { matchedSubscriptions }) => sum + matchedSubscriptions, 0);
    expect(runs).toBe(ROOT_BUDGET);
    const skipped = envelopes.filter(({ status }) => status === 'SKIPPED');
    expect(skipped).toHaveLength(1 + 3 * ROOT_BUDGET - ROOT_BUDGET);
    expect(skipped.every(({ error }) => error?.code === 'ROOT_BUDGET')).toBe(true);
  });
});
