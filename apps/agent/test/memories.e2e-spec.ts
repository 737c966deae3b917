import { randomUUID } from 'node:crypto';
import { type Client, type TestSpace, usePlatform } from '@switchyard/testing';
import { AGENT } from './talk';

const platform = usePlatform();

interface Memory {
  id: string;
  agentId: string;
  userId: string;
  text: string;
  turnId: string | null;
  createdAt: string;
  updatedAt: string;
}

describe('memories', () => {
  let space: TestSpace;
  let owner: Client;
  let viewer: Client;
  let agentId: string;
  let path: string;

  beforeAll(async () => {
    space = await platform.newSpace();
    owner = space.owner;
    viewer = await space.member('VIEWER');
  });

  const newAgent = async (): Promise<string> => (await owner.post('/agents', AGENT)).body.data.id;

  beforeEach(async () => {
    agentId = await newAgent();
    path = `/agents/${agentId}/memories`;
  });

  const save = async (client: Client, text: string, id = agentId): Promise<void> => {
    const query = `@@tool save_memory ${JSON.stringify({ text })}\n@@reply ok`;
    const reply = await client.post(`/agents/${id}/execute`, { inputs: { memory: true, query } });
    expect([reply.status, reply.body.answer]).toEqual([200, 'ok']);
  };
  const list = async (client: Client, query = ''): Promise<Memory[]> => (await client.get(`${path}${query}`)).body.data;
  const texts = async (client: Client, query = ''): Promise<string[]> =>
    (await list(client, query)).map(({ text }) => text);
  /** The model is shown the memories: the length of its prompt tells what they are. */
  const promptTokens = async (client: Client, id = agentId): Promise<number> =>
    (await client.post(`/agents/${id}/execute`, { inputs: { query: 'x', memory: true } })).body.token_usage
      .prompt_tokens;

  it('are listed to the user whom they are about, newest first and by page', async () => {
    for (const text of ['one', 'two', 'three']) await save(viewer, text);
    await save(owner, 'of the owner');
    const first = await viewer.get(`${path}?limit=2`);
    expect(first.body.data).toEqual([
      {
        id: expect.any(String),
        agentId,
        userId: viewer.identity.userId,
        text: 'three',
        turnId: expect.any(String),
        createdAt: expect.any(String),
        updatedAt: first.body.data[0].createdAt,
      },
      expect.objectContaining({ text: 'two' }),
    ]);
    const { nextCursor } = first.body.page;
    const second = await viewer.get(`${path}?limit=2&cursor=${nextCursor}`);
    expect(second.body).toMatchObject({ data: [{ text: 'one' }], page: { nextCursor: null } });
  });

  it('are shown about every user with allUsers to ADMIN and up, and to no lower role', async () => {
    await save(viewer, 'about the viewer');
    await save(owner, 'about the owner');
    const admin = await space.member('ADMIN');
    expect(await texts(admin)).toEqual([]);
    expect(await texts(admin, '?allUsers=true')).toEqual(['about the owner', 'about the viewer']);
    expect(await texts(admin, '?allUsers=false')).toEqual([]);
    for (const client of [viewer, await space.member('MEMBER')]) {
      const refused = await client.get(`${path}?allUsers=true`);
      expect([refused.status, refused.body.code]).toEqual([403, 'FORBIDDEN']);
    }
  });

  it('can be corrected, and the next execute uses the new text', async () => {
    const twin = await newAgent();
    await save(viewer, 'likes green tea in the morning and nothing else');
    await save(viewer, 'likes coffee', twin);
    const [memory] = await list(viewer);
    const expected = await promptTokens(viewer, twin);
    expect(await promptTokens(viewer)).toBeGreaterThan(expected);
    const corrected = await viewer.patch(`${path}/${memory?.id}`, { text: 'likes coffee' });
    expect([corrected.status, corrected.body.data]).toEqual([
      200,
      { ...memory, text: 'likes coffee', updatedAt: expect.any(String) },
    ]);
    expect(corrected.body.data.updatedAt > (memory?.updatedAt ?? '')).toBe(true);
    expect(await list(viewer)).toEqual([corrected.body.data]);
    expect(await promptTokens(viewer)).toBe(expected);
  });

  it('can be deleted one by one or all at once, and the next execute does not use them', async () => {
    const before = await promptTokens(viewer);
    for (const text of ['one', 'two', 'three']) await save(viewer, text);
    await save(owner, 'of the owner');
    const [{ id } = { id: '' }] = await list(viewer);
    const deleted = await viewer.delete(`${path}/${id}`);
    expect([deleted.status, deleted.body.data]).toEqual([200, { id, deleted: true }]);
    expect((await viewer.delete(`${path}/${id}`)).status).toBe(404);
    expect(await texts(viewer)).toEqual(['two', 'one']);
    expect(await promptTokens(viewer)).toBeGreaterThan(before);
    const all = await viewer.delete(path);
    expect([all.status, all.body.data]).toEqual([200, { deleted: 2 }]);
    expect((await viewer.delete(path)).body.data).toEqual({ deleted: 0 });
    expect(await promptTokens(viewer)).toBe(before);
    expect(await texts(owner)).toEqual(['of the owner']);
  });

  it('of another user, another agent or another Space are not found', async () => {
    await save(viewer, 'private');
    const [{ id } = { id: '' }] = await list(viewer);
    const foreign = (await platform.newSpace()).owner;
    const otherPath = `/agents/${await newAgent()}/memories`;
    const tries: [Client, string][] = [
      [owner, `${path}/${id}`],
      [await space.member('ADMIN'), `${path}/${id}`],
      [foreign, `${path}/${id}`],
      [viewer, `${otherPath}/${id}`],
      [viewer, `${path}/${randomUUID()}`],
    ];
    for (const [client, address] of tries) {
      expect((await client.patch(address, { text: 'changed' })).status).toBe(404);
      expect((await client.delete(address)).status).toBe(404);
    }
    expect([(await foreign.get(path)).status, (await foreign.delete(path)).status]).toEqual([404, 404]);
    expect((await owner.delete(path)).body.data).toEqual({ deleted: 0 });
    expect(await texts(viewer)).toEqual(['private']);
  });

  it('stay with the user whom a restricted agent no longer lets in', async () => {
    await save(viewer, 'private');
    await owner.put(`/agents/${agentId}`, { accessScope: 'RESTRICTED', allowedUserIds: [owner.identity.userId] });
    expect(await texts(viewer)).toEqual(['private']);
    expect((await viewer.delete(path)).body.data).toEqual({ deleted: 1 });
  });

  it.each([[{}], [{ text: '' }], [{ text: '  \n' }], [{ text: 7 }], [{ text: 'x'.repeat(2001) }]])(
    'refuse the correction %j',
    async (body) => {
      await save(viewer, 'as it was');
      const [{ id } = { id: '' }] = await list(viewer);
      const refused = await viewer.patch(`${path}/${id}`, body);
      expect([refused.status, refused.body.code]).toEqual([400, 'VALIDATION_ERROR']);
      expect(refused.body.message).toContain('text');
      expect(await texts(viewer)).toEqual(['as it was']);
    },
  );

  it('refuse a cursor of another list, and a key that may only read', async () => {
    const agents = await owner.get('/agents?limit=1');
    const refused = await owner.get(`${path}?cursor=${agents.body.page.nextCursor}`);
    expect([refused.status, refused.body.code]).toEqual([400, 'VALIDATION_ERROR']);
    const reader = await space.key({ scopes: ['sessions:read'] });
    expect((await reader.get(path)).status).toBe(200);
    expect((await reader.delete(path)).status).toBe(403);
  });

  it('are kept up to 200 for a user and an agent; the oldest give way', async () => {
    const call = (n: number): string => `@@tool save_memory {"text": "note ${n}"}`;
    // One answer of a model has room for 128 calls.
    const query = `${Array.from({ length: 105 }, (_, n) => call(n)).join('\n')}\n@@reply ok`;
    for (let round = 0; round < 2; round += 1)
      expect((await viewer.post(`/agents/${agentId}/execute`, { inputs: { memory: true, query } })).status).toBe(200);
    await save(viewer, 'the newest');
    const first = await viewer.get(`${path}?limit=100`);
    const second = await viewer.get(`${path}?limit=100&cursor=${first.body.page.nextCursor}`);
    expect([first.body.data.length, second.body.data.length, second.body.page.nextCursor]).toEqual([100, 100, null]);
    expect(first.body.data[0].text).toBe('the newest');
  });

  it('are cut when an agent saves a long one, and kept whole characters', async () => {
    await save(viewer, `${'x'.repeat(1999)}\u{1F375} and more`);
    const [text = ''] = await texts(viewer);
    expect([text.length, text.isWellFormed(), text.startsWith('xxx')]).toEqual([2000, true, true]);
  });
});
