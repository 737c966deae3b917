import { type TestSpace, until, usePlatform } from '@switchyard/testing';
import { Webhook } from 'standardwebhooks';
import { type InstalledApplication, dataOf, emission, eventTask, install } from './an-application';
import { type Endpoint, createEndpoint, deliveriesOf, readEndpoint } from './an-endpoint';
import { Receiver, withStatus } from './receiver';
import { executionsOf, subscribe } from './watching';

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

let space: TestSpace;
let installed: InstalledApplication;
beforeEach(async () => {
  space = await platform.newSpace();
  installed = await install(space);
});

const emit = async (order: string): Promise<string> =>
  dataOf(await installed.app.post('/events/emit', emission(installed, { payload: { order } })), 202)
    .envelopeId as string;

async function subscribed(receiver: Receiver, changes: Record<string, unknown> = {}): Promise<Endpoint> {
  const endpoint = await createEndpoint(space, receiver.url, changes);
  await subscribe(space, { appIdentifier: installed.identifier, event: 'order.created', endpointId: endpoint.id });
  return endpoint;
}

const reaches = (id: string, status: string): Promise<Endpoint> =>
  until(async () => {
    const endpoint = await readEndpoint(space.owner, id);
    return endpoint.status === status ? endpoint : null;
  });

const securityActions = async (): Promise<string[]> => {
  const { body } = await space.owner.get(`/spaces/${space.id}/security-events?limit=100`);
  return (body.data as { action: string }[]).map(({ action }) => action);
};

describe('an endpoint that is disabled', () => {
  it('fails what waits and what comes, and sends again what a replay names', async () => {
    let status = 410;
    const receiver = await listen((_, response) => response.writeHead(status).end());
    const { id } = await subscribed(receiver, { inFlight: 1 });
    await emit('first');
    expect(await reaches(id, 'DISABLED')).toMatchObject({ failingReason: 'HTTP_STATUS', active: true });
    await emit('second');
    const failed = await until(async () => {
      const found = await deliveriesOf(space, id, '&status=FAILED');
      return found.length === 2 ? found : null;
    });
    expect(failed.map(({ error, attemptCount }) => [error, attemptCount])).toEqual([
      ['ENDPOINT_DISABLED', 0],
      ['ENDPOINT_DISABLED', 1],
    ]);
    // Only a resume ends it, and a resume sends nothing.
    dataOf(await space.owner.patch(`/events/endpoints/${id}`, { active: true }), 200);
    expect((await readEndpoint(space.owner, id)).status).toBe('DISABLED');
    status = 200;
    dataOf(await space.owner.post(`/events/endpoints/${id}/resume`, {}), 200);
    expect(await readEndpoint(space.owner, id)).toMatchObject({ status: 'HEALTHY', failingReason: null });
    const from = new Date(Date.now() - 3_600_000).toISOString();
    const replayed = dataOf(await space.owner.post(`/events/endpoints/${id}/replay`, { from }), 202);
    expect(replayed).toMatchObject({ matched: 2 });
    await until(async () => (await deliveriesOf(space, id, '&status=DELIVERED')).length === 2);
    expect(receiver.received.slice(1).map(({ body }) => (JSON.parse(body) as { data: unknown }).data)).toEqual([
      { order: 'first' },
      { order: 'second' },
    ]);
    expect(receiver.received.slice(1).every(({ headers }) => String(headers['webhook-id']).endsWith(`${id}.r1`))).toBe(
      true,
    );
    // The latest delivery of each envelope decides.
    expect(dataOf(await space.owner.post(`/events/endpoints/${id}/replay`, { from }), 202)).toMatchObject({
      matched: 0,
    });
    const again = { from, status: 'DELIVERED' };
    expect(dataOf(await space.owner.post(`/events/endpoints/${id}/replay`, again), 202)).toMatchObject({ matched: 2 });
    await until(() => receiver.received.length === 5);
    expect(String(receiver.received[4]?.headers['webhook-id'])).toMatch(/\.r2$/);
    await until(async () => {
      const actions = await securityActions();
      return ['created', 'changed', 'disabled', 'resumed', 'replayed'].every((each) =>
        actions.includes(`endpoint.${each}`),
      );
    });
    const { body } = await space.owner.get(`/spaces/${space.id}/security-events?limit=100`);
    expect(JSON.stringify(body)).not.toContain('secret-path');
  });

  it('has failed for five days without a success', async () => {
    const receiver = await listen(withStatus(() => 503));
    const { id } = await subscribed(receiver);
    const envelopeId = await emit('a');
    await reaches(id, 'FAILING');
    await platform.database.query(
      `update event_bus.endpoints set failing_since = now() - interval '5 days' where id = $1`,
      [id],
    );
    await platform.database.query('update event_bus.endpoint_deliveries set run_at = now() where envelope_id = $1', [
      envelopeId,
    ]);
    await reaches(id, 'DISABLED');
    await until(async () => (await deliveriesOf(space, id))[0]?.status === 'FAILED');
  });
});

