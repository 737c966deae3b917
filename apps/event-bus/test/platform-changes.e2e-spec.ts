import {
  type Answer,
  platformEnvelopes,
  raisedEvent,
  type TestSpace,
  usePlatform,
  watchPlatform,
} from '@switchyard/testing';
import { dataOf, emission, install, manifestOf } from './an-application';
import { createEndpoint } from './an-endpoint';
import { Receiver, withStatus } from './receiver';
import { subscribe } from './watching';

const platform = usePlatform();
const SECRET_TEXT = 'a text that no event may carry';

const actorOf = (space: TestSpace): object => ({ type: 'user', id: space.owner.identity.userId });

/** Each payload of an event of changes, by its action. */
async function changes(space: TestSpace, event: string, idField: string, id: string): Promise<Record<string, Answer>> {
  const found: Record<string, Answer> = {};
  for (const action of ['created', 'updated', 'deleted']) {
    const { payload } = await raisedEvent(space, event, (each) => each[idField] === id && each.action === action);
    expect(payload).toMatchObject({ kind: event.split('.')[0], id, action, actor: actorOf(space), error: null });
    expect(JSON.stringify(payload)).not.toContain(SECRET_TEXT);
    found[action] = payload;
  }
  return found;
}

describe('events of changes', () => {
  it('agent.changed, task.changed and dataset.changed name the record, what was done and who did it', async () => {
    const space = await platform.newSpace();
    await watchPlatform(space, 'agent.changed', 'task.changed', 'dataset.changed');
    const agent = { name: 'Helper', model: 'sim-chat', systemPrompt: SECRET_TEXT };
    const task = { name: 'Work', type: 'MANUAL', steps: [{ id: 'a', type: 'transform', with: { text: SECRET_TEXT } }] };
    const dataset = { name: 'orders', schema: { fields: [{ name: 'title', type: 'string' }] } };
    for (const [path, body, event, idField] of [
      ['/agents', agent, 'agent.changed', 'agentId'],
      ['/tasks', task, 'task.changed', 'taskId'],
      ['/datasets', dataset, 'dataset.changed', 'datasetId'],
    ] as const) {
      const { id } = dataOf(await space.owner.post(path, body), 201) as { id: string };
      const renamed = { ...body, name: 'Renamed' };
      const record = `${path}/${id}`;
      const change =
        path === '/datasets' ? space.owner.patch(record, { name: 'Renamed' }) : space.owner.put(record, renamed);
      dataOf(await change, 200);
      dataOf(await space.owner.delete(`${path}/${id}`), 200);
      const { created, updated } = await changes(space, event, idField, id);
      expect([created?.name, updated?.name]).toEqual([body.name, 'Renamed']);
    }
  });

  it('dataset.changed is not raised by its data, nor task.changed by its runs', async () => {
    const space = await platform.newSpace();
    const fields = [{ name: 'title', type: 'string' }];
    const dataset = dataOf(await space.owner.post('/datasets', { name: 'orders', schema: { fields } }), 201);
    await watchPlatform(space, 'dataset.changed', 'task.changed');
    const path = `/datasets/${dataset.id as string}`;
    dataOf(await space.owner.post(`${path}/data/insert`, { records: [{ title: 'one' }] }), 200);
    dataOf(await space.owner.patch(path, { description: 'changed' }), 200);
    const { payload } = await raisedEvent(space, 'dataset.changed');
    expect(payload).toMatchObject({ action: 'updated' });
    expect((await platformEnvelopes(space.owner)).filter(({ event }) => event === 'task.changed')).toEqual([]);
  });

  it('application.changed and endpoint.changed have no address, header or secret', async () => {
    const space = await platform.newSpace();
    await watchPlatform(space, 'application.changed', 'endpoint.changed');
    const shop = await install(space);
    const manifest = manifestOf({ identifier: shop.identifier, version: '1.1.0' });
    dataOf(await space.owner.put(`/applications/${shop.id}`, { manifest }), 200);
    dataOf(await space.owner.delete(`/applications/${shop.id}`), 200);
    await changes(space, 'application.changed', 'applicationId', shop.id);
    const receiver = await Receiver.open(withStatus(() => 200));
    const endpoint = await createEndpoint(space, receiver.url, { headers: { 'X-Team': SECRET_TEXT } });
    dataOf(await space.owner.patch(`/events/endpoints/${endpoint.id}`, { active: false }), 200);
    dataOf(await space.owner.delete(`/events/endpoints/${endpoint.id}`), 200);
    const { created } = await changes(space, 'endpoint.changed', 'endpointId', endpoint.id);
    expect(created).toMatchObject({ name: endpoint.name, status: 'HEALTHY' });
    expect(JSON.stringify(created)).not.toContain(receiver.url);
    receiver.close();
  });

  it('endpoint.disabled has the reason', async () => {
    const space = await platform.newSpace();
    await watchPlatform(space, 'endpoint.disabled', 'endpoint.changed');
    const shop = await install(space);
    const receiver = await Receiver.open(withStatus(() => 410));
    const endpoint = await createEndpoint(space, receiver.url);
    await subscribe(space, { appIdentifier: shop.identifier, event: 'order.created', endpointId: endpoint.id });
    dataOf(await shop.app.post('/events/emit', emission(shop)), 202);
    const { payload } = await raisedEvent(space, 'endpoint.disabled');
    expect(payload).toMatchObject({
      kind: 'endpoint',
      endpointId: endpoint.id,
      name: endpoint.name,
      status: 'DISABLED',
      error: { code: 'HTTP_STATUS' },
      actor: { type: 'platform', id: null },
    });
    dataOf(await space.owner.post(`/events/endpoints/${endpoint.id}/resume`, {}), 200);
    await raisedEvent(space, 'endpoint.changed', ({ action }) => action === 'updated');
    receiver.close();
  });
});

