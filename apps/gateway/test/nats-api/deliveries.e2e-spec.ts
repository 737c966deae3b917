import { type TestSpace, until, usePlatform } from '@switchyard/testing';
import {
  type Shop,
  deliveriesOf,
  emit,
  installShop,
  listen,
  natsEndpoint,
  ok,
  reaches,
  readEndpoint,
  settled,
} from './an-endpoint';
import { type NatsAccount, closeConnections, newAccount } from './nats-account';

const platform = usePlatform();

let space: TestSpace;
let shop: Shop;
let account: NatsAccount;

beforeAll(async () => {
  space = await platform.newSpace();
  shop = await installShop(space);
  ({ account } = await newAccount(platform, space));
});

afterAll(closeConnections);

/** The next try is due now. */
const tryNow = (id: string): Promise<unknown> =>
  platform.database.query('update event_bus.endpoints set next_try_at = now() where id = $1', [id]);
const sendNow = (id: string): Promise<unknown> =>
  platform.database.query(
    `update event_bus.endpoint_deliveries set run_at = now() where endpoint_id = $1 and status = 'PENDING'`,
    [id],
  );

const refused = async (body: object, client = space.owner): Promise<number> =>
  (await client.post('/events/endpoints', { name: 'refused', transport: 'nats', ...body })).status;

describe('an endpoint over NATS', () => {
  it('has an account of its Space, and no address', async () => {
    const natsAccountId = account.id;
    const other = await newAccount(platform, await platform.newSpace());
    expect(await refused({})).toBe(400);
    expect(await refused({ natsAccountId: other.account.id })).toBe(404);
    expect(await refused({ natsAccountId: 'A'.repeat(22) })).toBe(404);
    expect(await refused({ natsAccountId: 'a.>' })).toBe(400);
    expect(await refused({ natsAccountId, url: 'https://example.com' })).toBe(400);
    expect(await refused({ natsAccountId, headers: { 'x-a': 'b' } })).toBe(400);
    expect(await refused({ natsAccountId, inFlight: 257 })).toBe(400);
    expect(await refused({ natsAccountId, ackSeconds: 4 })).toBe(400);
    expect(await refused({ natsAccountId, ackSeconds: 601 })).toBe(400);
    expect(await refused({ natsAccountId }, await space.member('MEMBER'))).toBe(403);
    const http = { transport: 'http', url: 'https://example.com' };
    expect(await refused({ ...http, natsAccountId })).toBe(400);
    expect(await refused({ ...http, ackSeconds: 30 })).toBe(400);
    expect(await refused({ ...http, inFlight: 65 })).toBe(400);
    const made = ok(
      await space.owner.post('/events/endpoints', { name: 'first', transport: 'nats', natsAccountId }),
      201,
    );
    expect(made).toMatchObject({ transport: 'nats', natsAccountId, url: null, inFlight: 16, ackSeconds: 30 });
    expect(made).not.toHaveProperty('secret');
    const path = `/events/endpoints/${made.id as string}`;
    expect((await space.owner.post(`${path}/rotate-secret`, {})).status).toBe(409);
    expect((await space.owner.patch(path, { url: 'https://example.com' })).status).toBe(400);
    expect(ok(await space.owner.patch(path, { inFlight: 200, ackSeconds: 60 }), 200)).toMatchObject({
      inFlight: 200,
      ackSeconds: 60,
    });
    ok(await space.owner.delete(path), 200);
  });

  it('may be made by an account, which makes none over HTTP', async () => {
    const body = { name: 'own', transport: 'nats', natsAccountId: account.id };
    const made = await account.http('POST', '/api/events/endpoints', body);
    expect(made.status).toBe(201);
    const http = { name: 'http', url: 'https://example.com' };
    expect((await account.http('POST', '/api/events/endpoints', http)).status).toBe(403);
    // Nor does it point one of the Space to another address.
    const theirs = ok(await space.owner.post('/events/endpoints', http), 201);
    const path = `/api/events/endpoints/${theirs.id as string}`;
    expect((await account.http('PATCH', path, { url: 'https://example.org' })).status).toBe(403);
    expect((await account.http('PATCH', path, { inFlight: 2 })).status).toBe(200);
    ok(await space.owner.delete(`/events/endpoints/${made.body.data.id as string}`), 200);
  });
});

