import { until, usePlatform } from '@switchyard/testing';
import { dataOf, emission, install } from './an-application';

const platform = usePlatform();

describe('an emission', () => {
  it('is accepted with 202, recorded, and dispatched', async () => {
    const space = await platform.newSpace();
    const installed = await install(space);
    const accepted = dataOf(await installed.app.post('/events/emit', emission(installed)), 202);
    expect(accepted).toEqual({ envelopeId: accepted.envelopeId, status: 'PENDING', duplicate: false });
    const envelope = await until(async () => {
      const read = dataOf(await space.owner.get(`/events/envelopes/${accepted.envelopeId as string}`), 200);
      return read.status === 'DISPATCHED' && read;
    });
    expect(envelope).toMatchObject({
      id: accepted.envelopeId,
      spaceId: space.id,
      appIdentifier: installed.identifier,
      event: 'order.created',
      payload: { order: 'o-1', total: 5 },
      source: 'app',
      matchedSubscriptions: 0,
      idempotencyKey: null,
      causationId: null,
      correlationId: accepted.envelopeId,
      depth: 0,
      error: null,
      deliveries: [],
    });
  });

  it('is refused in this order: credential, application, key, event, payload', async () => {
    const space = await platform.newSpace();
    const one = await install(space);
    const other = await install(space);
    const bad = { order: 7 };
    const user = await space.owner.post('/events/emit', emission(one, { appIdentifier: 'nobody' }));
    expect([user.status, user.body]).toMatchObject([403, { code: 'FORBIDDEN' }]);
    const key = await (await space.key()).post('/events/emit', emission(one, { appIdentifier: 'nobody' }));
    expect(key.status).toBe(403);
    const unknown = await one.app.post(
      '/events/emit',
      emission(one, { appIdentifier: 'nobody', event: 'none', payload: bad }),
    );
    expect([unknown.status, unknown.body]).toMatchObject([404, { code: 'APPLICATION_NOT_INSTALLED' }]);
    const foreign = await one.app.post('/events/emit', emission(other, { event: 'none', payload: bad }));
    expect([foreign.status, foreign.body]).toMatchObject([403, { code: 'FORBIDDEN' }]);
    const unregistered = await one.app.post('/events/emit', emission(one, { event: 'none', payload: bad }));
    expect([unregistered.status, unregistered.body]).toMatchObject([404, { code: 'EVENT_NOT_REGISTERED' }]);
    const invalid = await one.app.post('/events/emit', emission(one, { payload: bad }));
    expect([invalid.status, invalid.body]).toMatchObject([
      400,
      { success: false, code: 'EVENT_PAYLOAD_INVALID', details: [{ path: 'payload.order' }] },
    ]);
  });

  it.each([
    ['no payload', { payload: undefined }, 400],
    ['a payload that is no object', { payload: [1] }, 400],
    ['an unknown field', { depth: 0 }, 400],
    ['an empty key', { idempotencyKey: '' }, 400],
    ['a key that is too long', { idempotencyKey: 'x'.repeat(256) }, 400],
    ['a payload over the limit', { payload: { order: 'x'.repeat(256 * 1024) } }, 413],
    ['a payload at the limit', { payload: { order: 'x'.repeat(256 * 1024 - 12) } }, 202],
  ])('with %s answers %#', async (_what, changes, status) => {
    const space = await platform.newSpace();
    const installed = await install(space);
    expect((await installed.app.post('/events/emit', emission(installed, changes))).status).toBe(status);
  });

  it('is checked with any field names in its schema, and by a schema that contains itself', async () => {
    const space = await platform.newSpace();
    const node = { properties: { price: { multipleOf: 0.01 }, next: { $ref: '#' } } };
    const hostile = { properties: { a: { enum: [{ toString: 1 }] } } };
    const one = await install(space, {
      events: [
        { name: 'hostile', schema: hostile },
        { name: 'node', schema: node },
      ],
    });
    const emit = async (event: string, payload: object) =>
      (await one.app.post('/events/emit', { appIdentifier: one.identifier, event, payload })).body;
    expect(await emit('hostile', { a: 'a' })).toMatchObject({
      code: 'EVENT_PAYLOAD_INVALID',
      message: 'payload.a must be one of {"toString":1}.',
    });
    expect(await emit('hostile', { a: { toString: 1 } })).toMatchObject({ success: true });
    expect(await emit('node', { price: 19.99, next: { next: { price: 4.35 } } })).toMatchObject({ success: true });
    expect(await emit('node', { next: { next: { price: 0.005 } } })).toMatchObject({
      details: [{ path: 'payload.next.next.price' }],
    });
  });

  it('is refused where its payload is too expensive to check, or a text too long for its format', async () => {
    const space = await platform.newSpace();
    const schema = { properties: { text: { pattern: '(?:a?){499}a{499}b|[^a]' }, link: { format: 'uri' } } };
    const one = await install(space, { events: [{ name: 'costly', schema }] });
    const emit = (payload: object) =>
      one.app.post('/events/emit', { appIdentifier: one.identifier, event: 'costly', payload });
    const costly = await emit({ text: 'a'.repeat(250_000) });
    expect([costly.status, costly.body]).toMatchObject([
      400,
      { code: 'EVENT_PAYLOAD_INVALID', message: expect.stringContaining('too expensive to check') as string },
    ]);
    const long = await emit({ link: `https://example.com/${'a'.repeat(2048)}` });
    expect([long.status, long.body]).toMatchObject([
      400,
      { code: 'EVENT_PAYLOAD_INVALID', details: [{ path: 'payload.link' }] },
    ]);
    expect((await emit({ text: `${'a'.repeat(499)}b`, link: 'https://example.com/' })).status).toBe(202);
  });

  it('is the only thing that a system key may do', async () => {
    const space = await platform.newSpace();
    const installed = await install(space);
    for (const path of [
      '/applications',
      '/events/envelopes',
      '/events/registered',
      '/events/subscriptions',
      '/api-keys',
      '/tasks',
      '/agents',
    ]) {
      expect([path, (await installed.app.get(path)).status]).toEqual([path, 403]);
    }
  });

  it('is new every time without a key', async () => {
    const space = await platform.newSpace();
    const installed = await install(space);
    const first = dataOf(await installed.app.post('/events/emit', emission(installed)), 202);
    const second = dataOf(await installed.app.post('/events/emit', emission(installed)), 202);
    expect(second.envelopeId).not.toBe(first.envelopeId);
  });
});

