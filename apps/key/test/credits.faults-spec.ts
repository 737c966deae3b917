import { randomUUID } from 'node:crypto';
import { type Client, type Reply, type TestSpace, until, usePlatform } from '@switchyard/testing';
import { bootstrapOperator, operatorKey } from './operator-people';

const platform = usePlatform();
let operator: Client;

beforeEach(async () => {
  operator = await bootstrapOperator(platform);
}, 300_000);

const creditsOf = async (space: TestSpace): Promise<unknown[]> => {
  const { body } = await space.owner.get(`/spaces/${space.id}/security-events?limit=100`);
  return body.data.filter(({ action }: { action: string }) => action === 'space.credited');
};
const bookedOf = async (space: TestSpace): Promise<{ tokens: number }[]> =>
  (await space.owner.get('/usage/ledger')).body.data;
const credit = (space: TestSpace, tokens: number, idempotencyKey?: string, by = operator): Promise<Reply> =>
  by.post(`/operator/spaces/${space.id}/credits`, { tokens, note: 'paid', idempotencyKey });
/** As if the minute had passed that the process has for it. */
const makeDue = () =>
  platform.database.query(`update key.credit_intents set next_try_at = 'epoch' where settled_at is null`);
const isSettled = async (space: TestSpace): Promise<boolean> => {
  const [row] = await platform.database.query<{ open: number }>(
    'select count(*)::int as open from key.credit_intents where space_id = $1 and settled_at is null',
    [space.id],
  );
  return row?.open === 0;
};
const EVENT = { actor: { type: 'operator' }, details: { tokens: 5, note: 'paid', balance: 1_000_005 } };

