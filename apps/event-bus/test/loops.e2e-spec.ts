import { type TestSpace, until, usePlatform } from '@switchyard/testing';
import { type InstalledApplication, dataOf, emission, eventTask, install } from './an-application';
import { type EmissionView, allEnvelopes, executionsOf, subscribe } from './watching';

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

/**
 * All envelopes once nothing goes on: no emission waits, no delivery is unanswered and no run is under way. Each of these
 * is there before the one that it comes from has ended, so at one moment none can be seen in between.
 */
async function quiet(space: TestSpace): Promise<EmissionView[]> {
  await until(
    async () => {
      const [row] = await platform.database.query<{ isQuiet: boolean }>(
        `select not exists (select from event_bus.emissions where space_id = $1 and status = 'PENDING')
            and not exists (select from event_bus.deliveries where space_id = $1 and status = 'PENDING')
            and not exists (select from task.executions where space_id = $1 and status in ('QUEUED', 'RUNNING')) as "isQuiet"`,
        [space.id],
      );
      return row?.isQuiet;
    },
    { timeoutMs: 90_000, everyMs: 100 },
  );
  return allEnvelopes(space);
}

const atDepth = (envelopes: EmissionView[]): Record<number, string[]> => {
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
    const envelopes = await quiet(space);
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
    const envelopes = await quiet(space);
    expect(envelopes.filter(({ status }) => status === 'SKIPPED')).toMatchObject([{ depth: MAX_DEPTH + 1 }]);
    // At least: other loops may be stopped at the same time.
    expect(await stopped()).toBeGreaterThan(before);
    expect((await executionsOf(space, ping)).length + (await executionsOf(space, pong)).length).toBe(MAX_DEPTH + 1);
  });

  it('lets a replay of a stopped emission start its task, and stops what follows', async () => {
    const space = await platform.newSpace();
    const installed = await install(space);
    await taskFor(space, installed, 'order.created', ['order.created']);
    dataOf(await installed.app.post('/events/emit', emission(installed)), 202);
    const skipped = (await quiet(space)).find(({ status }) => status === 'SKIPPED');
    expect(dataOf(await space.owner.post(`/events/envelopes/${skipped?.id ?? ''}/replay`, {}), 202)).toMatchObject({
      replay: 1,
      matchedSubscriptions: 1,
    });
    const layers = await until(async () => {
      const found = atDepth(await quiet(space));
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
    await taskFor(space, installed, 'order.created', ['order.created', 'order.created', 'order.created']);
    dataOf(await installed.app.post('/events/emit', emission(installed)), 202);
    const envelopes = await quiet(space);
    const runs = envelopes.reduce((sum, { matchedSubscriptions }) => sum + matchedSubscriptions, 0);
    expect(runs).toBe(ROOT_BUDGET);
    const skipped = envelopes.filter(({ status }) => status === 'SKIPPED');
    expect(skipped).toHaveLength(1 + 3 * ROOT_BUDGET - ROOT_BUDGET);
    expect(skipped.every(({ error }) => error?.code === 'ROOT_BUDGET')).toBe(true);
  });
});
