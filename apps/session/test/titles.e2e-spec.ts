import { newId } from '@switchyard/kernel';
import { type TestSpace, usePlatform } from '@switchyard/testing';

const platform = usePlatform();
let space: TestSpace;

beforeAll(async () => {
  space = await platform.newSpace();
});

describe('GET /agents/sessions?q=', () => {
  it('does not find titles of another Space, not even of the same user', async () => {
    const gina = await space.member();
    const own = (await gina.post('/agents/sessions', { title: 'Quartz here' })).body.data;
    const other = await platform.newSpace();
    await platform.database.query(
      `insert into session.sessions (space_id, id, user_id, title) values ($1, $2, $3, 'Quartz there')`,
      [other.id, newId(), gina.identity.userId],
    );
    for (const [client, query] of [
      [gina, ''],
      [space.owner, '&allUsers=true'],
    ] as const) {
      const { body } = await client.get(`/agents/sessions?q=quartz${query}`);
      expect(body.data.map((session: { id: string }) => session.id)).toEqual([own.id]);
    }
  });

  it('finds a rare word by the trigrams of the titles', async () => {
    const made = await platform.newSpace();
    const { userId } = made.owner.identity;
    await platform.database.query(
      `insert into session.sessions (space_id, id, user_id, title)
       select $1, gen_random_uuid(), $2, case when n = 7 then 'Harvest' else 'Chat ' || n end from generate_series(1, 20000) n`,
      [made.id, userId],
    );
    await platform.database.query('analyze session.sessions');
    const { body } = await made.owner.get('/agents/sessions?q=harvest');
    expect(body.data.map(({ title }: { title: string }) => title)).toEqual(['Harvest']);
    const plan = await platform.database.query<{ 'QUERY PLAN': string }>(
      `explain select id from session.sessions s where s.space_id = '${made.id}' and s.user_id = '${userId}'
         and s.status = 'ACTIVE' and lower(s.title) like '%harvest%'`,
    );
    expect(plan.map((line) => line['QUERY PLAN']).join(' ')).toContain('sessions_by_trigrams_of_title');
  });
});