describe('the idempotency key of an emission', () => {
  it('makes one envelope of 100 emissions at once, and one answer', async () => {
    const space = await platform.newSpace();
    const installed = await install(space);
    const body = emission(installed, { idempotencyKey: 'order-1' });
    const replies = await Promise.all(Array.from({ length: 100 }, () => installed.app.post('/events/emit', body)));
    const statuses = replies.map((reply) => reply.status).sort();
    expect(statuses.filter((status) => status === 202)).toHaveLength(1);
    expect(statuses.filter((status) => status === 200)).toHaveLength(99);
    const answers = replies.map((reply) => (reply.body as { data: { envelopeId: string; duplicate: boolean } }).data);
    expect(new Set(answers.map((answer) => answer.envelopeId)).size).toBe(1);
    expect(answers.filter((answer) => !answer.duplicate)).toHaveLength(1);
    expect(replies.filter((reply) => reply.headers['idempotency-replayed'] === 'true')).toHaveLength(99);
    expect(dataOf(await space.owner.get('/events/envelopes?limit=100'), 200)).toHaveLength(1);
  });

  it('answers 409 for another payload, and the order of its fields is no other payload', async () => {
    const space = await platform.newSpace();
    const installed = await install(space);
    const send = (payload: object) =>
      installed.app.post('/events/emit', emission(installed, { idempotencyKey: 'k', payload }));
    expect((await send({ order: 'a', total: 1 })).status).toBe(202);
    expect((await send({ total: 1, order: 'a' })).status).toBe(200);
    const other = await send({ order: 'a', total: 2 });
    expect([other.status, other.body]).toMatchObject([409, { code: 'IDEMPOTENCY_CONFLICT' }]);
  });

  it('may come as a header, and the body wins', async () => {
    const space = await platform.newSpace();
    const installed = await install(space);
    const send = (header: string, idempotencyKey?: string) =>
      installed.app.post('/events/emit', emission(installed, { idempotencyKey }), {
        headers: { 'idempotency-key': header },
      });
    expect((await send('a')).status).toBe(202);
    expect((await send('a')).status).toBe(200);
    expect((await send('a', 'b')).status).toBe(202);
    expect((await send('c', 'b')).status).toBe(200);
  });

  it('belongs to a Space, an application and an event', async () => {
    const [spaceA, spaceB] = [await platform.newSpace(), await platform.newSpace()];
    const a = await install(spaceA);
    const sibling = await install(spaceA);
    const b = await install(spaceB, { identifier: a.identifier });
    const key = { idempotencyKey: 'order-1' };
    expect((await a.app.post('/events/emit', emission(a, key))).status).toBe(202);
    expect((await b.app.post('/events/emit', emission(b, key))).status).toBe(202);
    expect((await sibling.app.post('/events/emit', emission(sibling, key))).status).toBe(202);
    expect((await a.app.post('/events/emit', emission(a, { ...key, event: 'order.paid' }))).status).toBe(202);
    expect((await a.app.post('/events/emit', emission(a, key))).status).toBe(200);
  });

  it('is not burnt by a refused payload', async () => {
    const space = await platform.newSpace();
    const installed = await install(space);
    const send = (payload: object) =>
      installed.app.post('/events/emit', emission(installed, { idempotencyKey: 'k', payload }));
    expect((await send({ total: 1 })).status).toBe(400);
    expect((await send({ order: 'a' })).status).toBe(202);
  });
});

