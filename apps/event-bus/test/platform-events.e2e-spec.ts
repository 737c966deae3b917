import { type Reply, type TestSpace, until, usePlatform } from '@switchyard/testing';
import { dataOf, eventTask, install, manifestOf } from './an-application';
import { allEnvelopes, executionsOf, readEnvelope, type EmissionView } from './watching';

const platform = usePlatform();
const SWITCHYARD = 'switchyard';
const SECRET_TEXT = 'a text that no event may carry';

const failing = {
  steps: [{ id: 'fail', type: 'emit', with: { appIdentifier: 'not-installed', event: 'order.paid', payload: {} } }],
};

const manualTask = async (space: TestSpace, changes: Record<string, unknown> = {}): Promise<string> =>
  eventTask(space, {
    name: 'Work',
    type: 'MANUAL',
    steps: [{ id: 'note', type: 'transform', with: { text: SECRET_TEXT } }],
    ...changes,
  });

const runTask = async (space: TestSpace, taskId: string): Promise<string> =>
  dataOf(await space.owner.post(`/tasks/${taskId}/execute`, { inputs: { text: SECRET_TEXT } }), 202).id as string;

const subscribeTo = (space: TestSpace, event: string, taskId: string, more: object = {}): Promise<Reply> =>
  space.owner.post('/events/subscriptions', { appIdentifier: SWITCHYARD, event, taskId, ...more });

const envelopesOf = async (space: TestSpace, event: string): Promise<EmissionView[]> =>
  (await allEnvelopes(space)).filter((envelope) => envelope.event === event);

describe('the application of the platform', () => {
  it('is in every Space, last in lists, with registered events, and is left out with platform=false', async () => {
    const space = await platform.newSpace();
    const shop = await install(space);
    const list = dataOf(await space.owner.get('/applications'), 200) as unknown as { id: string; identifier: string }[];
    expect(list.map(({ identifier }) => identifier)).toEqual([shop.identifier, SWITCHYARD]);
    const own = dataOf(await space.owner.get('/applications?platform=false'), 200) as unknown as unknown[];
    expect(own).toMatchObject([{ identifier: shop.identifier }]);
    const events = dataOf(await space.owner.get('/events/registered?limit=100'), 200) as unknown as { name: string }[];
    const names = events.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['execution.failed', 'job.succeeded', 'order.paid', 'limit.reached']));
    expect(events.find(({ name }) => name === 'execution.failed')).toMatchObject({
      appIdentifier: SWITCHYARD,
      schema: { properties: { kind: { const: 'execution' }, executionId: { type: 'string' } } },
    });
    const left = dataOf(await space.owner.get('/events/registered?platform=false'), 200) as unknown as unknown[];
    expect(left).toHaveLength(2);
  });

  it('is not installed, changed, removed or given a key', async () => {
    const space = await platform.newSpace();
    const [{ id }] = dataOf(await space.owner.get('/applications'), 200) as unknown as [{ id: string }];
    const manifest = manifestOf({ identifier: SWITCHYARD });
    expect((await space.owner.post('/applications', { manifest })).status).toBe(409);
    expect((await space.owner.put(`/applications/${id}`, { manifest })).status).toBe(403);
    expect((await space.owner.post(`/applications/${id}/rotate-key`, {})).status).toBe(403);
    expect((await space.owner.delete(`/applications/${id}`)).status).toBe(403);
  });

  it('cannot be emitted by users', async () => {
    const space = await platform.newSpace();
    const installed = await install(space);
    const emission = { appIdentifier: SWITCHYARD, event: 'execution.failed', payload: {} };
    expect((await installed.app.post('/events/emit', emission)).status).toBe(403);
    const query = `appIdentifier=${SWITCHYARD}&name=execution.failed`;
    const [{ id }] = dataOf(await space.owner.get(`/events/registered?${query}`), 200) as unknown as [{ id: string }];
    expect((await space.owner.post(`/events/registered/${id}/emit`, { payload: {} })).status).toBe(403);
    expect((await installed.app.post('/events/emit', emission)).status).toBe(403);
    const step = { id: 'emit', type: 'emit', with: emission };
    const saved = await space.owner.post('/tasks', { name: 'Emit', type: 'MANUAL', steps: [step] });
    expect(saved.status).toBe(400);
    const named = { ...emission, appIdentifier: '{{ execution.inputs.name }}' };
    const taskId = await manualTask(space, { steps: [{ id: 'emit', type: 'emit', with: named }] });
    const run = dataOf(await space.owner.post(`/tasks/${taskId}/execute`, { inputs: { name: SWITCHYARD } }), 202);
    const ended = await until(async () => {
      const read = dataOf(await space.owner.get(`/tasks/executions/${run.id as string}`), 200);
      return read.status === 'FAILED' && read;
    });
    expect(ended.error).toMatchObject({ code: 'FORBIDDEN' });
    expect(await allEnvelopes(space)).toEqual([]);
  });

  it('is called switchyard-platform where another application has its identifier', async () => {
    const space = await platform.newSpace();
    const { identifier, id } = await install(space);
    await platform.database.query(
      `with renamed as (update event_bus.applications set identifier = 'switchyard' where space_id = $1 and id = $2)
       update event_bus.registered_events set app_identifier = 'switchyard' where space_id = $1 and app_identifier = $3`,
      [space.id, id, identifier],
    );
    const list = dataOf(await space.owner.get('/applications'), 200) as unknown as { identifier: string }[];
    expect(list.map((application) => application.identifier)).toEqual(['switchyard', 'switchyard-platform']);
  });
});

