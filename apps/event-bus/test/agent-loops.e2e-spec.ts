import { type TestSpace, until, usePlatform } from '@switchyard/testing';
import { type InstalledApplication, dataOf, emission, eventTask, install, orderSchema } from './an-application';
import { type EmissionView, allEnvelopes, executionsOf, settledEnvelope, subscribe } from './watching';

const platform = usePlatform();

/** An agent that may do everything that leads to emissions. */
const agentOf = async (space: TestSpace): Promise<string> =>
  dataOf(
    await space.owner.post('/agents', {
      name: 'Doer',
      model: 'sim-chat',
      systemPrompt: 'You do.',
      tools: ['emit_event', 'run_task', 'write_dataset'],
    }),
    201,
  ).id as string;

const calling = (agentId: string, tool: string, args: object) => ({
  steps: [{ id: 'ask', type: 'agent', with: { agentId, inputs: { query: `@@tool ${tool} ${JSON.stringify(args)}` } } }],
});

const ordered = (installed: InstalledApplication) => ({
  appIdentifier: installed.identifier,
  event: 'order.created',
  payload: { order: 'again' },
});

/** All envelopes of the chain, from its root down, once it has been stopped. */
const stopped = async (space: TestSpace): Promise<EmissionView[]> =>
  until(
    async () => {
      const found = await allEnvelopes(space);
      return found.some(({ status }) => status === 'SKIPPED') ? found.sort((a, b) => a.depth - b.depth) : null;
    },
    { timeoutMs: 100_000 },
  );

function expectOneChain(chain: EmissionView[]): void {
  expect(chain.filter(({ status }) => status === 'SKIPPED')).toMatchObject([{ error: { code: 'DEPTH_LIMIT' } }]);
  expect(chain.at(-1)?.status).toBe('SKIPPED');
  expect(chain.every(({ correlationId }) => correlationId === chain[0]?.id)).toBe(true);
  chain.slice(1).forEach(({ causationId }, index) => {
    expect(causationId).toBe(chain[index]?.id);
  });
}

describe('a loop through an agent', () => {
  it('that emits the event itself is ended by the depth guard', async () => {
    const space = await platform.newSpace();
    const installed = await install(space);
    const agentId = await agentOf(space);
    const taskId = await eventTask(space, calling(agentId, 'emit_event', ordered(installed)));
    await subscribe(space, { appIdentifier: installed.identifier, event: 'order.created', taskId });
    dataOf(await installed.app.post('/events/emit', emission(installed)), 202);
    const chain = await stopped(space);
    expect(chain.map(({ depth }) => depth)).toEqual(Array.from({ length: 12 }, (_, depth) => depth));
    expectOneChain(chain);
  });

  it('that runs a task which emits the event is ended, and the task between counts as well', async () => {
    const space = await platform.newSpace();
    const installed = await install(space);
    const agentId = await agentOf(space);
    const between = await eventTask(space, {
      type: 'MANUAL',
      steps: [{ id: 'emit', type: 'emit', with: ordered(installed) }],
    });
    const taskId = await eventTask(space, calling(agentId, 'run_task', { taskId: between }));
    await subscribe(space, { appIdentifier: installed.identifier, event: 'order.created', taskId });
    dataOf(await installed.app.post('/events/emit', emission(installed)), 202);
    const runs = await until(
      async () => {
        const found = await executionsOf(space, between);
        return found.some(({ status }) => status === 'SKIPPED') ? found.sort((a, b) => a.depth - b.depth) : null;
      },
      { timeoutMs: 100_000 },
    );
    expect(runs.map(({ depth }) => depth)).toEqual([1, 3, 5, 7, 9, 11]);
    expect(runs.at(-1)).toMatchObject({ status: 'SKIPPED', error: { code: 'DEPTH_LIMIT' } });
    const chain = (await allEnvelopes(space)).sort((a, b) => a.depth - b.depth);
    expect(chain.map(({ depth }) => depth)).toEqual([0, 2, 4, 6, 8, 10]);
    expect(chain.every(({ correlationId }) => correlationId === chain[0]?.id)).toBe(true);
  });

  it('that writes the watched dataset is ended by the depth guard', async () => {
    const space = await platform.newSpace();
    const schema = { fields: [{ name: 'order', type: 'string' }] };
    const datasetId = dataOf(await space.owner.post('/datasets', { name: 'Orders', schema }), 201).id as string;
    const installed = await install(space, {
      events: [{ name: 'row.added', schema: orderSchema, emitOn: { dataset: datasetId, operations: ['insert'] } }],
    });
    const insert = { datasetId, operation: 'insert', records: [{ order: 'again' }] };
    const taskId = await eventTask(space, calling(await agentOf(space), 'write_dataset', insert));
    await subscribe(space, { appIdentifier: installed.identifier, event: 'row.added', taskId });
    dataOf(await space.owner.post(`/datasets/${datasetId}/data/insert`, { records: [{ order: 'first' }] }), 200);
    const chain = await stopped(space);
    expect(chain.map(({ depth }) => depth)).toEqual(Array.from({ length: 12 }, (_, depth) => depth));
    expectOneChain(chain);
  });
});

describe('a job', () => {
  it('is a cause: what its agent emits is one deeper, and so is what that starts', async () => {
    const space = await platform.newSpace();
    const installed = await install(space);
    const taskId = await eventTask(space);
    await subscribe(space, { appIdentifier: installed.identifier, event: 'order.created', taskId });
    const query = `@@tool emit_event ${JSON.stringify(ordered(installed))}`;
    const job = { type: 'AGENT_INVOKE', agentId: await agentOf(space), input: { inputs: { query } } };
    dataOf(await space.owner.post('/agent-jobs', job), 202);
    const [found] = await until(async () => {
      const all = await allEnvelopes(space);
      return all.length > 0 ? all : null;
    });
    const envelope = await settledEnvelope(space, found?.id ?? '', 1);
    expect(envelope).toMatchObject({ source: 'system', depth: 1, causationId: null, matchedSubscriptions: 1 });
    expect(await executionsOf(space, taskId)).toMatchObject([{ depth: 1, causationId: envelope.id }]);
  });
});
