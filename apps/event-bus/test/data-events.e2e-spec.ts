import { type TestSpace, until, usePlatform } from '@switchyard/testing';
import { dataOf, eventTask, install, manifestOf } from './an-application';
import { type EmissionView, allEnvelopes, executionsOf, settledEnvelope, subscribe } from './watching';

const platform = usePlatform();

const rowSchema = {
  type: 'object',
  properties: { id: { type: 'string' }, name: { type: 'string' }, amount: { type: 'integer', maximum: 1000 } },
  required: ['id', 'name', 'createdAt', 'updatedAt'],
};

async function dataset(space: TestSpace): Promise<string> {
  const schema = {
    fields: [
      { name: 'name', type: 'string', required: true },
      { name: 'amount', type: 'integer' },
    ],
  };
  return dataOf(await space.owner.post('/datasets', { name: `Rows ${Math.random()}`, schema }), 201).id as string;
}

const emitting = (datasetId: string, changes: Record<string, unknown> = {}) => ({
  events: [
    {
      name: 'row.changed',
      schema: rowSchema,
      emitOn: { dataset: datasetId, operations: ['insert', 'update', 'delete'], ...changes },
    },
  ],
});

const write = async (space: TestSpace, datasetId: string, operation: string, body: object) =>
  dataOf(await space.owner.post(`/datasets/${datasetId}/data/${operation}`, body), 200);

/** All envelopes, oldest first, once there are so many. */
const envelopes = (space: TestSpace, count: number): Promise<EmissionView[]> =>
  until(
    async () => {
      const all = await allEnvelopes(space);
      return all.length >= count && all.every(({ status }) => status !== 'PENDING') ? all.reverse() : null;
    },
    { timeoutMs: 60_000 },
  );

