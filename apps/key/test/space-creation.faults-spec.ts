import { type Client, type TestSpace, until, usePlatform } from '@switchyard/testing';

const platform = usePlatform();
const RULES = {
  SPACE_CREATION: 'MEMBERS',
  SPACES_PER_PERSON_AND_DAY: '2',
  SPACES_PER_PERSON: '3',
  MEMBER_SPACE_TOKENS: '5',
  SPACE_OWNERS_MAY_CREDIT: 'true',
};
let space: TestSpace;

async function restart(rules: Record<string, string>): Promise<void> {
  for (const service of ['key', 'relay']) {
    await platform.service(service).restart(rules);
    await platform.service(service).ready();
  }
}

beforeAll(async () => {
  await restart(RULES);
  space = await platform.newSpace();
}, 300_000);

afterAll(async () => {
  await restart(Object.fromEntries(Object.keys(RULES).map((name) => [name, ''])));
}, 300_000);

const make = (client: Client) => client.post('/spaces', { name: 'Of a member' });
const into = async (client: Client, spaceId: string): Promise<Client> => {
  const { body } = await client.post('/auth/switch-space', { spaceId });
  return client.as(`Bearer ${body.data.accessToken as string}`, client.identity);
};

describe('Spaces that members make', () => {
  it('are so many a day and so many in all, also when they are asked for at once', async () => {
    const member = await space.member();
    const replies = await Promise.all([1, 2, 3, 4].map(() => make(member)));
    expect(replies.map(({ status }) => status).toSorted()).toEqual([201, 201, 429, 429]);
    const refused = replies.find(({ status }) => status === 429);
    const wait = Number(refused?.headers['retry-after']);
    expect([refused?.body.code, wait > 86_000 && wait <= 86_400]).toEqual(['RATE_LIMITED', true]);
    // A day later.
    await platform.database.query(
      `update key.space_makers set made_at = made_at - interval '25 hours' where user_id = $1`,
      [member.identity.userId],
    );
    expect((await make(member)).status).toBe(201);
    const over = await make(member);
    expect([over.status, over.headers['retry-after']]).toEqual([429, '86400']);
  });

  it('start with what the configuration says, and their maker pays for them', async () => {
    const member = await space.member();
    const { id } = (await make(member)).body.data as { id: string };
    const there = await into(member, id);
    expect((await there.get('/usage/balance')).body.data.balance).toBe(5);
    const seen = (await space.operator.get(`/operator/spaces/${id}`)).body.data;
    expect([seen.payer, seen.balance]).toEqual([{ kind: 'user', id: member.identity.userId }, 5]);
    const own = (await space.operator.get(`/operator/spaces/${space.id}`)).body.data;
    expect(own.payer).toEqual({ kind: 'space', id: space.id });
  });

  it('are not made by a VIEWER', async () => {
    expect((await make(await space.member('VIEWER'))).status).toBe(403);
  });

  it('are credited by their OWNER alone, where the configuration lets owners', async () => {
    expect((await space.owner.post('/usage/credits', { tokens: 7 })).status).toBe(201);
    expect((await (await space.member('ADMIN')).post('/usage/credits', { tokens: 7 })).status).toBe(403);
    expect((await space.owner.get('/usage/balance')).body.data.balance).toBe(1_000_007);
  });
});

it('a Space of before gets its maker from the log, and keeps what the relay gave it', async () => {
  const byOperator = await space.anotherOf(space.owner);
  const byMember = await space.anotherOf(space.owner);
  await platform.database.query(
    `update key.spaces set made_by = null, made_by_kind = null, starting_tokens = null where space_id = any($1::uuid[])`,
    [[byOperator, byMember]],
  );
  // As a Space whose creation the log has forgotten, the other one belongs to its OWNER. Triggers keep the log from changes.
  await platform.database.query(
    `begin; set local session_replication_role = replica;
     delete from key.space_events where space_id = '${byMember}' and action = 'space.created'; commit`,
  );
  const payerOf = async (id: string) => (await space.operator.get(`/operator/spaces/${id}`)).body.data.payer;
  await until(async () => (await payerOf(byMember)).kind === 'user', { timeoutMs: 120_000 });
  expect(await payerOf(byMember)).toEqual({ kind: 'user', id: space.owner.identity.userId });
  expect(await payerOf(byOperator)).toEqual({ kind: 'space', id: byOperator });
  const there = await into(space.owner, byOperator);
  expect((await there.get('/usage/balance')).body.data.balance).toBe(1_000_000);
});