describe('events of imports', () => {
  it('are raised for an import that its request wrote, for a large one, and for one that failed', async () => {
    const space = await platform.newSpace();
    await watchPlatform(space, 'import.completed', 'import.failed');
    const fields = [{ name: 'sku', type: 'string', unique: true }];
    const dataset = dataOf(await space.owner.post('/datasets', { name: 'stock', schema: { fields } }), 201);
    const path = `/datasets/${dataset.id as string}`;
    const importing = (rows: unknown[]) =>
      space.owner.post(`${path}/import`, Buffer.from(rows.map((row) => `${JSON.stringify(row)}\n`).join('')), {
        headers: { 'content-type': 'application/x-ndjson' },
      });
    expect((await importing([{ sku: SECRET_TEXT }])).status).toBe(200);
    const small = await raisedEvent(space, 'import.completed');
    expect(small.payload).toMatchObject({
      kind: 'import',
      name: 'stock',
      datasetId: dataset.id,
      userId: space.owner.identity.userId,
      status: 'SUCCEEDED',
      error: null,
    });
    expect(JSON.stringify(small)).not.toContain(SECRET_TEXT);
    expect((await importing([{ sku: 7 }])).status).toBe(400);
    const many = Array.from({ length: 50_001 }, (_, n) => ({ sku: `s${n}` }));
    const large = dataOf(await importing(many), 202);
    const done = await raisedEvent(space, 'import.completed', ({ importId }) => importId === large.id);
    expect(done.payload).toMatchObject({ id: large.id, status: 'SUCCEEDED' });
    const again = dataOf(await importing(many), 202);
    const failed = await raisedEvent(space, 'import.failed');
    expect(failed.payload).toMatchObject({ importId: again.id, status: 'FAILED', error: { code: 'CONFLICT' } });
  });
});

describe('events of members, keys and secrets', () => {
  it('name the account and who did it, show to ADMIN alone, and have no value', async () => {
    const space = await platform.newSpace();
    const events = ['member.added', 'member.changed', 'member.removed', 'key.created', 'key.revoked', 'secret.changed'];
    await watchPlatform(space, ...events);
    const member = await space.member('MEMBER');
    const viewer = await space.member('VIEWER');
    const { userId } = member.identity;
    const own = (payload: Answer): boolean => payload.userId === userId;
    const added = await raisedEvent(space, 'member.added', own);
    expect(added.payload).toMatchObject({ kind: 'member', id: userId, memberId: userId, actor: { type: 'user' } });
    const path = `/spaces/${space.id}/members/${userId}`;
    dataOf(await space.owner.patch(path, { role: 'VIEWER' }), 200);
    expect((await raisedEvent(space, 'member.changed', own)).payload.actor).toEqual(actorOf(space));
    dataOf(await space.owner.delete(path), 200);
    await raisedEvent(space, 'member.removed', own);
    const key = dataOf(await space.owner.post('/api-keys', { name: 'ci' }), 201);
    const created = await raisedEvent(space, 'key.created', ({ keyId }) => keyId === key.id);
    expect(created.payload).toMatchObject({ name: 'ci', actor: actorOf(space) });
    expect(JSON.stringify(created)).not.toContain(key.key);
    const secretPath = '/secrets';
    const byKey = space.owner.as(`Bearer ${key.key as string}`);
    const secret = dataOf(await byKey.post(secretPath, { name: 'TOKEN', value: SECRET_TEXT }), 201);
    const { payload } = await raisedEvent(space, 'secret.changed', ({ secretId }) => secretId === secret.id);
    expect(payload).toMatchObject({ action: 'created', name: null, actor: { type: 'key', id: key.id } });
    expect(JSON.stringify(payload)).not.toContain(SECRET_TEXT);
    dataOf(await space.owner.post(`/api-keys/${key.id as string}/revoke`, {}), 200);
    await raisedEvent(space, 'key.revoked', ({ keyId }) => keyId === key.id);
    expect(await platformEnvelopes(viewer)).toEqual([]);
  });

  it('write nothing without a subscription', async () => {
    const space = await platform.newSpace();
    await space.member('MEMBER');
    const agent = { name: 'Helper', model: 'sim-chat', systemPrompt: 'Help.' };
    dataOf(await space.owner.post('/agents', agent), 201);
    dataOf(
      await space.owner.post('/datasets', { name: 'orders', schema: { fields: [{ name: 'a', type: 'string' }] } }),
      201,
    );
    dataOf(await space.owner.post('/secrets', { name: 'TOKEN', value: SECRET_TEXT }), 201);
    for (const schema of ['key', 'agent', 'dataset', 'event_bus']) {
      const rows = await platform.database.query(
        `select 1 from ${schema}.outbox where ctx->>'spaceId' = $1 and name like '%.platform-change'`,
        [space.id],
      );
      expect([schema, rows]).toEqual([schema, []]);
    }
  });
});
