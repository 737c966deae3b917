import { newId } from '@switchyard/kernel';
import {
  type Client,
  platformEnvelopes,
  raisedEvent,
  type TestSpace,
  until,
  usePlatform,
  watchPlatform,
} from '@switchyard/testing';
import { dataOf, emission, eventTask, type InstalledApplication, install } from './an-application';
import { createEndpoint } from './an-endpoint';
import { Receiver } from './receiver';
import { allEnvelopes, executionsOf, readEnvelope, subscribe } from './watching';

const platform = usePlatform();

let space: TestSpace;
let shop: InstalledApplication;
beforeAll(async () => {
  space = await platform.newSpace();
  shop = await install(space);
});

const caused = (id: string): { headers: Record<string, string> } => ({ headers: { 'Switchyard-Cause': id } });

const emit = async (from: Client, cause?: string, of = shop): Promise<string> =>
  dataOf(await from.post('/events/emit', emission(of), cause === undefined ? {} : caused(cause)), 202)
    .envelopeId as string;

describe('a request with Switchyard-Cause', () => {
  it('emits one deeper than the envelope, in its chain and its tree', async () => {
    const first = await emit(shop.app);
    const second = await emit(shop.app, first.toUpperCase());
    const third = await emit(shop.app, second);
    expect(await readEnvelope(space, first)).toMatchObject({ depth: 0, causationId: null, correlationId: first });
    expect(await readEnvelope(space, second)).toMatchObject({ depth: 1, causationId: first, correlationId: first });
    expect(await readEnvelope(space, third)).toMatchObject({ depth: 2, causationId: second, correlationId: first });
    const tree = dataOf(await space.owner.get(`/activity/causes/emission/${third}`), 200) as unknown as {
      nodes: { key: string; parentKey: string | null }[];
    };
    const parents = new Map(tree.nodes.map(({ key, parentKey }) => [key, parentKey]));
    expect([first, second, third].map((id) => parents.get(`emission:${id}`))).toEqual([
      null,
      `emission:${first}`,
      `emission:${second}`,
    ]);
  });

  it('starts an execution whose depth is that of the envelope + 1, and tells events one deeper still', async () => {
    const cause = await emit(shop.app, await emit(shop.app));
    await watchPlatform(space, 'execution.succeeded', 'agent.changed');
    const steps = [{ id: 'note', type: 'transform', with: { text: 'x' } }];
    const task = dataOf(await space.owner.post('/tasks', { name: 'Work', type: 'MANUAL', steps }), 201);
    const path = `/tasks/${task.id as string}/execute`;
    const started = dataOf(await space.owner.post(path, { inputs: {} }, caused(cause)), 202);
    const run = dataOf(await space.owner.get(`/tasks/executions/${started.id as string}`), 200);
    expect(run).toMatchObject({ depth: 2, causationId: cause });
    expect((await raisedEvent(space, 'execution.succeeded', ({ id }) => id === started.id)).depth).toBe(3);
    const agent = { name: 'Helper', model: 'sim-chat', systemPrompt: 'Help.' };
    const made = dataOf(await space.owner.post('/agents', agent, caused(cause)), 201);
    const changed = await raisedEvent(space, 'agent.changed', ({ id }) => id === made.id);
    expect(changed).toMatchObject({ depth: 2, causationId: cause });
    expect((await platformEnvelopes(space.owner)).length).toBeGreaterThan(1);
  });

  it('is the cause of turns and jobs too', async () => {
    const own = await platform.newSpace();
    await watchPlatform(own, 'turn.completed', 'job.succeeded');
    const app = await install(own);
    const cause = await emit(app.app, undefined, app);
    const agent = dataOf(
      await own.owner.post('/agents', { name: 'Helper', model: 'sim-chat', systemPrompt: 'Help.' }),
      201,
    );
    const contents = [{ type: 'text', text: 'hello' }];
    const path = `/agents/${agent.id as string}/chat`;
    dataOf(await own.owner.post(path, { contents, stream: false }, caused(cause)), 200);
    expect(await raisedEvent(own, 'turn.completed')).toMatchObject({
      depth: 1,
      causationId: cause,
      correlationId: cause,
    });
    const job = { type: 'AGENT_INVOKE', agentId: agent.id, input: { inputs: { query: 'hello' } } };
    dataOf(await own.owner.post('/agent-jobs', job, caused(cause)), 202);
    expect(await raisedEvent(own, 'job.succeeded')).toMatchObject({
      depth: 1,
      causationId: cause,
      correlationId: cause,
    });
  });

  it('is refused if no envelope of the Space has the id, and changes nothing then', async () => {
    const other = await platform.newSpace();
    const theirs = await install(other);
    const id = await emit(theirs.app, undefined, theirs);
    const before = (await allEnvelopes(space)).length;
    for (const cause of [id, newId(), 'x', '', `${id},${id}`, 'a'.repeat(10_000)]) {
      const reply = await shop.app.post('/events/emit', emission(shop), caused(cause));
      expect([cause.slice(0, 80), reply.status, reply.body.code]).toEqual([
        cause.slice(0, 80),
        400,
        'VALIDATION_ERROR',
      ]);
    }
    expect(await allEnvelopes(space)).toHaveLength(before);
    // A credential is looked at first.
    expect((await space.owner.as('Bearer nothing').post('/events/emit', emission(shop), caused('x'))).status).toBe(401);
  });

  it('is not looked at where the request only reads', async () => {
    const fields = [{ name: 'title', type: 'string' }];
    const { id } = dataOf(await space.owner.post('/datasets', { name: 'read', schema: { fields } }), 201);
    expect((await space.owner.raw('GET', '/api/events/envelopes', undefined, caused('x'))).status).toBe(200);
    const path = `/datasets/${id as string}/data`;
    expect((await space.owner.post(`${path}/query`, {}, caused('x'))).status).toBe(200);
    expect((await space.owner.post(`${path}/insert`, { records: [{ title: 'a' }] }, caused('x'))).status).toBe(400);
  });
});

describe('a loop through a service of the user', () => {
  it('ends at the depth limit', async () => {
    const own = await platform.newSpace();
    const app = await install(own);
    const receiver = await Receiver.open(({ headers }, response) => {
      const cause = String(headers['switchyard-cause']);
      app.app.post('/events/emit', emission(app), caused(cause)).then(
        () => response.writeHead(200).end(),
        () => response.writeHead(500).end(),
      );
    });
    const endpoint = await createEndpoint(own, receiver.url);
    await subscribe(own, { appIdentifier: app.identifier, event: 'order.created', endpointId: endpoint.id });
    await emit(app.app, undefined, app);
    const stopped = await until(async () => {
      const found = (await allEnvelopes(own)).filter(({ status }) => status === 'SKIPPED');
      return found.length > 0 ? found : null;
    });
    expect(stopped).toMatchObject([{ depth: 11, error: { code: 'DEPTH_LIMIT' } }]);
    expect(receiver.received).toHaveLength(11);
    receiver.close();
  });

  it('is no loop for a task whose subscription starts it: that is one chain too', async () => {
    const own = await platform.newSpace();
    const app = await install(own);
    const taskId = await eventTask(own);
    await subscribe(own, { appIdentifier: app.identifier, event: 'order.created', taskId });
    const first = await emit(app.app, undefined, app);
    const second = await emit(app.app, first, app);
    const runs = await until(async () => {
      const found = await executionsOf(own, taskId);
      return found.length === 2 ? found : null;
    });
    expect(runs.map(({ causationId, depth }) => [causationId, depth])).toEqual([
      [second, 1],
      [first, 0],
    ]);
  });
});