describe('an event', () => {
  it('is a message that a reply acknowledges', async () => {
    const { id, name } = await natsEndpoint(space, shop, account);
    const { received, end } = await listen(account, name);
    const envelopeId = await emit(shop, 'a');
    const [delivery] = await settled(space, id, 'DELIVERED');
    expect(delivery).toMatchObject({ envelopeId, attemptCount: 1, error: null });
    expect(delivery.attempts).toMatchObject([{ status: 200, error: null }]);
    expect(received).toHaveLength(1);
    const [first] = received;
    expect(first?.body).toMatchObject({ type: 'order.created', data: { order: 'a' }, envelopeId });
    expect(first?.headers).toMatchObject({
      'webhook-id': `${envelopeId}.${id}`,
      'webhook-timestamp': expect.stringMatching(/^\d{10}$/),
      'Switchyard-Cause': envelopeId,
      'Switchyard-Attempt': '1',
    });
    expect(first?.headers).not.toHaveProperty('webhook-signature');
    expect(first?.reply.startsWith(`switchyard-ack.v1.${account.id}.`)).toBe(true);
    const endpoint = await readEndpoint(space, id);
    expect(endpoint).toMatchObject({ status: 'HEALTHY', lastSuccessAt: expect.any(String) });
    // A later reply has no effect.
    first?.respond({ 'Switchyard-Error': 'too late' });
    await account.nats.flush();
    expect(await deliveriesOf(space, id)).toMatchObject([{ status: 'DELIVERED', attemptCount: 1 }]);
    end();
  });

  it('reaches others while an account floods its reply address, and that account again afterwards', async () => {
    const other = (await newAccount(platform, space)).account;
    const [flooded, theirs] = [await natsEndpoint(space, shop, account), await natsEndpoint(space, shop, other)];
    const [mine, others] = [await listen(account, flooded.name), await listen(other, theirs.name)];
    // Without an answer, so the platform expects a reply of the account all the time.
    const unanswered = await natsEndpoint(space, shop, account, { ackSeconds: 120 });
    account.nats.subscribe(`switchyard-out.v1.${account.id}.${unanswered.name}`, { callback: () => undefined });
    await account.nats.flush();
    await emit(shop, 'before');
    await settled(space, flooded.id, 'DELIVERED');
    const reply = mine.received[0]?.reply ?? '';
    const hasSubscriber = (): Promise<boolean> =>
      account.nats.request(reply, 'useless', { timeout: 500 }).then(
        () => true,
        (error: unknown) => (error as { code?: string }).code !== '503',
      );
    expect(await hasSubscriber()).toBe(true);
    await until(async () => {
      for (let sent = 0; sent < 2_000; sent += 1) account.nats.publish(reply, 'useless');
      await account.nats.flush();
      return !(await hasSubscriber());
    });
    await emit(shop, 'during');
    await until(() => others.received.some(({ body }) => body.data.order === 'during'));
    await until(hasSubscriber, { timeoutMs: 30_000 });
    await emit(shop, 'after');
    await until(
      async () => (await deliveriesOf(space, flooded.id)).filter(({ status }) => status === 'DELIVERED').length >= 2,
    );
    mine.end();
    others.end();
    for (const { id } of [flooded, theirs, unanswered]) ok(await space.owner.delete(`/events/endpoints/${id}`), 200);
  });

  it('is the cause of what a request with its id does', async () => {
    const { id, name } = await natsEndpoint(space, shop, account);
    const { received, end } = await listen(account, name);
    const envelopeId = await emit(shop, 'cause');
    await settled(space, id, 'DELIVERED');
    const cause = { 'Switchyard-Cause': received[0]?.headers['Switchyard-Cause'] as string };
    end();
    ok(await space.owner.delete(`/events/endpoints/${id}`), 200);
    const steps = [{ id: 'note', type: 'transform', with: { text: 'x' } }];
    const task = ok(await space.owner.post('/tasks', { name: 'Work', type: 'MANUAL', steps }), 201);
    const operation = `tasks.${task.id as string}.execute`;
    const started = await account.request(operation, { inputs: {} }, cause);
    expect(started.status).toBe(202);
    const run = ok(await space.owner.get(`/tasks/executions/${started.body.data.id as string}`), 200);
    expect(run).toMatchObject({ depth: 1, causationId: envelopeId });
    const unknown = { 'Switchyard-Cause': 'ffffffff-ffff-7fff-bfff-ffffffffffff' };
    expect((await account.request(operation, { inputs: {} }, unknown)).status).toBe(400);
    expect((await account.http('GET', '/api/events/envelopes', undefined, unknown)).status).toBe(200);
  });

  it('is tried again after a failure, with its status and text', async () => {
    const { id, name } = await natsEndpoint(space, shop, account);
    const { received, end } = await listen(account, name, ({ respond }, count) => {
      if (count === 1) respond({ 'Nats-Service-Error-Code': '503', 'Switchyard-Error': `busy ${account.seed}` });
      else if (count === 2) respond({ 'Switchyard-Error': 'soon', 'Retry-After': '1' });
      else respond({}, 'thanks');
    });
    await emit(shop, 'b');
    expect(await reaches(space, id, 'FAILING')).toMatchObject({ failingReason: 'SERVICE_ERROR' });
    await sendNow(id);
    const [delivery] = await settled(space, id, 'DELIVERED');
    expect(delivery.attempts).toMatchObject([
      { status: 503, error: { code: 'SERVICE_ERROR', message: 'busy [seed]' } },
      { status: null, error: { code: 'SERVICE_ERROR', message: 'soon' } },
      { status: 200, error: null },
    ]);
    expect(received.map(({ headers }) => headers['Switchyard-Attempt'])).toEqual(['1', '2', '3']);
    expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(await readEndpoint(space, id)).toMatchObject({ status: 'HEALTHY', failingReason: null });
    end();
  });

  it('ends when the service discards it', async () => {
    const { id, name } = await natsEndpoint(space, shop, account);
    const { end } = await listen(account, name, ({ respond }) => {
      respond({ 'Switchyard-Discard': 'not an order of ours' });
    });
    await emit(shop, 'c');
    const [delivery] = await settled(space, id, 'DISCARDED');
    expect(delivery.attempts).toMatchObject([{ error: { code: 'DISCARDED', message: 'not an order of ours' } }]);
    expect(await readEndpoint(space, id)).toMatchObject({ status: 'HEALTHY' });
    end();
  });

  it('has failed without a reply in time, which progress begins anew', async () => {
    const { id, name } = await natsEndpoint(space, shop, account, { ackSeconds: 5 });
    const { received, end } = await listen(account, name, ({ respond }, count) => {
      if (count > 1) return;
      setTimeout(() => {
        respond({ 'Switchyard-Progress': 'true' });
      }, 3_500);
      setTimeout(respond, 7_000);
    });
    await emit(shop, 'd');
    const [slow] = await settled(space, id, 'DELIVERED');
    expect(slow.attempts[0].durationMs).toBeGreaterThan(5_000);
    await emit(shop, 'e');
    expect(await reaches(space, id, 'FAILING')).toMatchObject({ failingReason: 'TIMEOUT' });
    expect(received).toHaveLength(2);
    end();
  });

  it('goes to one of the subscribers of a queue group, so many at a time', async () => {
    const { id, name } = await natsEndpoint(space, shop, account, { inFlight: 3 });
    const waiting: (() => void)[] = [];
    const handle = ({ respond }: { respond: () => void }): void => void waiting.push(respond);
    const one = await listen(account, name, handle);
    const two = await listen(account, name, handle);
    for (let at = 0; at < 10; at += 1) await emit(shop, `q-${at}`);
    await until(() => waiting.length === 3);
    await settled(space, id, 'PENDING', 10);
    expect(waiting).toHaveLength(3);
    const ending = setInterval(() => waiting.splice(0).forEach((respond) => respond()), 20);
    await settled(space, id, 'DELIVERED', 10);
    clearInterval(ending);
    expect(one.received.length + two.received.length).toBe(10);
    one.end();
    two.end();
  });
});

