import { SwitchyardClient, SwitchyardError, text } from '@switchyard/client';
import { DiscardEvent, natsFetch, receive } from '@switchyard/client/nats';
import { type TestSpace, until, usePlatform } from '@switchyard/testing';
import { type Shop, deliveriesOf, emit, installShop, natsEndpoint, ok, settled } from './an-endpoint';
import { type NatsAccount, closeConnections, newAccount } from './nats-account';

const platform = usePlatform();

let space: TestSpace;
let shop: Shop;
let account: NatsAccount;
let client: SwitchyardClient;
let agentId: string;

beforeAll(async () => {
  space = await platform.newSpace();
  shop = await installShop(space);
  ({ account } = await newAccount(platform, space));
  const fetch = natsFetch(account.nats, { account: account.id });
  client = new SwitchyardClient({ baseUrl: 'http://nats', credential: 'none', fetch });
  agentId = (await client.agents.create({ name: 'Helper', model: 'sim-chat', systemPrompt: 'Answer.' })).id;
});

afterAll(closeConnections);

describe('the typed client over NATS', () => {
  it('reads, writes and lists, with queries and idempotency keys', async () => {
    expect(await client.auth.me()).toMatchObject({ credential: { type: 'nats_account', accountId: account.id } });
    const made = { name: 'Überlauf', schema: { fields: [{ name: 'text', type: 'string' as const }] } };
    const [one, two] = [
      await client.datasets.create(made, { idempotencyKey: 'schlüssel-1' }),
      await client.datasets.create(made, { idempotencyKey: 'schlüssel-1' }),
    ];
    expect(two.id).toBe(one.id);
    for (const name of ['A', 'B', 'C']) await client.agents.create({ name, model: 'sim-chat', systemPrompt: 's' });
    const names: string[] = [];
    for await (const agent of client.agents.all({ limit: 2 })) names.push(agent.name);
    expect(names).toEqual(expect.arrayContaining(['A', 'B', 'C', 'Helper']));
  });

  it('throws the errors of HTTP', async () => {
    const refused = client.agents.get('00000000-0000-7000-8000-000000000000');
    await expect(refused).rejects.toMatchObject({ status: 404, code: 'NOT_FOUND' });
    await expect(refused).rejects.toBeInstanceOf(SwitchyardError);
    const unknown = natsFetch(account.nats, { account: account.id });
    await expect(unknown('http://nats/api/agents', { signal: AbortSignal.abort() })).rejects.toThrow('abort');
    const foreign = natsFetch(account.nats, { account: account.id });
    expect((await foreign('/api/operator/spaces')).status).toBe(404);
  });

  it('streams a chat, which a reader may leave', async () => {
    const stream = await client.agents.chat(agentId, { contents: text('@@reply Over NATS') });
    expect(await stream.text()).toBe('Over NATS');
    const events = await (await chatOver(natsFetch(account.nats, { account: account.id }))).text();
    expect(events.match(/^id: \d+$/gm)?.length).toBeGreaterThan(3);
  });

  it('continues a chat whose connection broke', async () => {
    let cuts = 0;
    const whole = natsFetch(account.nats, { account: account.id });
    const cut: typeof fetch = async (input, init) => {
      const response = await whole(input, init);
      if (cuts > 0 || response.headers.get('content-type') !== 'text/event-stream') return response;
      cuts += 1;
      const reader = response.body?.getReader();
      const body = new ReadableStream<Uint8Array>({
        pull: async (controller) => {
          cuts += 1;
          if (cuts < 12) controller.enqueue((await reader?.read())?.value ?? new Uint8Array());
          else {
            await reader?.cancel();
            controller.error(new Error('the connection broke'));
          }
        },
      });
      return new Response(body, { headers: response.headers });
    };
    const broken = new SwitchyardClient({ baseUrl: 'http://nats', credential: 'none', fetch: cut });
    const answer = await broken.agents.chat(agentId, { contents: text('@@tokens 400') });
    expect((await answer.text()).split(' ').length).toBeGreaterThan(300);
    expect(cuts).toBe(12);
  });
});

const chatOver = (send: typeof fetch): Promise<Response> =>
  send(`/api/agents/${agentId}/chat`, {
    method: 'POST',
    body: JSON.stringify({ contents: text('@@reply Once more') }),
  });

class NotReady extends Error {
  readonly status = 503;
  readonly retryAfterSeconds = 1;
}

describe('events of an endpoint', () => {
  it('are acknowledged by a handler that returns, and come again to one that throws', async () => {
    const { id, name } = await natsEndpoint(space, shop, account);
    const orders: unknown[] = [];
    const { stop } = receive<{ order: string }>(
      account.nats,
      { account: account.id, endpoint: name },
      (event, context) => {
        orders.push([event.data.order, context.headers.get('switchyard-attempt')]);
        context.progress();
        if (event.data.order === 'bad') throw new DiscardEvent('never');
        if (orders.length === 1) throw new NotReady('not yet\nready');
      },
    );
    await emit(shop, 'good');
    const [good] = await settled(space, id, 'DELIVERED');
    expect(orders).toEqual([
      ['good', '1'],
      ['good', '2'],
    ]);
    expect(good.attempts).toMatchObject([{ status: 503, error: { message: 'not yet ready' } }, { status: 200 }]);
    await emit(shop, 'bad');
    const [bad] = await settled(space, id, 'DISCARDED');
    expect(bad.attempts).toMatchObject([{ error: { code: 'DISCARDED', message: 'never' } }]);
    await stop();
    await emit(shop, 'late');
    await until(async () => (await deliveriesOf(space, id, '&status=PENDING')).length === 1);
    expect(orders).toHaveLength(3);
    ok(await space.owner.delete(`/events/endpoints/${id}`), 200);
  });

  it('come with a fetch for what their handler does', async () => {
    const steps = [{ id: 'a', type: 'transform', with: { x: 1 } }];
    const task = ok(await space.owner.post('/tasks', { name: 'Caused', steps }), 201);
    const { id, name } = await natsEndpoint(space, shop, account);
    const statuses: number[] = [];
    const { stop } = receive(account.nats, { account: account.id, endpoint: name }, async (_, { fetch }) => {
      statuses.push((await fetch(`/api/tasks/${task.id as string}/execute`, { method: 'POST', body: '{}' })).status);
    });
    await emit(shop, 'cause');
    await settled(space, id, 'DELIVERED');
    expect(statuses).toEqual([202]);
    await stop();
  });
});
