import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type Answer, type TestSpace, findCanaries, hasCanary, until, usePlatform } from '@switchyard/testing';
import { deliveriesOf, emit, installShop, listen, natsEndpoint, settled } from './an-endpoint';
import { NatsAccount, type SentHeaders, closeConnections, connectAs } from './nats-account';

const platform = usePlatform();
const answers: { from: string; text: string }[] = [];

let space: TestSpace;
let accounts: string;
let account: NatsAccount;
let seeds: string[];

beforeAll(async () => {
  space = await platform.newSpace();
  accounts = `/spaces/${space.id}/nats-accounts`;
});

afterAll(closeConnections);

const note = (from: string, answer: unknown): void => {
  answers.push({ from, text: JSON.stringify(answer) });
};

/** Twice with the same key: the first answer has the seed, and only this one. */
async function seedOf(route: string, body: object): Promise<Answer> {
  const headers = { 'idempotency-key': randomUUID() };
  const first = await space.owner.post(route, body, { headers });
  const { seed } = first.body.data as { seed: string };
  expect([first.status < 300, seed]).toEqual([true, expect.stringMatching(/^SU[A-Z2-7]{56}$/)]);
  const again = await space.owner.post(route, body, { headers });
  expect([again.status, again.headers['idempotency-replayed']]).toEqual([first.status, 'true']);
  note(`the repeat of POST ${route}`, again);
  return first.body.data;
}

describe('the seed of an account', () => {
  it('is given once by its creation and by its rotation', async () => {
    const made = await seedOf(accounts, { name: 'billing', role: 'ADMIN', scopes: ['*'] });
    const rotated = await seedOf(`${accounts}/${made.id as string}/rotate`, {});
    seeds = [made.seed as string, rotated.seed as string, platform.state.secrets.natsApi.seed];
    const { id, seed } = { id: made.id as string, seed: rotated.seed as string };
    account = new NatsAccount(id, seed, await connectAs(platform.state.natsApiUrl, { id, seed }));
    await until(async () => (await account.request('ping', undefined, {}, 1000)).status === 200, { everyMs: 500 });
  });

  it('may be sent by its service in any text, and is not stored there', async () => {
    const seed = seeds[1] ?? '';
    const shop = await installShop(space);
    const { id, name } = await natsEndpoint(space, shop, account);
    const texts: SentHeaders[] = [
      { 'Switchyard-Error': `key ${seed}`, 'Retry-After': '1' },
      { 'Switchyard-Discard': seed },
    ];
    const { end } = await listen(account, name, ({ respond }, count) => {
      respond(texts[count - 1]);
    });
    await emit(shop, 'a');
    await settled(space, id, 'DISCARDED');
    end();
    note('deliveries', await deliveriesOf(space, id));
    note('endpoint', await space.owner.get(`/events/endpoints/${id}`));
    const refused = await space.owner.post(accounts, { name: 'other', scopes: ['*'], publicKey: seed });
    expect(refused.status).toBe(400);
    note('the refusal of a seed as a public key', refused);
    expect((await account.request(`nothing.${seed}`)).status).toBe(404);
  });

  it('is in no later answer, over HTTP or NATS', async () => {
    const own = `${accounts}/${account.id}`;
    const paths = ['', '/usage'].map((more) => own + more);
    const others = [accounts, `/spaces/${space.id}/security-events?limit=100`, '/activity', '/auth/me'];
    for (const route of [...paths, ...others]) {
      const reply = await space.owner.get(route);
      expect([route, reply.status]).toEqual([route, 200]);
      note(route, reply);
      note(`${route} over NATS`, await account.http('GET', `/api${route}`));
    }
    note('ping', await account.request('ping'));
    note('a rotation over NATS', await account.http('POST', `/api${own}/rotate`, {}));
    note('PATCH', await space.owner.patch(own, { name: 'renamed' }));
    note('operator', await space.operator.get('/operator/nats-accounts?limit=100'));
    note('revoke', await space.owner.post(`${own}/revoke`, {}));
    expect(answers.filter(({ text }) => hasCanary(text, seeds)).map(({ from }) => from)).toEqual([]);
  });

  it('is in no table, stream, value of Redis, log or metric, and in no file of the NATS server', async () => {
    expect(await findCanaries(platform, seeds)).toEqual([]);
    const users = readFileSync(path.join(platform.state.home, 'nats-services/services-users.conf'), 'utf8');
    expect(users).toContain('nkey: U');
    expect(hasCanary(users, seeds)).toBe(false);
  }, 300_000);
});
