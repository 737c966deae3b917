import { type TestSpace, until, usePlatform } from '@switchyard/testing';
import { Webhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';
import { type InstalledApplication, dataOf, emission, eventTask, install } from './an-application';
import { createEndpoint, deliveriesOf, readEndpoint, settledDeliveries } from './an-endpoint';
import { type Received, Receiver, withStatus } from './receiver';
import { subscribe } from './watching';

const platform = usePlatform();
const receivers: Receiver[] = [];
const listen = async (...args: Parameters<typeof Receiver.open>): Promise<Receiver> => {
  const receiver = await Receiver.open(...args);
  receivers.push(receiver);
  return receiver;
};
afterAll(() => {
  for (const receiver of receivers) receiver.close();
});

const UNKNOWN = '00000000-0000-7000-8000-000000000000';

let space: TestSpace;
let installed: InstalledApplication;
beforeAll(async () => {
  space = await platform.newSpace();
  installed = await install(space);
});

const emit = async (changes: Record<string, unknown> = {}, from = installed): Promise<string> =>
  dataOf(await from.app.post('/events/emit', emission(from, changes)), 202).envelopeId as string;

const subscribeEndpoint = (endpointId: string, filter?: unknown): Promise<string> =>
  subscribe(space, { appIdentifier: installed.identifier, event: 'order.created', endpointId, filter });

const verified = (secret: string, { body, headers }: Received): unknown => {
  const given = headers as Record<string, string>;
  const svix = new SvixWebhook(secret).verify(body, given);
  expect(new Webhook(secret).verify(body, given)).toEqual(svix);
  return svix;
};

describe('an event that an endpoint is subscribed to', () => {
  it('arrives once, signed, with what the envelope says', async () => {
    const receiver = await listen();
    const endpoint = await createEndpoint(space, receiver.url, { headers: { 'X-Team': 'blue' } });
    const first = await subscribeEndpoint(endpoint.id);
    // Two more subscriptions match: the envelope goes there once.
    await subscribeEndpoint(endpoint.id, { total: 5 });
    await subscribeEndpoint(endpoint.id, { total: { gte: 1 } });
    const envelopeId = await emit();
    const [delivery] = await settledDeliveries(space, envelopeId);
    expect(delivery).toMatchObject({
      kind: 'ENDPOINT',
      subscriptionId: first,
      taskId: null,
      executionId: null,
      endpointId: endpoint.id,
      status: 'DELIVERED',
      replay: 0,
      attempts: [{ status: 200, error: null }],
      attemptCount: 1,
      error: null,
    });
    const envelope = dataOf(await space.owner.get(`/events/envelopes/${envelopeId}`), 200);
    expect(envelope).toMatchObject({ status: 'DISPATCHED', matchedSubscriptions: 3 });
    expect(receiver.received).toHaveLength(1);
    const [received] = receiver.received as [Received];
    expect(verified(endpoint.secret, received)).toEqual({
      type: 'order.created',
      timestamp: envelope.emittedAt,
      data: { order: 'o-1', total: 5 },
      envelopeId,
    });
    expect(received.path).toBe('/hook/secret-path');
    expect(received.headers).toMatchObject({
      'content-type': 'application/json',
      'webhook-id': `${envelopeId}.${endpoint.id}`,
      'switchyard-cause': envelopeId,
      'x-team': 'blue',
    });
    const tampered = { ...received, body: received.body.replace('o-1', 'o-2') };
    expect(() => verified(endpoint.secret, tampered)).toThrow();
    expect(await readEndpoint(space.owner, endpoint.id)).toMatchObject({ status: 'HEALTHY', failingReason: null });
    expect((await readEndpoint(space.owner, endpoint.id)).lastSuccessAt).not.toBeNull();
  });

  it('carries the trace of the request that emitted it, also in a replay', async () => {
    const receiver = await listen();
    const endpoint = await createEndpoint(space, receiver.url);
    await subscribeEndpoint(endpoint.id);
    const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
    const sent = await installed.app.post('/events/emit', emission(installed), { headers: { traceparent } });
    const envelopeId = dataOf(sent, 202).envelopeId as string;
    await settledDeliveries(space, envelopeId);
    dataOf(await space.owner.post(`/events/envelopes/${envelopeId}/replay`, {}), 202);
    await until(() => receiver.received.length === 2);
    const untraced = await emit();
    await until(() => receiver.received.length === 3);
    const traces = receiver.received.map(({ headers }) => [headers['switchyard-cause'], headers['traceparent']]);
    expect(traces).toEqual([
      [envelopeId, traceparent],
      [envelopeId, traceparent],
      [untraced, undefined],
    ]);
  });

  it('is tried again with the same id until the receiver takes it', async () => {
    const receiver = await listen(withStatus((count) => (count < 3 ? 500 : 204)));
    const endpoint = await createEndpoint(space, receiver.url);
    await subscribeEndpoint(endpoint.id);
    const envelopeId = await emit();
    await until(() => receiver.received.length === 1);
    const failing = await until(async () => {
      const found = await readEndpoint(space.owner, endpoint.id);
      return found.status === 'FAILING' ? found : null;
    });
    expect(failing).toMatchObject({ failingReason: 'HTTP_STATUS' });
    // The waits are minutes: they are over at once here.
    for (const count of [2, 3]) {
      await until(async () => (await deliveriesOf(space, endpoint.id))[0]?.attemptCount === count - 1);
      await platform.database.query(`update event_bus.endpoint_deliveries set run_at = now() where envelope_id = $1`, [
        envelopeId,
      ]);
      await until(() => receiver.received.length === count);
    }
    const deliveries = await settledDeliveries(space, envelopeId);
    const delivery = deliveries.find(({ endpointId }) => endpointId === endpoint.id);
    expect(delivery).toMatchObject({ status: 'DELIVERED', attemptCount: 3 });
    expect(delivery?.attempts.map(({ status, error }) => [status, error?.code ?? null])).toEqual([
      [500, 'HTTP_STATUS'],
      [500, 'HTTP_STATUS'],
      [204, null],
    ]);
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(await readEndpoint(space.owner, endpoint.id)).toMatchObject({ status: 'HEALTHY', failingSince: null });
  });

  it('starts the tasks that are subscribed too', async () => {
    const receiver = await listen();
    const endpoint = await createEndpoint(space, receiver.url);
    await subscribeEndpoint(endpoint.id);
    const taskId = await eventTask(space);
    const event = { appIdentifier: installed.identifier, event: 'order.created' };
    await subscribe(space, { ...event, taskId, filter: { order: 'both' } });
    const envelopeId = await emit({ payload: { order: 'both' } });
    const deliveries = await settledDeliveries(space, envelopeId, 2);
    expect(deliveries).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          kind: 'TASK',
          taskId,
          endpointId: null,
          status: 'TRIGGERED',
          attempts: [],
          error: null,
        }),
        expect.objectContaining({ kind: 'ENDPOINT', endpointId: endpoint.id, status: 'DELIVERED' }),
      ]),
    );
  });

  it('does not follow redirects, and reads nothing of a long or broken answer', async () => {
    const inner = await listen();
    const redirecting = await listen((_, response) => response.writeHead(302, { location: inner.url }).end());
    const lying = await listen((_, response) => {
      response.writeHead(200, { 'content-length': '10000000' });
      response.write('x'.repeat(10_000));
      setTimeout(() => response.destroy(), 20);
    });
    const [first, second] = [await createEndpoint(space, redirecting.url), await createEndpoint(space, lying.url)];
    await subscribeEndpoint(first.id);
    await subscribeEndpoint(second.id);
    await emit();
    await until(async () => (await deliveriesOf(space, second.id))[0]?.status === 'DELIVERED');
    const failed = await until(async () => {
      const [found] = await deliveriesOf(space, first.id);
      return found?.attemptCount === 1 ? found : null;
    });
    expect(failed).toMatchObject({ status: 'PENDING', attempts: [{ status: 302, error: { code: 'REDIRECT' } }] });
    expect(inner.received).toHaveLength(0);
    // Deliveries that wait end with their endpoint.
    expect((await space.owner.delete(`/events/endpoints/${first.id}`)).status).toBe(200);
    const ended = await until(async () => {
      const envelope = dataOf(await space.owner.get(`/events/envelopes/${failed.envelopeId}`), 200);
      const own = (envelope.deliveries as { id: string; status: string; error: string }[]).find(
        ({ id }) => id === failed.id,
      );
      return own?.status === 'FAILED' ? own : null;
    });
    expect(ended).toMatchObject({ error: 'ENDPOINT_DISABLED' });
    expect((await space.owner.get(`/events/subscriptions?endpointId=${first.id}`)).body.data).toEqual([]);
  });

  it('reaches no private address', async () => {
    const inner = await listen(undefined, '127.0.0.1');
    expect((await space.owner.post('/events/endpoints', { name: 'inner', url: inner.url })).status).toBe(400);
    const endpoint = await createEndpoint(space, 'https://localhost:443/');
    await subscribeEndpoint(endpoint.id);
    // As a name that meant a public address when the endpoint was made.
    await platform.database.query('update event_bus.endpoints set url = $2 where id = $1', [
      endpoint.id,
      inner.url.replace('127.0.0.1', 'localhost'),
    ]);
    await emit();
    const delivery = await until(async () => {
      const [found] = await deliveriesOf(space, endpoint.id);
      return found?.attemptCount === 1 ? found : null;
    });
    expect(delivery).toMatchObject({ attempts: [{ status: null, error: { code: 'ADDRESS_NOT_ALLOWED' } }] });
    expect(inner.received).toHaveLength(0);
    await space.owner.delete(`/events/endpoints/${endpoint.id}`);
  });
});