describe('a credit of an operator', () => {
  it.each(['key.credit-recorded', 'key.credit-booked'] as const)(
    'is booked once and recorded once if the key service dies at %s',
    async (point) => {
      const key = platform.service('key');
      const space = await platform.newSpace();
      const idempotencyKey = randomUUID();
      await key.arm(point, 'kill');
      await credit(space, 5, idempotencyKey).catch(() => undefined);
      await key.ready();
      await makeDue();
      await until(async () => (await creditsOf(space)).length === 1, { timeoutMs: 120_000 });
      expect(await isSettled(space)).toBe(true);
      const again = await credit(space, 5, idempotencyKey);
      expect([again.status, again.body.data.tokens, again.body.data.balanceAfter]).toEqual([201, 5, 1_000_005]);
      expect((await bookedOf(space)).map(({ tokens }) => tokens)).toEqual([5, 1_000_000]);
      expect((await space.owner.get('/usage/balance')).body.data.balance).toBe(1_000_005);
      expect(await creditsOf(space)).toMatchObject([EVENT]);
    },
    180_000,
  );

  it('is booked later if the relay is away, and says so', async () => {
    const relay = platform.service('relay');
    const space = await platform.newSpace();
    // Opens the account: the relay starts it with the tokens of the Space.
    expect((await space.owner.get('/usage/balance')).body.data.balance).toBe(1_000_000);
    await relay.stop();
    const refused = await credit(space, 5);
    expect([refused.status, refused.body.message]).toEqual([503, expect.stringContaining('recorded')]);
    await relay.start();
    await relay.ready();
    await makeDue();
    await until(async () => (await creditsOf(space)).length === 1, { timeoutMs: 120_000 });
    expect(await creditsOf(space)).toMatchObject([EVENT]);
    expect((await bookedOf(space)).map(({ tokens }) => tokens)).toEqual([5, 1_000_000]);
  }, 300_000);

  it('is not added again if the operator repeats it without an idempotency key', async () => {
    const relay = platform.service('relay');
    const space = await platform.newSpace();
    expect((await space.owner.get('/usage/balance')).body.data.balance).toBe(1_000_000);
    await relay.stop();
    // The second one finds it open.
    for (let n = 0; n < 2; n += 1) expect((await credit(space, 5)).status).toBe(503);
    expect((await credit(space, 6)).status).toBe(503);
    await relay.start();
    await relay.ready();
    await makeDue();
    await until(async () => (await creditsOf(space)).length === 2, { timeoutMs: 120_000 });
    // The third one finds it booked, and no caller had an answer.
    const third = await credit(space, 5);
    const booked = await bookedOf(space);
    expect(booked.map(({ tokens }) => tokens).toSorted((a, b) => a - b)).toEqual([5, 6, 1_000_000]);
    expect([third.status, booked.find(({ tokens }) => tokens === 5)]).toMatchObject([201, third.body.data]);
    // It was answered, so the next one is another credit.
    expect((await credit(space, 5)).status).toBe(201);
    expect((await space.owner.get('/usage/balance')).body.data.balance).toBe(1_000_016);
  }, 300_000);

  it.each(['key.credit-recorded', 'key.credit-booked'] as const)(
    'is not added again if the key service dies at %s and the operator repeats it without a key',
    async (point) => {
      const key = platform.service('key');
      const space = await platform.newSpace();
      await key.arm(point, 'kill');
      await credit(space, 5).catch(() => undefined);
      await key.ready();
      const repeat = await credit(space, 5);
      expect([repeat.status, Number(repeat.headers['retry-after'])]).toEqual([503, 20]);
      await makeDue();
      await until(() => isSettled(space), { timeoutMs: 120_000 });
      expect((await credit(space, 5)).status).toBe(201);
      expect((await space.owner.get('/usage/balance')).body.data.balance).toBe(1_000_005);
    },
    180_000,
  );

  it('is two credits if two equal requests run at the same time', async () => {
    const space = await platform.newSpace();
    const both = await Promise.all([credit(space, 5), credit(space, 5)]);
    expect(both.map(({ status }) => status)).toEqual([201, 201]);
    expect((await space.owner.get('/usage/balance')).body.data.balance).toBe(1_000_010);
  }, 300_000);

  it('stays open if the relay answers with a refusal that does not concern it', async () => {
    const key = platform.service('key');
    const space = await platform.newSpace();
    const idempotencyKey = randomUUID();
    await key.arm('key.credit-recorded', 'kill');
    await credit(space, 5, idempotencyKey).catch(() => undefined);
    await key.ready();
    // The relay answers 409: it has the key of the booking with other content.
    await platform.database.query(
      `insert into relay.idempotency (space_id, actor, route, key, fingerprint, expires_at)
       select space_id, $2, 'relay.credit-space', id::text, 'another', now() + interval '1 hour'
         from key.credit_intents where space_id = $1`,
      [space.id, operator.identity.userId],
    );
    const refused = await credit(space, 5, idempotencyKey);
    expect([refused.status, refused.body.message]).toEqual([503, expect.stringContaining('recorded')]);
    expect(await isSettled(space)).toBe(false);
    await platform.database.query('delete from relay.idempotency where space_id = $1', [space.id]);
    await makeDue();
    await until(async () => (await creditsOf(space)).length === 1, { timeoutMs: 120_000 });
    expect((await bookedOf(space)).map(({ tokens }) => tokens)).toEqual([5, 1_000_000]);
  }, 300_000);

  it('is booked once by a relay that knows the idempotency key of the first try alone', async () => {
    const key = platform.service('key');
    const space = await platform.newSpace();
    const byKey = await operatorKey(operator, ['operator:write']);
    // As a key that the machine has made: no person stands behind it.
    await platform.database.query('update key.api_keys set created_by = null where id = $1', [byKey.identity.keyId]);
    await key.arm('key.credit-booked', 'kill');
    await credit(space, 5, undefined, byKey).catch(() => undefined);
    await key.ready();
    // A relay of the version before gave the row an id of its own.
    await platform.database.query('update relay.ledger set id = gen_random_uuid() where space_id = $1 and tokens = 5', [
      space.id,
    ]);
    await makeDue();
    await until(() => isSettled(space), { timeoutMs: 120_000 });
    expect((await bookedOf(space)).map(({ tokens }) => tokens)).toEqual([5, 1_000_000]);
  }, 300_000);
});