describe('an endpoint that is switched off', () => {
  it('fails what matches without an attempt', async () => {
    const receiver = await listen();
    const { id } = await subscribed(receiver);
    dataOf(await space.owner.patch(`/events/endpoints/${id}`, { active: false }), 200);
    await emit('a');
    const [delivery] = await until(async () => {
      const found = await deliveriesOf(space, id);
      return found.length > 0 ? found : null;
    });
    expect(delivery).toMatchObject({ status: 'FAILED', error: 'ENDPOINT_DISABLED', attemptCount: 0, attempts: [] });
    expect(receiver.received).toHaveLength(0);
  });
});

describe('one envelope', () => {
  it('is sent again to one endpoint, and starts no task', async () => {
    const receiver = await listen();
    const other = await listen();
    const { id } = await subscribed(receiver);
    await subscribed(other);
    const taskId = await eventTask(space);
    await subscribe(space, { appIdentifier: installed.identifier, event: 'order.created', taskId });
    const envelopeId = await emit('a');
    await until(async () => receiver.received.length === 1 && (await executionsOf(space, taskId)).length === 1);
    const path = `/events/envelopes/${envelopeId}/replay`;
    expect(dataOf(await space.owner.post(path, { endpointId: id }), 202)).toMatchObject({
      replay: 1,
      matchedSubscriptions: 1,
    });
    await until(() => receiver.received.length === 2);
    expect(receiver.received[1]?.headers['webhook-id']).toBe(`${envelopeId}.${id}.r1`);
    expect([other.received.length, (await executionsOf(space, taskId)).length]).toEqual([1, 1]);
    const unknown = { endpointId: '00000000-0000-7000-8000-000000000000' };
    expect((await space.owner.post(path, unknown)).status).toBe(404);
    expect((await (await space.member('MEMBER')).post(path, { endpointId: id })).status).toBe(403);
    // To all: each endpoint counts its own replays.
    dataOf(await space.owner.post(path, {}), 202);
    await until(() => receiver.received.length === 3 && other.received.length === 2);
    expect(receiver.received[2]?.headers['webhook-id']).toBe(`${envelopeId}.${id}.r2`);
    expect(other.received[1]?.headers['webhook-id']).toMatch(/\.r1$/);
  });
});

describe('the secret of an endpoint', () => {
  it('signs beside the new one until the grace is over', async () => {
    const receiver = await listen();
    const { id, secret } = await subscribed(receiver);
    const rotated = dataOf(
      await space.owner.post(`/events/endpoints/${id}/rotate-secret`, { graceSeconds: 3600 }),
      200,
    );
    await emit('both');
    const first = await until(() => receiver.received[0]);
    for (const each of [secret, rotated.secret as string])
      new Webhook(each).verify(first.body, first.headers as Record<string, string>);
    expect(String(first.headers['webhook-signature']).split(' ')).toHaveLength(2);
    const last = dataOf(await space.owner.post(`/events/endpoints/${id}/rotate-secret`, { graceSeconds: 0 }), 200);
    await emit('one');
    const second = await until(() => receiver.received[1]);
    new Webhook(last.secret as string).verify(second.body, second.headers as Record<string, string>);
    expect(() =>
      new Webhook(rotated.secret as string).verify(second.body, second.headers as Record<string, string>),
    ).toThrow();
    expect((await space.owner.post(`/events/endpoints/${id}/rotate-secret`, { graceSeconds: 86_401 })).status).toBe(
      400,
    );
  });
});