describe('a write to a watched dataset', () => {
  it('is emitted by itself: one envelope a row, with the whole row, in order', async () => {
    const space = await platform.newSpace();
    const datasetId = await dataset(space);
    const installed = await install(space, emitting(datasetId));
    const taskId = await eventTask(space);
    await subscribe(space, {
      appIdentifier: installed.identifier,
      event: 'row.changed',
      taskId,
      filter: { name: ['a', 'z'] },
    });
    const { ids } = await write(space, datasetId, 'insert', {
      records: [
        { name: 'a', amount: 1 },
        { name: 'b', amount: 2 },
      ],
    });
    await write(space, datasetId, 'update', { filter: { name: 'a' }, set: { name: 'z' } });
    await write(space, datasetId, 'delete', { ids: [(ids as string[])[1]] });
    const all = await envelopes(space, 4);
    expect(all.map(({ payload }) => payload.name)).toEqual(['a', 'b', 'z', 'b']);
    expect(all[0]).toMatchObject({
      event: 'row.changed',
      source: 'datasource',
      status: 'DISPATCHED',
      depth: 0,
      causationId: null,
      matchedSubscriptions: 1,
      actorUserId: space.owner.identity.userId,
      payload: { id: (ids as string[])[0], name: 'a', amount: 1 },
    });
    expect(all[0]?.payload.createdAt).toMatch(/Z$/);
    expect(all.map(({ matchedSubscriptions }) => matchedSubscriptions)).toEqual([1, 0, 1, 0]);
    await until(async () => (await executionsOf(space, taskId)).length === 2);
    const [latest] = await executionsOf(space, taskId);
    expect(latest?.inputs.trigger).toMatchObject({ source: 'datasource', payload: { name: 'z' } });
  });

  it('is emitted only for the operations and rows that the manifest names', async () => {
    const space = await platform.newSpace();
    const datasetId = await dataset(space);
    await install(space, emitting(datasetId, { operations: ['insert'], filter: { amount: { gte: 10 } } }));
    await write(space, datasetId, 'insert', {
      records: [
        { name: 'small', amount: 1 },
        { name: 'big', amount: 10 },
      ],
    });
    await write(space, datasetId, 'update', { filter: { name: 'big' }, set: { amount: 50 } });
    await write(space, datasetId, 'insert', { records: [{ name: 'last', amount: 99 }] });
    expect((await envelopes(space, 2)).map(({ payload }) => payload.name)).toEqual(['big', 'last']);
  });

  it('goes through its rows in pieces, all of them or none, and its events keep their order', async () => {
    const space = await platform.newSpace();
    const datasetId = await dataset(space);
    await install(space, emitting(datasetId, { operations: ['update'], filter: { amount: { gte: 100 } } }));
    const text = 'x'.repeat(3_000);
    for (let part = 0; part < 5; part += 1) {
      const records = Array.from({ length: 500 }, (_, row) => ({ name: text, amount: row === 0 ? 100 + part : 1 }));
      await write(space, datasetId, 'insert', { records });
    }
    const { updated } = await write(space, datasetId, 'update', { all: true, set: { name: `${text}y` } });
    expect(updated).toBe(2_500);
    const all = await envelopes(space, 5);
    expect(all.map(({ payload }) => payload.amount)).toEqual([100, 101, 102, 103, 104]);
    const refused = await space.owner.post(`/datasets/${datasetId}/data/update`, {
      all: true,
      set: { amount: 'much' },
    });
    expect(refused.status).toBe(400);
    expect(await write(space, datasetId, 'delete', { filter: { amount: { lt: 100 } } })).toMatchObject({
      deleted: 2_495,
    });
    expect(await write(space, datasetId, 'count', {})).toEqual({ count: 5 });
  });

  it('is recorded FAILED where the row does not fit the schema, and starts nothing until somebody replays it', async () => {
    const space = await platform.newSpace();
    const datasetId = await dataset(space);
    const installed = await install(space, emitting(datasetId));
    const taskId = await eventTask(space);
    await subscribe(space, { appIdentifier: installed.identifier, event: 'row.changed', taskId });
    await write(space, datasetId, 'insert', {
      records: [
        { name: 'too much', amount: 5000 },
        { name: 'fits', amount: 5 },
      ],
    });
    const [misfit, fit] = await envelopes(space, 2);
    expect(misfit).toMatchObject({
      status: 'FAILED',
      matchedSubscriptions: 0,
      error: { code: 'EVENT_PAYLOAD_INVALID' },
    });
    expect(fit).toMatchObject({ status: 'DISPATCHED', matchedSubscriptions: 1 });
    expect(dataOf(await space.owner.post(`/events/envelopes/${misfit?.id ?? ''}/replay`, {}), 202)).toMatchObject({
      matchedSubscriptions: 1,
    });
    expect(await settledEnvelope(space, misfit?.id ?? '', 1)).toMatchObject({ status: 'DISPATCHED', error: null });
  });

  it('reaches every application that watches, with any schema of another one', async () => {
    const space = await platform.newSpace();
    const datasetId = await dataset(space);
    const hostile = { properties: { name: { enum: [{ toString: 1 }] } } };
    const [event] = emitting(datasetId).events;
    const culprit = await install(space, { events: [{ ...event, schema: hostile }] });
    const innocent = await install(space, emitting(datasetId));
    await write(space, datasetId, 'insert', { records: [{ name: 'x', amount: 1 }] });
    const all = await envelopes(space, 2);
    const of = ({ identifier }: { identifier: string }) => all.find((item) => item.appIdentifier === identifier);
    expect(of(innocent)).toMatchObject({ status: 'DISPATCHED', payload: { name: 'x' } });
    expect(of(culprit)).toMatchObject({
      status: 'FAILED',
      error: {
        code: 'EVENT_PAYLOAD_INVALID',
        message: 'payload.name must be one of {"toString":1}.',
      },
    });
  });

  it('is no longer emitted when its application is gone', async () => {
    const space = await platform.newSpace();
    const datasetId = await dataset(space);
    const installed = await install(space, emitting(datasetId));
    await write(space, datasetId, 'insert', { records: [{ name: 'a' }] });
    await envelopes(space, 1);
    dataOf(await space.owner.delete(`/applications/${installed.id}`), 200);
    await write(space, datasetId, 'insert', { records: [{ name: 'b' }] });
    await install(space, { identifier: installed.identifier, ...emitting(datasetId) });
    await write(space, datasetId, 'insert', { records: [{ name: 'c' }] });
    expect((await envelopes(space, 2)).map(({ payload }) => payload.name)).toEqual(['a', 'c']);
  });

  it.each([
    ['an unknown field', { colour: 'red' }, 'colour'],
    ['a field in another case', { or: [{ Amount: 1 }] }, 'or[0].Amount'],
    ['a value of another type', { amount: { gte: '10' } }, 'amount.gte'],
  ])('is not filtered by %s: 400 at the installation and at an upgrade, by name', async (_what, filter, field) => {
    const space = await platform.newSpace();
    const datasetId = await dataset(space);
    const wrong = manifestOf(emitting(datasetId, { filter }));
    const right = manifestOf({ ...emitting(datasetId, { filter: { amount: 1 } }), identifier: wrong.identifier });
    const refused = { code: 'VALIDATION_ERROR', details: [{ path: `manifest.events[0].emitOn.filter.${field}` }] };
    const refusal = await space.owner.post('/applications', { manifest: wrong });
    expect([refusal.status, refusal.body]).toMatchObject([400, refused]);
    const { id } = await install(space, right);
    expect((await space.owner.put(`/applications/${id}`, { manifest: wrong })).body).toMatchObject(refused);
  });

  it('is emitted only for who may read it: 403 at the installation and at an upgrade with a key that may not', async () => {
    const space = await platform.newSpace();
    const watching = manifestOf(emitting(await dataset(space)));
    const bare = { ...watching, events: [{ name: 'row.changed', schema: rowSchema }] };
    const events = await space.key({ scopes: ['events:write'] });
    const refused = { code: 'FORBIDDEN', message: expect.stringContaining('datasets:read') as string };
    const refusal = await events.post('/applications', { manifest: watching });
    expect([refusal.status, refusal.body]).toMatchObject([403, refused]);
    expect(dataOf(await space.owner.get('/applications?platform=false'), 200)).toEqual([]);
    const { id } = dataOf(await events.post('/applications', { manifest: bare }), 201);
    const upgrade = (client: TestSpace['owner']) => client.put(`/applications/${id as string}`, { manifest: watching });
    expect((await upgrade(events)).body).toMatchObject(refused);
    dataOf(await upgrade(await space.key({ scopes: ['events:write', 'datasets:read'] })), 200);
  });

  it('is filtered by what its values mean', async () => {
    const space = await platform.newSpace();
    const schema = { fields: [{ name: 'price', type: 'decimal' }] };
    const created = dataOf(await space.owner.post('/datasets', { name: 'Prices', schema }), 201);
    const datasetId = created.id as string;
    await install(space, {
      events: [
        {
          name: 'row.changed',
          schema: {},
          emitOn: { dataset: datasetId, operations: ['insert'], filter: { price: { gt: '9' } } },
        },
      ],
    });
    await write(space, datasetId, 'insert', { records: [{ price: '8.5' }, { price: '10.50' }] });
    expect((await envelopes(space, 1)).map(({ payload }) => payload.price)).toEqual(['10.50']);
  });

  it('needs a dataset of the own Space', async () => {
    const space = await platform.newSpace();
    const foreign = await dataset(await platform.newSpace());
    for (const datasetId of [foreign, '00000000-0000-7000-8000-000000000000']) {
      const manifest = { identifier: 'x', name: 'X', version: '1.0.0', ...emitting(datasetId) };
      expect((await space.owner.post('/applications', { manifest })).body).toMatchObject({ code: 'NOT_FOUND' });
    }
    expect(dataOf(await space.owner.get('/applications?platform=false'), 200)).toEqual([]);
  });
});

describe('a loop through a dataset', () => {
  it('is ended by the depth guard', async () => {
    const space = await platform.newSpace();
    const datasetId = await dataset(space);
    const installed = await install(space, emitting(datasetId, { operations: ['insert'] }));
    const taskId = await eventTask(space, {
      steps: [
        {
          id: 'write',
          type: 'dataset',
          with: { datasetId, operation: 'insert', records: [{ name: 'again', amount: 1 }] },
        },
      ],
    });
    await subscribe(space, { appIdentifier: installed.identifier, event: 'row.changed', taskId });
    await write(space, datasetId, 'insert', { records: [{ name: 'first' }] });
    const all = await until(
      async () => {
        const found = await allEnvelopes(space);
        return found.some(({ status }) => status === 'SKIPPED') ? found.reverse() : null;
      },
      { timeoutMs: 100_000 },
    );
    expect(all.map(({ depth }) => depth)).toEqual(Array.from({ length: 12 }, (_, depth) => depth));
    expect(all.at(-1)).toMatchObject({
      status: 'SKIPPED',
      depth: 11,
      error: { code: 'DEPTH_LIMIT' },
      source: 'datasource',
    });
    expect(all.every(({ correlationId }) => correlationId === all[0]?.id)).toBe(true);
  });
});
