import { APICallError } from 'ai';
import OpenAI from 'openai';
import { type Client, type TestSpace, until, usePlatform } from '@switchyard/testing';
import { FOREIGN_CHATS, type ForeignChat } from './support/foreign-chats';

/** The same scenarios for each third-party client. */
const platform = usePlatform();
const CALL = '@@reply Let me look.\n@@tool get_weather {"city":"Oslo"}\n@@reply It is {{tool}}.';
const FORM = { kind: 'single_choice', prompt: 'Which?', options: ['red', 'blue'], allowOther: true };
const ASK = `@@tool ask_user ${JSON.stringify(FORM)}\n@@reply Noted {{tool}}.`;

const SCHEMA = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
/** Client-specific terms, mapped to the wire format. */
const added = (body: string, more: object): string => JSON.stringify({ ...(JSON.parse(body) as object), ...more });

let space: TestSpace;
let key: Client;

beforeAll(async () => {
  // One of the clients tells of what it was refused.
  jest.spyOn(console, 'error').mockImplementation(() => undefined);
  space = await platform.newSpace();
  key = await space.key({ scopes: ['*', 'approvals:answer'] });
});

const agent = async (more: object = {}): Promise<string> =>
  (await space.owner.post('/agents', { name: 'A', model: 'sim-chat', systemPrompt: 'You test.', ...more })).body.data
    .id;
const usedOf = async (agentId: string): Promise<number> => {
  const { body } = await space.owner.get('/usage?groupBy=agent');
  return (body.data as { agent: string; tokens: number }[]).find((row) => row.agent === agentId)?.tokens ?? 0;
};

describe.each(Object.entries(FOREIGN_CHATS))('%s', (name, begin) => {
  const isStateless = name.endsWith('chat completions');
  const turns: string[] = [];
  const at = (agentId: string, credential = key.credential, more: object = {}): ForeignChat =>
    begin({
      baseURL: `${platform.url}/openai/v1`,
      apiKey: credential,
      agentId,
      fetch: async (input, init) => {
        const request =
          Object.keys(more).length > 0 && typeof init?.body === 'string' ? added(init.body, more) : init?.body;
        const answer = await fetch(input, { ...init, body: request ?? null });
        const turn = answer.headers.get('x-turn-id');
        if (turn !== null) turns.push(turn);
        return answer;
      },
    });

  it('talks, streams, goes on in its conversation, and is charged what the ledger says', async () => {
    const own = await agent();
    const chat = at(own);
    const message = [
      await chat.converse('@@reply One.'),
      await chat.converse('@@reply Two.'),
      await chat.stream('@@reply one two three'),
    ];
    expect(message.map(({ text }) => text)).toEqual(['One.', 'Two.', 'one two three']);
    const used = message.reduce((sum, { tokens }) => sum + tokens, 0);
    expect(used).toBeGreaterThan(0);
    await until(async () => (await usedOf(own)) === used);
    const sessions = (await space.owner.get(`/agents/sessions?agentId=${own}`)).body.data;
    expect(sessions.map(({ messageCount }: { messageCount: number }) => messageCount)).toEqual(isStateless ? [] : [6]);
  });

  it('runs a tool of its own, and answers an approval and a question where it has a session', async () => {
    const request: string[] = [];
    const reply = (call: { name: string }): string => {
      request.push(call.name);
      return call.name === 'ask_user' ? 'approve' : 'mild';
    };
    const guarded = await agent({ approvals: [{ tool: 'get_weather' }] });
    if (isStateless) {
      expect((await at(await agent()).converse(CALL, reply)).text).toContain('mild');
      // Without a session no question can be asked: the agent gets an error and continues.
      expect((await at(guarded).converse(CALL, reply)).text).toContain('APPROVAL_REQUIRED');
      expect(request).toEqual(['get_weather']);
      return;
    }
    expect((await at(guarded).converse(CALL, reply)).text).toContain('mild');
    expect(request).toEqual(['ask_user', 'get_weather']);
    const denied = await at(guarded).converse(CALL, ({ name: called }) => (called === 'ask_user' ? 'deny' : 'mild'));
    expect(denied.text).toContain('DENIED');
    const curious = await agent({ tools: ['ask_user'] });
    expect((await at(curious).converse(ASK, () => 'green')).text).toContain('green');
  });

  it('has the answer that fits its schema, and not the one that was refused before', async () => {
    const format = { type: 'json_schema', name: 'place', schema: SCHEMA };
    const request = isStateless
      ? { response_format: { type: 'json_schema', json_schema: format } }
      : { text: { format } };
    const { text } = await at(await agent(), key.credential, request).converse('@@reply no JSON at all');
    expect(JSON.parse(text)).toEqual({ city: expect.any(String) });
  });

  it('leaves without stopping the turn, which is cancelled at the model by its name', async () => {
    const model = await agent();
    const openai = new OpenAI({ baseURL: `${platform.url}/openai/v1`, apiKey: key.credential });
    const status = async (turn: string): Promise<string> =>
      (await space.owner.get(`/agents/${model}/turns/${turn}`)).body.data.status;
    const leaving = new AbortController();
    turns.length = 0;
    const onText = at(model)
      .stream('@@delay 300\n@@tokens 200', { signal: leaving.signal })
      .catch(() => null);
    const turn = await until(() => turns[0]);
    leaving.abort();
    await onText;
    expect(await status(turn)).toBe('RUNNING');
    await openai.responses.cancel(`resp_${turn}`);
    await until(async () => (await status(turn)) === 'CANCELLED');
  });

  it('is refused, and told of failures, in its own classes', async () => {
    const thrown = async (chat: ForeignChat, words = 'hi'): Promise<Record<string, unknown>> =>
      chat.converse(words).then(
        () => ({}),
        (error: unknown) => error as Record<string, unknown>,
      );
    const model = await agent();
    for (const [error, status] of [
      [await thrown(at('nobody')), 404],
      [await thrown(at(model, 'x'.repeat(40))), 401],
      [await thrown(at(model), '@@error 500'), 503],
    ] as const) {
      if (name.startsWith('the AI SDK')) {
        expect(APICallError.isInstance(error)).toBe(true);
        expect(error['statusCode']).toBe(status);
      } else expect(error['status']).toBe(status);
      if (name === 'the Agents SDK') expect(error).toBeInstanceOf(OpenAI.APIError);
    }
    const failed = await at(model)
      .stream('@@error 500')
      .catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(Error);
  });
});