describe('the test of an endpoint', () => {
  it('sends an example once, ten times a minute, and changes no health', async () => {
    const receiver = await listen(withStatus((count) => (count === 1 ? 500 : 200)));
    const { id, secret } = await subscribed(receiver);
    const path = `/events/endpoints/${id}/test`;
    const failed = dataOf(await space.owner.post(path, {}), 200);
    expect(failed).toMatchObject({ status: 500, error: { code: 'HTTP_STATUS' } });
    expect((await readEndpoint(space.owner, id)).status).toBe('HEALTHY');
    expect(JSON.parse(receiver.received[0]?.body ?? '')).toMatchObject({ type: 'endpoint.test', test: true });
    const event = { appIdentifier: installed.identifier, event: 'order.created' };
    expect(dataOf(await space.owner.post(path, event), 200)).toMatchObject({ status: 200, error: null });
    const [, received] = receiver.received;
    expect(new Webhook(secret).verify(received?.body ?? '', received?.headers as Record<string, string>)).toMatchObject(
      {
        type: 'order.created',
        data: { order: 'example' },
        test: true,
      },
    );
    expect((await space.owner.post(path, { event: 'order.unknown' })).body.code).toBe('EVENT_NOT_REGISTERED');
    await install(space);
    expect((await space.owner.post(path, { event: 'order.created' })).status).toBe(400);
    const more = await Promise.all(Array.from({ length: 20 }, () => space.owner.post(path, {})));
    expect(more.filter(({ status }) => status === 200)).toHaveLength(8);
    const refused = more.find(({ status }) => status === 429);
    expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(0);
    expect(await deliveriesOf(space, id)).toEqual([]);
  });
});

describe('the queue of an endpoint', () => {
  it('sends so many at a time, and delays no other', async () => {
    const waiting: (() => void)[] = [];
    // The same host: slow deliveries do not take the connections of the others.
    const receiver = await listen(({ path }, response) => {
      const answer = (): void => void response.writeHead(200).end();
      if (path.startsWith('/slow')) waiting.push(answer);
      else answer();
    });
    const slow = await createEndpoint(space, `${receiver.origin}/slow`, { inFlight: 3 });
    const good = await createEndpoint(space, `${receiver.origin}/good`);
    for (const { id } of [slow, good])
      await subscribe(space, { appIdentifier: installed.identifier, event: 'order.created', endpointId: id });
    for (let i = 0; i < 12; i += 1) await emit(`o-${i}`);
    const to = (path: string): number => receiver.received.filter((each) => each.path === path).length;
    await until(() => to('/good') === 12 && to('/slow') === 3);
    expect(waiting).toHaveLength(3);
    expect(await deliveriesOf(space, slow.id, '&status=PENDING')).toHaveLength(12);
    const ending = setInterval(() => waiting.splice(0).forEach((answer) => answer()), 20);
    await until(() => to('/slow') === 12);
    await until(async () => (await deliveriesOf(space, slow.id, '&status=DELIVERED')).length === 12);
    clearInterval(ending);
    expect(await deliveriesOf(space, slow.id, '&event=order.paid')).toEqual([]);
    const later = new Date(Date.now() + 60_000).toISOString();
    expect(await deliveriesOf(space, slow.id, `&from=${later}`)).toEqual([]);
    expect(await deliveriesOf(space, slow.id, `&to=${later}`)).toHaveLength(12);
  });

  it('has an end: the oldest fail', async () => {
    const receiver = await listen();
    const { id } = await subscribed(receiver);
    await platform.database.query(
      `insert into event_bus.endpoint_deliveries (space_id, id, envelope_id, endpoint_id, event, emitted_at, replay, bytes, status, run_at)
       select $1, ('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, gen_random_uuid(), $2, 'order.created', now(), 0, 100, 'PENDING',
              now() + interval '1 day' from generate_series(1, 100030) n`,
      [space.id, id],
    );
    const from = new Date().toISOString();
    dataOf(await space.owner.post(`/events/endpoints/${id}/replay`, { from }), 202);
    const ended = (): Promise<{ count: string; last: string }[]> =>
      platform.database.query(
        `select count(*), max(id::text) as last from event_bus.endpoint_deliveries where endpoint_id = $1 and status = 'FAILED' and error = 'ENDPOINT_BACKLOG'`,
        [id],
      );
    await until(async () => (await ended())[0]?.count === '30');
    expect((await ended())[0]?.last).toBe('00000000-0000-7000-8000-00000000001e');
    // Some thousand are enough to end in several batches.
    await platform.database.query(
      `delete from event_bus.endpoint_deliveries where endpoint_id = $1 and id > '00000000-0000-7000-8000-000000001000'`,
      [id],
    );
    await space.owner.delete(`/events/endpoints/${id}`);
    await until(async () => {
      const rows = await platform.database.query(
        `select 1 from event_bus.endpoint_deliveries where endpoint_id = $1 and status = 'PENDING' limit 1`,
        [id],
      );
      return rows.length === 0;
    });
  });
});