describe('the event log', () => {
  it('is filtered by status, event, application, source and time, and paged newest first', async () => {
    const space = await platform.newSpace();
    const installed = await install(space);
    const ids: string[] = [];
    for (const event of ['order.created', 'order.paid', 'order.created']) {
      ids.push(
        dataOf(await installed.app.post('/events/emit', emission(installed, { event })), 202).envelopeId as string,
      );
    }
    const list = async (query: string): Promise<string[]> =>
      (dataOf(await space.owner.get(`/events/envelopes?${query}`), 200) as unknown as { id: string }[]).map(
        (envelope) => envelope.id,
      );
    await until(async () => (await list('status=DISPATCHED')).length === 3);
    expect(await list('')).toEqual([...ids].reverse());
    expect(await list('event=order.paid')).toEqual([ids[1]]);
    expect(await list(`appIdentifier=${installed.identifier}&source=app`)).toHaveLength(3);
    expect(await list('source=system')).toEqual([]);
    expect(await list('status=FAILED')).toEqual([]);
    expect(
      await list(
        `from=${new Date(Date.now() - 60_000).toISOString()}&to=${new Date(Date.now() + 60_000).toISOString()}`,
      ),
    ).toHaveLength(3);
    expect(await list(`to=${new Date(Date.now() - 60_000).toISOString()}`)).toEqual([]);
    const first = await space.owner.get('/events/envelopes?limit=2');
    const { nextCursor } = (first.body as unknown as { page: { nextCursor: string } }).page;
    expect(await list(`limit=2&cursor=${nextCursor}`)).toEqual([ids[0]]);
    expect((await space.owner.get('/events/envelopes?status=LOST')).status).toBe(400);
    expect((await space.owner.get('/events/envelopes?cursor=junk')).status).toBe(400);
    const stranger = (await platform.newSpace()).owner;
    expect((await stranger.get(`/events/envelopes/${ids[0]}`)).body).toMatchObject({ code: 'NOT_FOUND' });
    expect((await stranger.post(`/events/envelopes/${ids[0]}/replay`, {})).status).toBe(404);
    expect(dataOf(await stranger.get('/events/envelopes'), 200)).toEqual([]);
  });

  it('is counted by status, by event and over time', async () => {
    const space = await platform.newSpace();
    const installed = await install(space);
    for (const event of ['order.created', 'order.created', 'order.paid'])
      await installed.app.post('/events/emit', emission(installed, { event }));
    const stats = await until(async () => {
      const read = dataOf(await space.owner.get('/events/stats'), 200);
      return (read.byStatus as { DISPATCHED: number }).DISPATCHED === 3 && read;
    });
    expect(stats).toMatchObject({
      interval: 'hour',
      byStatus: { total: 3, PENDING: 0, DISPATCHED: 3, SKIPPED: 0, FAILED: 0 },
      byEvent: [
        { appIdentifier: installed.identifier, event: 'order.created', total: 2 },
        { event: 'order.paid', total: 1 },
      ],
    });
    expect((stats.overTime as { total: number }[]).reduce((sum, hour) => sum + hour.total, 0)).toBe(3);
  });
});
