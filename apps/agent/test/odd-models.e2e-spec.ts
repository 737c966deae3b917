import { type Client, type TestSpace, usePlatform } from '@switchyard/testing';
import { AGENT, contentsOf } from './talk';

const platform = usePlatform();
const ODD = String.raw`"x\u0000y\ud800"`;
const CLEAN = 'x\uFFFDy\uFFFD';

describe('a model with unexpected answers', () => {
  let space: TestSpace;
  let owner: Client;

  beforeAll(async () => {
    space = await platform.newSpace();
    owner = space.owner;
  });

  const agent = async (body: object = {}): Promise<string> =>
    (await owner.post('/agents', { ...AGENT, ...body })).body.data.id;
  const chat = async (id: string, text: string) =>
    (await owner.post(`/agents/${id}/chat`, { ...contentsOf(text), stream: false })).body.data;

  it('calls a tool with characters that cannot be stored', async () => {
    const reply = await chat(await agent(), `@@tool nobody_has_it {"a":${ODD}}\n@@reply done`);
    expect([reply.status, reply.answer]).toEqual(['COMPLETED', 'done']);
    expect(reply.tool_executions[0].arguments).toEqual({ a: CLEAN });
    const messages = (await owner.get(`/agents/sessions/${reply.session_id}/messages`)).body.data;
    expect(messages[1].toolCalls[0].arguments).toEqual({ a: CLEAN });
  });

  it('answers such characters as JSON', async () => {
    const id = await agent({ responseSchema: { type: 'object' } });
    const session = (await owner.post('/agents/sessions', { agentId: id })).body.data.id;
    const inputs = { query: `@@json {"a":${ODD}}`, session_id: session };
    const reply = await owner.post(`/agents/${id}/execute`, { inputs });
    expect([reply.status, reply.body.output]).toEqual([200, { a: CLEAN }]);
  });

  it('meets a pattern that would hold another engine for years', async () => {
    const id = await agent({ responseSchema: { type: 'string', pattern: '^(a+)+$' } });
    const reply = await owner.post(`/agents/${id}/execute`, { inputs: { query: `@@json "${'a'.repeat(60)}!"` } });
    expect([reply.status, reply.body.code]).toEqual([503, 'RUNTIME_UNAVAILABLE']);
  });

  it('answers more than one item of content holds, once, and is read back whole', async () => {
    await owner.patch(`/spaces/${space.id}`, { settings: { requestTokenCap: 10_000_000 } });
    const text = 'a'.repeat(1024 * 1024 - 2);
    const reply = await chat(await agent(), text);
    expect([reply.status, reply.answer.length]).toEqual(['COMPLETED', text.length + 'You said: '.length]);
    // The two messages are over 2 MiB together: a page each.
    const messages = `/agents/sessions/${reply.session_id}/messages`;
    const { data: listed, page } = (await owner.get(messages)).body;
    expect(listed).toHaveLength(1);
    const { data: answered } = (await owner.get(`${messages}?cursor=${page.nextCursor}`)).body;
    const texts = answered.at(-1).content.map((item: { text: string }) => item.text);
    expect(texts.length).toBeGreaterThan(1);
    expect(texts.join('')).toBe(reply.answer);
    const ledger = (await owner.get('/usage/ledger')).body.data;
    expect(ledger.filter(({ turnId }: { turnId: string }) => turnId === reply.turn_id)).toHaveLength(1);
  });
});
