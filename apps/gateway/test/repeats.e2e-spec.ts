import { type Client, type Reply, until, usePlatform } from '@switchyard/testing';

const platform = usePlatform();

const AGENT = { name: 'Named', model: 'sim-chat', systemPrompt: 'Answer.' };
const DATASET = { name: 'Named', schema: { fields: [{ name: 'a', type: 'string' }] } };

const idOf = ({ status, body }: Reply): string => {
  expect(status).toBe(201);
  return body.data.id as string;
};

/** A request and the resource it names, which is then deleted. */
interface Named {
  thing: [path: string, body: object];
  request: (id: string) => [path: string, body: object];
}

const repeat = async (owner: Client, [path, body]: [string, object]): Promise<Reply> =>
  owner.post(path, body, { headers: { 'idempotency-key': 'one' } });

describe('a repeat with the same idempotency key', () => {
  it.each<[string, Named]>([
    [
      'a key that is limited to an agent',
      {
        thing: ['/agents', AGENT],
        request: (id) => ['/api-keys', { name: 'limited', limits: { agents: [id] } }],
      },
    ],
    [
      'an agent that reads a dataset',
      {
        thing: ['/datasets', DATASET],
        request: (id) => ['/agents', { ...AGENT, knowledge: [{ datasetId: id }] }],
      },
    ],
    [
      'a task that calls an agent',
      {
        thing: ['/agents', AGENT],
        request: (id) => {
          const step = { id: 'ask', type: 'agent', with: { agentId: id, inputs: { text: 'hello' } } };
          return ['/tasks', { name: 'Asks', type: 'MANUAL', steps: [step] }];
        },
      },
    ],
    [
      'a session of an agent',
      { thing: ['/agents', AGENT], request: (id) => ['/agents/sessions', { agentId: id, title: 'once' }] },
    ],
    [
      'a job of an agent',
      {
        thing: ['/agents', AGENT],
        request: (id) => ['/agent-jobs', { type: 'AGENT_INVOKE', agentId: id, input: { inputs: { text: 'hello' } } }],
      },
    ],
    [
      'the copy of a session',
      { thing: ['/agents/sessions', { title: 'source' }], request: (id) => [`/agents/sessions/${id}/fork`, {}] },
    ],
  ])('gets the first answer for %s, although that is gone', async (_what, { thing, request }) => {
    const { owner } = await platform.newSpace();
    const id = idOf(await owner.post(...thing));
    const reply = request(id);
    const first = await repeat(owner, reply);
    expect([201, 202]).toContain(first.status);
    expect((await owner.delete(`${thing[0]}/${id}`)).status).toBe(200);
    const again = await repeat(owner, reply);
    expect([again.status, again.headers['idempotency-replayed']]).toEqual([first.status, 'true']);
    const { key: _shownOnce, ...record } = first.body.data;
    expect(again.body.data).toEqual(record);
    const other = await owner.post(...reply);
    expect([other.status, other.body.code]).toEqual([404, 'NOT_FOUND']);
  });

  it('gets the first answer for a key that has expired since', async () => {
    const { owner } = await platform.newSpace();
    const request: [string, object] = ['/api-keys', { name: 'short', expiresAt: inMs(1500) }];
    const id = idOf(await repeat(owner, request));
    await until(async () => (await owner.get(`/api-keys/${id}`)).body.data.status === 'EXPIRED');
    const again = await repeat(owner, request);
    expect([again.status, again.body.data.id]).toEqual([201, id]);
    expect((await owner.post(...request)).status).toBe(400);
  });

  it('gets the first answer for an agent that was the last there was place for', async () => {
    const space = await platform.newSpace();
    const bounded = await space.operator.patch(`/operator/spaces/${space.id}`, { ceilings: { agents: 1 } });
    expect(bounded.status).toBe(200);
    const request: [string, object] = ['/agents', AGENT];
    const id = idOf(await repeat(space.owner, request));
    const again = await repeat(space.owner, request);
    expect([again.status, again.body.data.id]).toEqual([201, id]);
    expect((await space.owner.post(...request)).status).toBe(409);
  });

  it('is refused where the caller may not do it any more', async () => {
    const space = await platform.newSpace();
    const [agentId, member] = [idOf(await space.owner.post('/agents', AGENT)), await space.member()];
    const request: [string, object] = ['/agents/sessions', { agentId }];
    idOf(await repeat(member, request));
    const restricted = { accessScope: 'RESTRICTED', allowedUserIds: [] };
    expect((await space.owner.put(`/agents/${agentId}`, restricted)).status).toBe(200);
    expect((await repeat(member, request)).status).toBe(403);
  });
});

const inMs = (ms: number): string => new Date(Date.now() + ms).toISOString();
