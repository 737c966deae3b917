import { randomUUID } from 'node:crypto';
import { type Client, type TestSpace, until, usePlatform } from '@switchyard/testing';

const platform = usePlatform();
const SCOPE = 'approvals:answer';

describe('the scope approvals:answer', () => {
  let space: TestSpace;
  beforeAll(async () => {
    space = await platform.newSpace();
  });

  const idOf = (key: Client): string => key.identity.keyId ?? '';
  const scopesOf = async (key: Client): Promise<string[]> =>
    (await space.owner.get(`/api-keys/${idOf(key)}`)).body.data.scopes;

  it('is held by no key that does not name it', async () => {
    const all = await space.key();
    expect(await scopesOf(all)).toEqual(['*']);
    expect((await all.get('/auth/me')).body.data.credential.scopes).toEqual(['*']);
    expect(await scopesOf(await space.key({ scopes: ['agents:call', SCOPE] }))).toEqual(['agents:call', SCOPE]);
  });

  it('is given to another key by those alone who have it', async () => {
    const expected = { name: 'more', scopes: ['agents:call', SCOPE] };
    const refused = await (await space.key()).post('/api-keys', expected);
    expect([refused.status, refused.body.code]).toEqual([403, 'FORBIDDEN']);
    expect((await (await space.key({ scopes: ['*', SCOPE] })).post('/api-keys', expected)).status).toBe(201);
  });

  it('may be added by a person of at least the role of the key, and by no key', async () => {
    const owners = await space.key();
    const path = `/api-keys/${idOf(owners)}`;
    for (const by of [await space.key({ scopes: ['*', SCOPE] }), await space.member('ADMIN')])
      expect((await by.put(path, { scopes: ['*', SCOPE] })).status).toBe(403);
    expect((await space.owner.put(path, { scopes: ['*', SCOPE] })).body.data.scopes).toEqual(['*', SCOPE]);
    const narrow = await space.key({ scopes: ['agents:read'] });
    expect((await space.owner.put(`/api-keys/${idOf(narrow)}`, { scopes: ['agents:call', SCOPE] })).status).toBe(403);
    const member = await space.member();
    const own = await space.key({}, member);
    expect((await member.put(`/api-keys/${idOf(own)}`, { scopes: ['*', SCOPE] })).status).toBe(200);
    expect((await space.owner.put(`/api-keys/${idOf(own)}`, { scopes: ['*'] })).body.data.scopes).toEqual(['*']);
  });

  describe('of a key of before', () => {
    /** As the migration leaves it. */
    const legacyKey = async (): Promise<Client> => {
      const key = await space.key({ scopes: ['*', SCOPE] });
      await platform.database.query(`update key.api_keys set legacy_scopes = '{${SCOPE}}' where id = $1`, [idOf(key)]);
      return key;
    };

    it('is shown, stays when the key is rotated, and is named or removed by PUT', async () => {
      const key = await legacyKey();
      const path = `/api-keys/${idOf(key)}`;
      const shown = { scopes: ['*', SCOPE], legacyScopes: [SCOPE] };
      expect((await space.owner.get(path)).body.data).toMatchObject(shown);
      expect((await space.owner.post(`${path}/rotate`, {})).body.data).toMatchObject(shown);
      expect((await space.owner.put(path, { name: 'renamed' })).body.data).toMatchObject(shown);
      const named = (await space.owner.put(path, { scopes: ['*', SCOPE] })).body.data;
      expect([named.scopes, named.legacyScopes]).toEqual([['*', SCOPE], undefined]);
      const other = await legacyKey();
      const removed = (await space.owner.put(`/api-keys/${idOf(other)}`, { scopes: ['*'] })).body.data;
      expect([removed.scopes, removed.legacyScopes]).toEqual([['*'], undefined]);
    });

    it('is marked until a person names it, and goes to no key that such a key makes', async () => {
      const key = await legacyKey();
      const path = `/api-keys/${idOf(key)}`;
      const same = await key.put(path, { scopes: ['*', SCOPE] });
      expect([same.status, same.body.data.legacyScopes]).toEqual([200, [SCOPE]]);
      const refused = await key.post('/api-keys', { name: 'heir', scopes: ['agents:call', SCOPE] });
      expect([refused.status, refused.body.code]).toEqual([403, 'FORBIDDEN']);
      expect((await key.post('/api-keys', { name: 'other', scopes: ['agents:call'] })).status).toBe(201);
      const reduced = (await key.put(path, { scopes: ['*'] })).body.data;
      expect([reduced.scopes, reduced.legacyScopes]).toEqual([['*'], undefined]);
    });

    it('is told as such in the security event of each use', async () => {
      const agent = {
        name: 'A',
        model: 'sim-chat',
        systemPrompt: 'x',
        tools: ['save_memory'],
        approvals: [{ tool: 'save_memory' }],
      };
      const agentId = (await space.owner.post('/agents', agent)).body.data.id as string;
      const answer = async (key: Client): Promise<string> => {
        const contents = [{ type: 'text', text: '@@tool save_memory {"text": "x"}\n@@reply done' }];
        const turn = (await key.post(`/agents/${agentId}/chat`, { contents, stream: false, turnId: randomUUID() })).body
          .data;
        const body = {
          sessionId: turn.session_id,
          interactionId: turn.interaction.id,
          selectedOptionIds: ['approve'],
          otherText: null,
        };
        const headers = { accept: 'text/event-stream', 'x-service-stream-protocol': 'stream-v3' };
        expect((await key.post(`/agents/${agentId}/turns/${turn.turn_id}/resume`, body, { headers })).status).toBe(200);
        return turn.interaction.id;
      };
      const legacyOf = (target: string): Promise<{ legacy?: boolean }> =>
        until(async () => {
          const { data } = (await space.owner.get(`/spaces/${space.id}/security-events?limit=100`)).body;
          return data.find((event: { target: string }) => event.target === target)?.details;
        });
      expect((await legacyOf(await answer(await legacyKey()))).legacy).toBe(true);
      expect((await legacyOf(await answer(await space.key({ scopes: ['*', SCOPE] })))).legacy).toBeUndefined();
    });
  });
});