describe('the record of an endpoint', () => {
  it('shows its secret once, and its address and headers to those in charge', async () => {
    const body = {
      name: 'billing',
      url: 'https://example.com/hooks/s3cr3t?key=1',
      headers: { Authorization: 'Bearer literal', 'X-Token': '{{ secrets.HOOK_TOKEN }}' },
    };
    expect((await space.owner.post('/events/endpoints', body)).status).toBe(400);
    const secret = dataOf(await space.owner.post('/secrets', { name: 'HOOK_TOKEN', value: 't0p' }), 201);
    const headers = { headers: { 'Idempotency-Key': 'make-billing' } };
    const created = dataOf(await space.owner.post('/events/endpoints', body, headers), 201);
    expect(created).toMatchObject({
      name: 'billing',
      transport: 'http',
      url: body.url,
      headers: { Authorization: '***', 'X-Token': '{{ secrets.HOOK_TOKEN }}' },
      inFlight: 4,
      active: true,
      status: 'HEALTHY',
    });
    expect(created.secret).toMatch(/^whsec_.{43}=$/);
    const repeated = dataOf(await space.owner.post('/events/endpoints', body, headers), 201);
    expect(repeated.id).toBe(created.id);
    expect(repeated.secret).toBeUndefined();
    const read = await readEndpoint(space.owner, created.id as string);
    expect(read.secret).toBeUndefined();
    expect(read.headers?.Authorization).toBe('***');
    const member = await space.member('MEMBER');
    const seen = await readEndpoint(member, created.id as string);
    expect(seen).toMatchObject({ url: 'https://example.com', status: 'HEALTHY' });
    expect(seen).not.toHaveProperty('headers');
    expect((await member.get(`/events/endpoints/${created.id as string}/deliveries`)).status).toBe(403);
    const listed = dataOf(await member.get('/events/endpoints?limit=100'), 200) as unknown as {
      id: string;
      url: string;
    }[];
    expect(listed.find(({ id }) => id === created.id)).toMatchObject({ url: 'https://example.com', status: 'HEALTHY' });
    expect((await (await space.member('VIEWER')).get('/events/endpoints')).status).toBe(403);
    expect(dataOf(await space.owner.get(`/secrets/${secret.id as string}`), 200).usedBy).toEqual([
      { kind: 'endpoint', id: created.id, name: 'billing' },
    ]);
    const stored = await platform.database.query('select * from event_bus.endpoints where id = $1', [created.id]);
    const text = JSON.stringify(stored);
    expect(text).not.toContain('literal');
    expect(text).not.toContain((created.secret as string).slice('whsec_'.length));
  });

  it('keeps the headers that a change names as ***', async () => {
    const receiver = await listen();
    const { id } = await createEndpoint(space, receiver.url, { headers: { 'X-A': 'one', 'X-B': 'two' } });
    const path = `/events/endpoints/${id}`;
    dataOf(await space.owner.patch(path, { headers: { 'x-a': '***', 'X-C': 'three' }, inFlight: 2 }), 200);
    await subscribeEndpoint(id);
    await emit();
    const { headers } = await until(() => receiver.received[0]);
    expect([headers['x-a'], headers['x-b'], headers['x-c']]).toEqual(['one', undefined, 'three']);
    expect((await space.owner.patch(path, { headers: { 'X-D': '***' } })).status).toBe(400);
    expect((await space.owner.patch(path, { name: 'other' })).status).toBe(400);
  });

  it('sends the current values of secrets to the hosts that they are for', async () => {
    const receiver = await listen();
    const secret = dataOf(
      await space.owner.post('/secrets', { name: 'FOR_ELSEWHERE', value: 'v-1', hosts: ['elsewhere.example.com'] }),
      201,
    );
    const { id } = await createEndpoint(space, receiver.url, { headers: { 'X-Key': 'k {{ secrets.FOR_ELSEWHERE }}' } });
    await subscribeEndpoint(id);
    await emit();
    const refused = await until(async () => {
      const [found] = await deliveriesOf(space, id);
      return found?.attemptCount === 1 ? found : null;
    });
    expect(refused.attempts[0]).toMatchObject({ status: null, error: { code: 'SECRET_NOT_ALLOWED' } });
    expect(receiver.received).toHaveLength(0);
    const hosts = { value: 'v-2', hosts: ['127.0.0.2'] };
    dataOf(await space.owner.put(`/secrets/${secret.id as string}`, hosts), 200);
    await platform.database.query('update event_bus.endpoint_deliveries set run_at = now() where id = $1', [
      refused.id,
    ]);
    expect((await until(() => receiver.received[0])).headers['x-key']).toBe('k v-2');
  });

  it.each<[string, Record<string, unknown>]>([
    ['no address', { url: undefined }],
    ['http', { url: 'http://example.com/' }],
    ['a password in the address', { url: 'https://a:b@example.com/' }],
    ['a private address', { url: 'https://10.0.0.1/' }],
    ['a port that is not open', { url: 'https://93.184.216.34:6379/' }],
    ['another transport', { transport: 'nats', url: undefined }],
    ['a name in capitals', { name: 'Billing' }],
    ['a long name', { name: 'a'.repeat(64) }],
    ['a header of the platform', { headers: { 'Webhook-Id': 'x' } }],
    ['a header of the connection', { headers: { 'Content-Type': 'x' } }],
    ['a header twice', { headers: { 'X-A': '1', 'x-a': '2' } }],
    ['a header with a line break', { headers: { 'X-A': 'a\r\nb: c' } }],
    ['a name that is no header', { headers: { 'X A': '1' } }],
    ['an unknown secret', { headers: { 'X-A': '{{ secrets.NOT_THERE }}' } }],
    ['a filtered secret', { headers: { 'X-A': '{{ secrets.A | upcase }}' } }],
    ['a number as a header', { headers: { 'X-A': 1 } }],
    ['too many headers', { headers: Object.fromEntries(Array.from({ length: 21 }, (_, i) => [`X-${i}`, 'v'])) }],
    ['too many at a time', { inFlight: 65 }],
    ['an unknown field', { method: 'PUT' }],
  ])('is refused with %s', async (_, changes) => {
    const body = { name: 'refused', url: 'https://example.com/', ...changes };
    expect((await space.owner.post('/events/endpoints', body)).status).toBe(400);
  });

  it('is unique by name, and one of a hundred', async () => {
    const own = await platform.newSpace();
    const made = await Promise.all(
      Array.from({ length: 101 }, (_, i) =>
        own.owner.post('/events/endpoints', { name: `e-${i}`, url: 'https://example.com/' }),
      ),
    );
    expect(made.filter(({ status }) => status === 201)).toHaveLength(100);
    expect(made.filter(({ status }) => status === 409)).toHaveLength(1);
    const same = await own.owner.post('/events/endpoints', { name: 'e-1', url: 'https://example.com/' });
    expect(same.body.code).toBe('CONFLICT');
  });

  it('belongs to its Space, and changes need ADMIN', async () => {
    const { id } = await createEndpoint(space, 'https://example.com/');
    const path = `/events/endpoints/${id}`;
    const stranger = (await platform.newSpace()).owner;
    const member = await space.member('MEMBER');
    for (const [client, status] of [
      [stranger, 404],
      [member, 403],
    ] as const) {
      expect((await client.patch(path, { active: false })).status).toBe(status);
      expect((await client.delete(path)).status).toBe(status);
      expect((await client.post(`${path}/rotate-secret`, {})).status).toBe(status);
      expect((await client.post(`${path}/test`, {})).status).toBe(status);
      expect((await client.post(`${path}/resume`, {})).status).toBe(status);
      expect((await client.post(`${path}/replay`, { from: new Date().toISOString() })).status).toBe(status);
      expect((await client.get(`${path}/deliveries`)).status).toBe(status);
    }
    expect((await stranger.get(path)).status).toBe(404);
    const event = { appIdentifier: installed.identifier, event: 'order.created' };
    expect((await member.post('/events/subscriptions', { ...event, endpointId: id })).status).toBe(403);
    const subscriptionId = await subscribeEndpoint(id);
    expect((await member.patch(`/events/subscriptions/${subscriptionId}`, { active: false })).status).toBe(403);
    expect((await member.delete(`/events/subscriptions/${subscriptionId}`)).status).toBe(403);
  });
});

