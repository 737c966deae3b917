import { randomUUID } from 'node:crypto';
import { type Client, type Reply, type TestSpace, until, usePlatform } from '@switchyard/testing';
import { bootstrapOperator } from './operator-people';

const platform = usePlatform();
let operator: Client;

beforeEach(async () => {
  operator = await bootstrapOperator(platform);
}, 120_000);

const creditsOf = async (space: TestSpace): Promise<unknown[]> => {
  const { body } = await space.owner.get(`/spaces/${space.id}/security-events?limit=100`);
  return body.data.filter(({ action }: { action: string }) => action === 'space.credited');
};
const bookedOf = async (space: TestSpace): Promise<{ tokens: number }[]> =>
  (await space.owner.get('/usage/ledger')).body.data;
const credit = (space: TestSpace, tokens: number, idempotencyKey?: string): Promise<Reply> =>
  operator.post(`/operator/spaces/${space.id}/credits`, { tokens, note: 'paid', idempotencyKey });
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
    async (place) => {
      const key = platform.service('key');
      const space = await platform.newSpace();
      const idempotencyKey = randomUUID();
      await key.arm(place, 'kill');
      await credit(space, 5, idempotencyKey).catch(() => undefined);
      await key.ready();
      await makeDue();
      await until(async () => (await creditsOf(space)).length === 1, { timeoutMs: 60_000 });
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
    await until(async () => (await creditsOf(space)).length === 1, { timeoutMs: 60_000 });
    expect(await creditsOf(space)).toMatchObject([EVENT]);
    expect((await bookedOf(space)).map(({ tokens }) => tokens)).toEqual([5, 1_000_000]);
  }, 180_000);
});