describe('without a subscriber', () => {
  it('without a subscriber one envelope is tried for all, and once there is one all arrive', async () => {
    const { id, name } = await natsEndpoint(space, shop, account);
    for (let at = 0; at < 5; at += 1) await emit(shop, `n-${at}`);
    const failing = await reaches(space, id, 'FAILING');
    expect(failing).toMatchObject({ failingReason: 'NO_LISTENER', failingSince: expect.any(String) });
    const state = (): Promise<{ tries: number; unheard: string; waitSeconds: string }[]> =>
      platform.database.query(
        `select e.tries, round(extract(epoch from e.next_try_at - now())) as "waitSeconds",
                (select sum(d.unheard) from event_bus.endpoint_deliveries d where d.endpoint_id = e.id) as unheard
           from event_bus.endpoints e where e.id = $1`,
        [id],
      );
    const [first] = await state();
    expect(first?.tries).toBe(1);
    expect(Number(first?.waitSeconds)).toBeLessThanOrEqual(5);
    await tryNow(id);
    const second = await until(async () => {
      const [row] = await state();
      return row?.tries === 2 ? row : null;
    });
    // The second try was one message.
    expect(Number(second.unheard)).toBe(Number(first?.unheard) + 1);
    expect(Number(second.waitSeconds)).toBeGreaterThan(6);
    const pending = await deliveriesOf(space, id);
    expect(pending).toHaveLength(5);
    expect(pending.every(({ status, attempts }) => status === 'PENDING' && attempts.length === 0)).toBe(true);
    expect(pending.reduce((sum: number, { attemptCount }) => sum + Number(attemptCount), 0)).toBe(
      Number(second.unheard),
    );
    const { received, end } = await listen(account, name);
    await tryNow(id);
    await settled(space, id, 'DELIVERED', 5);
    expect(new Set(received.map(({ body }) => body.data.order)).size).toBe(5);
    expect(await readEndpoint(space, id)).toMatchObject({ status: 'HEALTHY', failingReason: null });
    end();
  });

  it('for five days, the endpoint is disabled', async () => {
    const { id } = await natsEndpoint(space, shop, account);
    await emit(shop, 'never');
    await reaches(space, id, 'FAILING');
    await platform.database.query(
      `update event_bus.endpoints set failing_since = now() - interval '5 days', next_try_at = now() where id = $1`,
      [id],
    );
    await reaches(space, id, 'DISABLED');
    expect(await settled(space, id, 'FAILED')).toMatchObject([{ error: 'ENDPOINT_DISABLED' }]);
    ok(await space.owner.post(`/events/endpoints/${id}/resume`, {}), 200);
    expect(await readEndpoint(space, id)).toMatchObject({ status: 'HEALTHY' });
    ok(await space.owner.delete(`/events/endpoints/${id}`), 200);
  });
});

