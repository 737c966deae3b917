import type { Client, TestPlatform, TestSpace } from '@switchyard/testing';
import { until } from '@switchyard/testing';

export const ask = (client: Client, text: string, extra: object = {}): ReturnType<Client['raw']> =>
  client.raw('POST', '/models/v1/chat/completions', {
    model: 'sim-chat',
    messages: [{ role: 'user', content: text }],
    ...extra,
  });

export interface Balance {
  balance: number;
  reserved: number;
  dailyUsed: number;
  dailyCap: number | null;
  minimumBalance: number | null;
  resetsAt: string;
}

export const balanceOf = async (client: Client): Promise<Balance> =>
  (await client.get('/usage/balance')).body.data as Balance;

/** Tokens that relays have preleased in the Space. */
export async function preleasedIn(platform: TestPlatform, space: TestSpace): Promise<number> {
  const [row] = await platform.database.query<{ ahead: string | null }>(
    'select sum(ahead) as ahead from relay.leases where space_id = $1',
    [space.id],
  );
  return Number(row?.ahead ?? 0);
}

/** Leaves the Space with exactly this balance. */
export async function setBalance(space: TestSpace, tokens: number): Promise<void> {
  const { balance } = await balanceOf(space.owner);
  const change = tokens - balance;
  if (change !== 0) expect((await space.credit(change, 'set by a test')).status).toBe(201);
}

export async function settled(owner: Client): Promise<Balance> {
  await until(async () => (await balanceOf(owner)).reserved === 0);
  return balanceOf(owner);
}

/** The ledger read from the start adds up, row by row, to the balance. */
export async function expectLedgerAddsUp(platform: TestPlatform, space: TestSpace): Promise<void> {
  const rows = await platform.database.query<{ tokens: string; balance_after: string }>(
    'select tokens, balance_after from relay.ledger where space_id = $1 order by seq',
    [space.id],
  );
  let sum = 0;
  for (const row of rows) {
    sum += Number(row.tokens);
    expect(Number(row.balance_after)).toBe(sum);
  }
  const [account] = await platform.database.query<{ balance: string; reserved: string }>(
    'select balance, reserved from relay.accounts where space_id = $1',
    [space.id],
  );
  const [reserved] = await platform.database.query<{ tokens: string }>(
    `select coalesce((select sum(tokens) from relay.reservations where space_id = $1), 0)
       + coalesce((select sum(tokens) from relay.leases where space_id = $1), 0) as tokens`,
    [space.id],
  );
  expect(Number(account?.balance)).toBe(sum);
  expect(Number(account?.reserved)).toBe(Number(reserved?.tokens));
}