describe('a subscription to an event of the platform', () => {
  it('needs the role ADMIN', async () => {
    const space = await platform.newSpace();
    const [builder, admin] = [await space.member('MEMBER'), await space.member('ADMIN')];
    const taskId = await eventTask(space);
    const body = { appIdentifier: SWITCHYARD, event: 'execution.failed', taskId };
    expect((await builder.post('/events/subscriptions', body)).status).toBe(403);
    const { id } = dataOf(await admin.post('/events/subscriptions', body), 201) as { id: string };
    expect((await builder.patch(`/events/subscriptions/${id}`, { active: false })).status).toBe(403);
    expect((await builder.delete(`/events/subscriptions/${id}`)).status).toBe(403);
    expect((await admin.delete(`/events/subscriptions/${id}`)).status).toBe(200);
  });

  it('starts its task at the end of an execution, one deeper, without texts', async () => {
    const space = await platform.newSpace();
    const watcher = await eventTask(space);
    dataOf(await subscribeTo(space, 'execution.succeeded', watcher), 201);
    const taskId = await manualTask(space);
    const executionId = await runTask(space, taskId);
    const [run] = await until(async () => {
      const runs = await executionsOf(space, watcher);
      return runs.length > 0 ? runs : null;
    });
    const [envelope] = await envelopesOf(space, 'execution.succeeded');
    expect(envelope).toMatchObject({
      appIdentifier: SWITCHYARD,
      source: 'system',
      depth: 1,
      correlationId: executionId,
    });
    expect(envelope?.payload).toMatchObject({
      kind: 'execution',
      id: executionId,
      executionId,
      taskId,
      name: 'Work',
      status: 'SUCCEEDED',
      previousStatus: 'RUNNING',
      agentId: null,
      error: null,
      actor: { type: 'platform', id: null },
      userId: space.owner.identity.userId,
    });
    expect(JSON.stringify(envelope)).not.toContain(SECRET_TEXT);
    expect(run?.depth).toBe(1);
  });

  it('tells the code of a failure, and who cancelled', async () => {
    const space = await platform.newSpace();
    const watcher = await eventTask(space);
    dataOf(await subscribeTo(space, 'execution.failed', watcher), 201);
    dataOf(await subscribeTo(space, 'execution.cancelled', watcher), 201);
    await runTask(space, await manualTask(space, failing));
    const slow = await manualTask(space, { steps: [{ id: 'wait', type: 'wait', with: { seconds: 600 } }] });
    const executionId = await runTask(space, slow);
    expect((await space.owner.post(`/tasks/executions/${executionId}/cancel`, {})).status).toBeLessThan(300);
    const envelopes = await until(async () => {
      const all = await allEnvelopes(space);
      return all.length === 2 ? all : null;
    });
    const payloads = new Map(envelopes.map(({ event, payload }) => [event, payload]));
    expect(payloads.get('execution.failed')).toMatchObject({ error: { code: expect.any(String) as string } });
    expect(payloads.get('execution.cancelled')).toMatchObject({
      executionId,
      error: null,
      actor: { type: 'user', id: space.owner.identity.userId },
    });
  });

  it('does not match executions of its own task, and a circle of two ends by its depth', async () => {
    const space = await platform.newSpace();
    const [first, second] = [await eventTask(space, failing), await eventTask(space, failing)];
    dataOf(await subscribeTo(space, 'execution.failed', first), 201);
    await runTask(space, await manualTask(space, failing));
    await until(async () => (await executionsOf(space, first)).some(({ status }) => status === 'FAILED'));
    dataOf(await subscribeTo(space, 'execution.failed', second), 201);
    await runTask(space, await manualTask(space, failing));
    const stopped = await until(
      async () => {
        const skipped = (await allEnvelopes(space)).filter(({ status }) => status === 'SKIPPED');
        return skipped.length > 0 ? skipped : null;
      },
      { timeoutMs: 90_000 },
    );
    expect(stopped[0]?.error?.code).toMatch(/DEPTH_LIMIT|ROOT_BUDGET/u);
    const envelopes = await envelopesOf(space, 'execution.failed');
    for (const { id, payload } of envelopes)
      for (const { taskId } of (await readEnvelope(space, id)).deliveries) expect(taskId).not.toBe(payload['taskId']);
  });

  it('makes no envelope that it does not match, and without one nothing is written', async () => {
    const space = await platform.newSpace();
    const watcher = await eventTask(space);
    const taskId = await manualTask(space);
    dataOf(await subscribeTo(space, 'execution.succeeded', watcher, { filter: { taskId } }), 201);
    await runTask(space, await manualTask(space, { name: 'Other' }));
    await runTask(space, taskId);
    await until(async () => (await executionsOf(space, watcher)).length > 0);
    expect(await envelopesOf(space, 'execution.succeeded')).toHaveLength(1);
    const quiet = await platform.newSpace();
    const executionId = await runTask(quiet, await manualTask(quiet));
    await until(async () => {
      const read = dataOf(await quiet.owner.get(`/tasks/executions/${executionId}`), 200);
      return read.status === 'SUCCEEDED';
    });
    const rows = await platform.database.query(
      `select 1 from task.outbox where ctx->>'spaceId' = $1::text and name = 'task.platform-change'
       union all select 1 from event_bus.emissions where space_id = $1::uuid
       union all select 1 from event_bus.applications where space_id = $1::uuid`,
      [quiet.id],
    );
    expect(rows).toEqual([]);
  });
});