describe('the test of an endpoint', () => {
  it('is one message with its outcome', async () => {
    const { id, name } = await natsEndpoint(space, shop, account);
    const path = `/events/endpoints/${id}/test`;
    expect(ok(await space.owner.post(path, {}), 200)).toMatchObject({ status: null, error: { code: 'NO_LISTENER' } });
    const { received, end } = await listen(account, name);
    expect(ok(await space.owner.post(path, {}), 200)).toMatchObject({ status: 200, error: null });
    expect(received[0]?.body).toMatchObject({ type: 'endpoint.test', test: true });
    expect(await readEndpoint(space, id)).toMatchObject({ status: 'HEALTHY' });
    end();
  });
});

describe('the account of an endpoint', () => {
  it('gets nothing after a rotation until a server has loaded its new user', async () => {
    const rotated = (await newAccount(platform, space)).account;
    const { id, name } = await natsEndpoint(space, shop, rotated);
    const { received } = await listen(rotated, name);
    await platform.database.query(
      'update key.nats_accounts set removed_revision = (select revision + 1000 from key.nats_revision) where account_id = $1',
      [rotated.id],
    );
    // A state is a second old at most.
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    await emit(shop, 'secret');
    await until(async () => {
      const [row] = await platform.database.query<{ waits: boolean }>(
        'select next_try_at is not null as waits from event_bus.endpoints where id = $1',
        [id],
      );
      return row?.waits;
    });
    expect(received).toHaveLength(0);
    expect(await deliveriesOf(space, id)).toMatchObject([{ status: 'PENDING', attemptCount: 0 }]);
    expect(await readEndpoint(space, id)).toMatchObject({ status: 'HEALTHY' });
    await platform.database.query('update key.nats_accounts set removed_revision = null where account_id = $1', [
      rotated.id,
    ]);
    await settled(space, id, 'DELIVERED');
    expect(received).toHaveLength(1);
  });

  describe('that is revoked, of which the event bus has heard nothing', () => {
    const revoke = (accountId: string): Promise<unknown> =>
      platform.database.query('update key.nats_accounts set revoked_at = now() where account_id = $1', [accountId]);

    it('gets no event', async () => {
      const revoked = (await newAccount(platform, space)).account;
      const { id, name } = await natsEndpoint(space, shop, revoked);
      const { received } = await listen(revoked, name);
      await revoke(revoked.id);
      await emit(shop, 'late');
      expect(await reaches(space, id, 'DISABLED')).toMatchObject({ failingReason: 'ACCOUNT_REVOKED' });
      expect(await settled(space, id, 'FAILED')).toMatchObject([{ error: 'ENDPOINT_DISABLED', attemptCount: 0 }]);
      expect(received).toHaveLength(0);
    });

    it('has its endpoints disabled all the same', async () => {
      const revoked = (await newAccount(platform, space)).account;
      const { id } = await natsEndpoint(space, shop, revoked, { active: false });
      await revoke(revoked.id);
      expect(await reaches(space, id, 'DISABLED')).toMatchObject({ failingReason: 'ACCOUNT_REVOKED' });
    });
  });

  it('disables it when it is revoked, and ends what waits', async () => {
    const revoked = (await newAccount(platform, space)).account;
    const { id } = await natsEndpoint(space, shop, revoked);
    await emit(shop, 'waits');
    await reaches(space, id, 'FAILING');
    ok(await space.owner.post(`/spaces/${space.id}/nats-accounts/${revoked.id}/revoke`, {}), 200);
    expect(await reaches(space, id, 'DISABLED')).toMatchObject({ failingReason: 'ACCOUNT_REVOKED' });
    expect(await settled(space, id, 'FAILED')).toMatchObject([{ error: 'ENDPOINT_DISABLED' }]);
    expect((await space.owner.post(`/events/endpoints/${id}/resume`, {})).status).toBe(409);
    expect(await refused({ natsAccountId: revoked.id })).toBe(409);
    const actions = await until(async () => {
      const { body } = await space.owner.get(`/spaces/${space.id}/security-events?action=endpoint.disabled`);
      return (body.data as { target: string }[]).filter(({ target }) => target === id);
    });
    expect(actions).toHaveLength(1);
  });
});
