import { randomUUID } from 'node:crypto';
import { encodeCursor, newId } from '@switchyard/kernel';
import { type Reply, type TestSpace, usePlatform } from '@switchyard/testing';

const platform = usePlatform();
let space: TestSpace;
beforeAll(async () => {
  space = await platform.newSpace();
});

const LISTS = [
  '/agents',
  '/agents/system-agents',
  '/agents/sessions',
  '/agent-jobs',
  '/api-keys',
  '/applications',
  '/datasets',
  '/events/envelopes',
  '/events/registered',
  '/events/subscriptions',
  '/spaces',
  '/tasks',
  '/usage/ledger',
];

const MALFORMED = ['W10', 'nonsense', 'bnVsbA', Buffer.from(JSON.stringify([newId()])).toString('base64url')];

describe('a cursor', () => {
  it.each(LISTS)('of another list, or of none, is refused by GET %s', async (list) => {
    const foreign = encodeCursor('elsewhere', [newId()]);
    for (const cursor of [...MALFORMED, foreign]) {
      const reply = await space.owner.get(`${list}?cursor=${cursor}`);
      expect([cursor, reply.status, reply.body]).toMatchObject([
        cursor,
        400,
        { code: 'VALIDATION_ERROR', details: [{ path: 'cursor' }] },
      ]);
    }
  });

  it('that one list gave out is refused by another', async () => {
    const steps = [{ id: 'x', type: 'transform', with: {} }];
    for (const name of ['a', 'b']) await space.owner.post('/tasks', { name, steps });
    const { nextCursor } = (await space.owner.get('/tasks?limit=1')).body.page as { nextCursor: string };
    expect((await space.owner.get(`/tasks?limit=1&cursor=${nextCursor}`)).body.data).toMatchObject([{ name: 'a' }]);
    expect((await space.owner.get(`/agents?cursor=${nextCursor}`)).status).toBe(400);
  });
});

it('sessions are listed by their creation, also with ids that clients chose', async () => {
  const member = await space.member();
  const made: string[] = [];
  for (const first of ['ffffffff', '', '00000000', '', '88888888']) {
    const id = first === '' ? undefined : `${first}${randomUUID().slice(8)}`;
    const reply = id
      ? await member.raw('POST', '/langgraph/threads', { thread_id: id })
      : await member.post('/agents/sessions', {});
    made.push((id ?? reply.body.data.id) as string);
  }
  for (const query of ['limit=1', 'limit=2', 'limit=1&allUsers=true']) {
    const reader = query.includes('allUsers') ? space.owner : member;
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const { body }: Reply = await reader.get(`/agents/sessions?${query}${cursor && `&cursor=${cursor}`}`);
      seen.push(...(body.data as { id: string }[]).map(({ id }) => id));
      cursor = body.page.nextCursor as string | null;
    }
    expect(seen.filter((id) => made.includes(id))).toEqual(made.toReversed());
  }
});