describe('a subscription of an endpoint', () => {
  it('names exactly one of task and endpoint, and is listed on demand', async () => {
    const { id } = await createEndpoint(space, 'https://example.com/');
    const taskId = await eventTask(space);
    const event = { appIdentifier: installed.identifier, event: 'order.paid' };
    const post = (target: Record<string, unknown>) =>
      space.owner.post('/events/subscriptions', { ...event, ...target });
    expect((await post({ taskId, endpointId: id })).status).toBe(400);
    expect((await post({})).status).toBe(400);
    const unknown = await post({ endpointId: UNKNOWN });
    expect([unknown.status, unknown.body.code]).toEqual([404, 'NOT_FOUND']);
    const made = dataOf(await post({ endpointId: id }), 201);
    expect(made).toMatchObject({ taskId: null, endpointId: id });
    expect((await post({ endpointId: id })).status).toBe(409);
    const list = async (query: string): Promise<unknown[]> =>
      (
        dataOf(await space.owner.get(`/events/subscriptions?event=order.paid${query}`), 200) as unknown as {
          id: string;
        }[]
      ).map((each) => each.id);
    expect(await list('')).toEqual([]);
    expect(await list('&kind=ENDPOINT')).toEqual([made.id]);
    expect(await list(`&endpointId=${id}`)).toEqual([made.id]);
    expect(await list('&kind=TASK')).toEqual([]);
  });
});
