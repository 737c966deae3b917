import { usePlatform } from '@switchyard/testing';
import { dataOf, emission, eventTask, install } from './an-application';
import { executionsOf, settledEnvelope } from './watching';

const platform = usePlatform();

async function ready() {
  const space = await platform.newSpace();
  const installed = await install(space);
  const taskId = await eventTask(space, { steps: [{ id: 'end', type: 'transform', with: {} }] });
  const subscribe = (changes: object = {}) =>
    space.owner.post('/events/subscriptions', {
      appIdentifier: installed.identifier,
      event: 'order.created',
      taskId,
      ...changes,
    });
  const emit = async (payload: object): Promise<string> =>
    dataOf(await installed.app.post('/events/emit', emission(installed, { payload })), 202).envelopeId as string;
  return { space, installed, taskId, subscribe, emit };
}

describe('the subscriptions of an event', () => {
  it('are one for each task and filter, also among simultaneous requests', async () => {
    const { space, subscribe } = await ready();
    const twins = await Promise.all(Array.from({ length: 6 }, () => subscribe({ filter: { kind: 'web' } })));
    expect(twins.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409]);
    expect(twins.find(({ status }) => status === 409)?.body).toMatchObject({ code: 'CONFLICT' });
    const other = dataOf(await subscribe({ filter: { kind: 'shop' } }), 201).id as string;
    const change = (body: object) => space.owner.patch(`/events/subscriptions/${other}`, body);
    expect((await change({ filter: { kind: 'web' } })).status).toBe(409);
    expect((await change({ filter: { kind: 'shop' }, active: false })).status).toBe(200);
    expect((await subscribe()).status).toBe(201);
    expect((await subscribe({ filter: {} })).status).toBe(409);
  });

  it('are a hundred at most, and one emission starts them all', async () => {
    const { space, taskId, subscribe, emit } = await ready();
    for (let from = 0; from < 100; from += 25) {
      const made = await Promise.all(
        Array.from({ length: 25 }, (_, at) => subscribe({ filter: { total: { gte: from + at } } })),
      );
      expect(made.map(({ status }) => status)).toEqual(made.map(() => 201));
    }
    const refused = await subscribe();
    expect([refused.status, refused.body]).toMatchObject([409, { code: 'CONFLICT' }]);
    const envelope = await settledEnvelope(space, await emit({ order: 'x'.repeat(200_000), total: 1000 }), 100);
    expect(envelope.deliveries.every(({ status }) => status === 'TRIGGERED')).toBe(true);
    expect(new Set((await executionsOf(space, taskId)).map(({ id }) => id)).size).toBe(100);
  }, 120_000);
});

describe('the event log', () => {
  it('leaves long payloads out of its rows; the envelope itself has all of it', async () => {
    const { space, emit } = await ready();
    const long = { order: 'x'.repeat(16_400) };
    const [longId, shortId] = [await emit(long), await emit({ order: 'x'.repeat(16_000) })];
    const rows = dataOf(await space.owner.get('/events/envelopes'), 200) as { id: string; payload: unknown }[];
    const payloadOf = (id: string | undefined) => rows.find((row) => row.id === id)?.payload;
    expect(payloadOf(longId)).toEqual({ truncated: true, bytes: JSON.stringify(long).length });
    expect(payloadOf(shortId)).toEqual({ order: 'x'.repeat(16_000) });
    expect(dataOf(await space.owner.get(`/events/envelopes/${longId}`), 200).payload).toEqual(long);
    const huge = await emit({ order: 'x'.repeat(200_000) });
    const [first] = dataOf(await space.owner.get('/events/envelopes?limit=1'), 200) as {
      id: string;
      payload: object;
    }[];
    expect(first).toMatchObject({ id: huge, payload: { truncated: true } });
  });
});

describe('a list', () => {
  it('ends its page early rather than growing over 2 MiB, and goes on behind it', async () => {
    const space = await platform.newSpace();
    const description = 'd'.repeat(1_900);
    const events = Array.from({ length: 100 }, (_, at) => ({
      name: `e${at}`,
      description,
      schema: { title: 't'.repeat(8_000) },
    }));
    const apps = [await install(space, { events }), await install(space, { events }), await install(space, { events })];
    const seen: string[] = [];
    let cursor: string | null = '';
    let pages = 0;
    while (cursor !== null) {
      const reply = await space.owner.get(`/applications?limit=100&platform=false${cursor && `&cursor=${cursor}`}`);
      const body = reply.body as { data: { id: string }[]; page: { nextCursor: string | null } };
      expect(JSON.stringify(body).length).toBeLessThan(2.2 * 1024 * 1024);
      seen.push(...body.data.map(({ id }) => id));
      cursor = body.page.nextCursor;
      pages += 1;
    }
    expect(seen.sort()).toEqual(apps.map(({ id }) => id).sort());
    expect(pages).toBeGreaterThan(1);
  });
});
