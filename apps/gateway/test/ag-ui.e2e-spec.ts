import { createHash } from 'node:crypto';
import { HttpAgent, type BaseEvent, type Interrupt, type Message, type RunAgentInput } from '@ag-ui/client';
import { type Client, type TestSpace, until, usePlatform } from '@switchyard/testing';

const platform = usePlatform();
const WEATHER = {
  name: 'get_weather',
  description: 'The weather of a city.',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};
const CALL = '@@reply Let me look.\n@@tool get_weather {"city":"Oslo"}\n@@reply It is {{tool}}.';
const ASK =
  '@@tool ask_user {"kind":"single_choice","prompt":"Which?","options":["red","blue"]}\n@@reply Noted {{tool}}.';

let space: TestSpace;
let key: Client;
let asking: string;

beforeAll(async () => {
  // The client tells of each field that version 1.0 does not have, and of each failed run.
  jest.spyOn(console, 'warn').mockImplementation(() => undefined);
  jest.spyOn(console, 'error').mockImplementation(() => undefined);
  space = await platform.newSpace();
  key = await space.key({ scopes: ['*', 'approvals:answer'] });
  asking = await agentOf({ tools: ['ask_user'] });
});

const agentOf = async (more: object = {}): Promise<string> =>
  (await space.owner.post('/agents', { name: 'A', model: 'sim-chat', systemPrompt: 'You test.', ...more })).body.data
    .id;

const urlOf = (agentId: string): string => `${platform.url}/ag-ui/${agentId}`;
const clientOf = (agentId: string, credential = key.credential): HttpAgent =>
  new HttpAgent({ url: urlOf(agentId), headers: { authorization: `Bearer ${credential}` } });

type Params = Parameters<HttpAgent['runAgent']>[0];

/** One run of a client: what it says first, and the events that it was told. */
async function run(client: HttpAgent, words: string | null, params: Params = {}): Promise<BaseEvent[]> {
  if (words !== null) client.addMessage({ id: crypto.randomUUID(), role: 'user', content: words });
  const events: BaseEvent[] = [];
  await client.runAgent(params, {
    onEvent: ({ event }) => {
      events.push(event);
    },
  });
  return events;
}
const types = (events: BaseEvent[]): string[] => events.map(({ type }) => type);
const wordsOf = (message: Message | undefined): string => (typeof message?.content === 'string' ? message.content : '');
const lastWords = (client: HttpAgent): string => wordsOf(client.messages.at(-1));
const interruptOf = (client: HttpAgent): Interrupt => {
  const [interrupt] = client.pendingInterrupts;
  if (!interrupt) throw new Error('nothing interrupts the run');
  return interrupt;
};
const resolved = (interrupt: Interrupt, payload: object): Params => ({
  resume: [{ interruptId: interrupt.id, status: 'resolved', payload }],
});
const transcript = async (threadId: string): Promise<{ role: string; content: { text: string }[] }[]> =>
  (await space.owner.get(`/agents/sessions/${threadId}/messages`)).body.data;

describe('the client of AG-UI', () => {
  it('talks, thinks, and goes on in its thread, which is the session', async () => {
    const client = clientOf(asking);
    const runId = crypto.randomUUID();
    const events = await run(client, '@@think hm\n@@reply one two', {
      runId,
      context: [{ description: 'a', value: 'b' }],
    });
    expect(types(events)[0]).toBe('RUN_STARTED');
    expect(types(events).at(-1)).toBe('RUN_FINISHED');
    for (const type of ['STEP_STARTED', 'REASONING_MESSAGE_CONTENT', 'TEXT_MESSAGE_CONTENT', 'STEP_FINISHED'])
      expect(types(events)).toContain(type);
    expect(lastWords(client)).toBe('one two');
    expect((await space.owner.get(`/agents/${asking}/turns/${runId}`)).body.data).toMatchObject({
      sessionId: client.threadId,
      status: 'COMPLETED',
    });
    await run(client, '@@reply three');
    expect(lastWords(client)).toBe('three');
    const output = await transcript(client.threadId);
    expect(output.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant']);
  });

  it('is told a run again when it sends it again, and nothing runs twice', async () => {
    const body: RunAgentInput = {
      threadId: `support ${crypto.randomUUID()}`,
      runId: 'first',
      messages: [
        { id: '1', role: 'user', content: 'hello' },
        { id: '2', role: 'assistant', content: 'hi' },
        { id: '3', role: 'user', content: '@@reply once' },
      ],
      tools: [],
      context: [],
    };
    const send = (more: object = {}): ReturnType<Client['raw']> =>
      key.raw('POST', `/ag-ui/${asking}`, { ...body, ...more });
    const [first, second] = [await send(), await send()];
    expect(first.status).toBe(200);
    expect(String(first.body)).toContain('RUN_FINISHED');
    expect(second.body).toEqual(first.body);
    const turnId = first.headers['x-turn-id'] ?? '';
    const { sessionId } = (await space.owner.get(`/agents/${asking}/turns/${turnId}`)).body.data;
    // Earlier messages of the thread are the history of its new session.
    expect((await transcript(sessionId)).map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant']);
    // The same name for something else is refused.
    expect((await send({ messages: body.messages.slice(2) })).status).toBe(409);
  });

  it('makes no session for a run that is refused, and one with the thread as it is for the run after it', async () => {
    const own = await agentOf({ localTools: [WEATHER] });
    const client = clientOf(own);
    client.setMessages([
      { id: '1', role: 'user', content: 'hello' },
      { id: '2', role: 'assistant', content: 'hi' },
    ]);
    // A tool of the agent's own name is refused by the agent.
    await expect(run(client, '@@reply one', { tools: [WEATHER] })).rejects.toMatchObject({ status: 400 });
    expect((await space.owner.get(`/agents/sessions/${client.threadId}`)).status).toBe(404);
    await run(client, null);
    expect((await transcript(client.threadId)).map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'user',
      'assistant',
    ]);
    // A session that has had no words yet takes those that came before as well.
    const empty = clientOf(own);
    empty.threadId = (await space.owner.post('/agents/sessions', { agentId: own })).body.data.id;
    empty.setMessages(client.messages.slice(0, 2));
    await run(empty, '@@reply two');
    expect(await transcript(empty.threadId)).toHaveLength(4);
  });

  it('has the same messages wherever its connection breaks and the run is sent again, and is charged once', async () => {
    const own = await agentOf();
    const words = '@@think hm\n@@reply one two\n@@tool get_weather {"city":"Oslo"}\n@@reply It is {{tool}}.';
    const runId = crypto.randomUUID();
    const threadId = crypto.randomUUID();
    /** A client whose next answer breaks off after so many events. */
    const begun = (cut = Number.POSITIVE_INFINITY): HttpAgent => {
      let events = cut;
      const breaking: typeof fetch = async (input, init) => {
        const answer = await fetch(input, init);
        const output = (await answer.text()).split(/(?<=\n\n)/).slice(0, events);
        events = Number.POSITIVE_INFINITY;
        return new Response(output.join(''), answer);
      };
      const headers = { authorization: `Bearer ${key.credential}` };
      const client = new HttpAgent({ url: urlOf(own), headers, threadId, fetch: breaking });
      client.addMessage({ id: 'asked', role: 'user', content: words });
      return client;
    };
    const sendTwice = async (client: HttpAgent, params: Params): Promise<Message[]> => {
      await run(client, null, params).catch(() => undefined);
      await run(client, null, params);
      return client.messages;
    };
    const cutsOf = (events: BaseEvent[]): number[] => [...events.keys()];
    const first = { runId, tools: [WEATHER] };
    const whole = begun();
    const all = await run(whole, null, first);
    const call = whole.messages.flatMap((message) => (message.role === 'assistant' ? (message.toolCalls ?? []) : []));
    expect(call).toHaveLength(1);
    for (const messages of await Promise.all(cutsOf(all).map((cut) => sendTwice(begun(cut), first))))
      expect(messages).toEqual(whole.messages);
    // The stretch after the client's tool as well.
    const result = { id: 'result', role: 'tool' as const, toolCallId: call[0]?.id ?? '', content: 'cold' };
    const goingOn = (cut?: number): HttpAgent => {
      const client = begun(cut);
      client.setMessages([...whole.messages, result]);
      return client;
    };
    const then = { runId: 'second', tools: [WEATHER] };
    const second = goingOn();
    const rest = await run(second, null, then);
    expect(lastWords(second)).toContain('cold');
    for (const messages of await Promise.all(cutsOf(rest).map((cut) => sendTwice(goingOn(cut), then))))
      expect(messages).toEqual(second.messages);
    const used = [all, rest].map((output) => (output.at(-1) as { usage?: { totalTokens: number }[] }).usage?.[0]);
    const sum = used.reduce((total, usage) => total + (usage?.totalTokens ?? 0), 0);
    expect(sum).toBeGreaterThan(0);
    await until(async () => {
      const { body } = await space.owner.get('/usage?groupBy=agent');
      return (body.data as { agent: string; tokens: number }[]).some((row) => row.agent === own && row.tokens === sum);
    });
    // Words of the agent alone are no run that could begin.
    const nothing = begun();
    nothing.setMessages([...whole.messages]);
    await expect(run(nothing, null, { runId: crypto.randomUUID(), tools: [WEATHER] })).rejects.toMatchObject({
      status: 400,
    });
  });

  it('runs a tool of its own, known to this run alone', async () => {
    const client = clientOf(await agentOf());
    const events = await run(client, CALL, { tools: [WEATHER] });
    expect(types(events).filter((type) => type.startsWith('TOOL_CALL'))).toEqual([
      'TOOL_CALL_START',
      'TOOL_CALL_ARGS',
      'TOOL_CALL_END',
    ]);
    const [call] = client.messages.flatMap((message) =>
      message.role === 'assistant' ? (message.toolCalls ?? []) : [],
    );
    expect(call?.function).toEqual({ name: 'get_weather', arguments: '{"city":"Oslo"}' });
    expect(events.at(-1)).toMatchObject({ outcome: { type: 'success', pendingToolCallIds: [call?.id] } });
    client.addMessage({ id: crypto.randomUUID(), role: 'tool', toolCallId: call?.id ?? '', content: 'cold' });
    await run(client, null, { tools: [WEATHER] });
    expect(lastWords(client)).toContain('cold');
    await run(client, '@@reply Bye.', { tools: [WEATHER] });
    expect(lastWords(client)).toBe('Bye.');
  });

  it('is interrupted by a question and by an approval, and answers both', async () => {
    const client = clientOf(asking);
    await run(client, ASK);
    const question = interruptOf(client);
    expect(question).toMatchObject({ reason: 'question', message: 'Which?' });
    const { options } = (question.metadata?.['interaction'] ?? {}) as { options: { id: string }[] };
    await run(client, null, resolved(question, { selectedOptionIds: [options[1]?.id], otherText: null }));
    expect(lastWords(client)).toContain('blue');
    expect(client.pendingInterrupts).toEqual([]);

    const guarded = clientOf(await agentOf({ approvals: [{ tool: 'get_weather' }] }));
    await run(guarded, CALL, { tools: [WEATHER] });
    const approval = interruptOf(guarded);
    expect(approval).toMatchObject({ reason: 'approval' });
    const events = await run(guarded, null, resolved(approval, { selectedOptionIds: ['approve'] }));
    const [toolCallId = ''] =
      (events.at(-1) as { outcome?: { pendingToolCallIds?: string[] } }).outcome?.pendingToolCallIds ?? [];
    guarded.addMessage({ id: crypto.randomUUID(), role: 'tool', toolCallId, content: 'mild' });
    await run(guarded, null);
    expect(lastWords(guarded)).toContain('mild');
  });

  it('is cancelled as every turn is, and by leaving a question open', async () => {
    const client = clientOf(asking);
    const runId = crypto.randomUUID();
    const running = run(client, '@@delay 300\n@@tokens 200', { runId });
    await until(async () => (await space.owner.get(`/agents/${asking}/turns/${runId}`)).status === 200);
    expect((await space.owner.post(`/agents/${asking}/turns/${runId}/cancel`, {})).status).toBe(200);
    expect((await running).at(-1)).toMatchObject({ type: 'RUN_FINISHED', outcome: { type: 'cancelled' } });

    await run(client, ASK);
    const entry = { interruptId: interruptOf(client).id, status: 'cancelled' as const };
    const events = await run(client, null, { resume: [entry] });
    expect(events.at(-1)).toMatchObject({ outcome: { type: 'cancelled' } });
    await run(client, '@@reply Again.');
    expect(lastWords(client)).toBe('Again.');
  });

  it('is told of failures, and refused by the name of the field', async () => {
    const failing = clientOf(asking);
    const events: string[] = [];
    failing.addMessage({ id: '1', role: 'user', content: '@@error 500' });
    await failing
      .runAgent({}, { onRunErrorEvent: ({ event }) => void events.push(event.code ?? '') })
      .catch(() => undefined);
    expect(events).toHaveLength(1);

    const user = { id: '1', role: 'user', content: 'hi' };
    const body = { threadId: crypto.randomUUID(), runId: crypto.randomUUID(), messages: [user] };
    const post = (more: object, agentId = asking, who = key): ReturnType<Client['raw']> =>
      who.raw('POST', `/ag-ui/${agentId}`, { ...body, ...more });
    for (const [more, path] of [
      [{ threadId: '' }, 'threadId'],
      [{ runId: 7 }, 'runId'],
      [{ messages: 'hi' }, 'messages'],
      [{ messages: [] }, 'messages'],
      [{ messages: null }, 'messages'],
      [{ messages: [{ ...user, role: 'robot' }] }, 'messages[0].role'],
      [{ messages: [{ ...user, content: '' }] }, 'messages[0].content'],
      [{ messages: [{ ...user, content: [{ type: 'video' }] }] }, 'messages[0].content[0].type'],
      [{ messages: [{ ...user, content: [{ type: 'image' }] }] }, 'messages[0].content[0].source'],
      [{ messages: [user, { id: '2', role: 'tool', content: 'x' }] }, 'messages[1].toolCallId'],
      [{ messages: [{ id: '2', role: 'assistant', toolCalls: [{ id: 'a' }] }] }, 'messages[0].toolCalls[0].function'],
      [{ tools: [{ ...WEATHER, name: 'ask_user' }] }, 'tools[0].name'],
      [{ tools: [7] }, 'tools[0]'],
      [{ context: [{ value: 'x' }] }, 'context[0].description'],
      [{ resume: [{ interruptId: 'x', status: 'resolved' }] }, 'resume[0].interruptId'],
      [{ resume: [{ interruptId: body.runId, status: 'maybe' }] }, 'resume[0].status'],
      [{ resume: [{ interruptId: body.runId, status: 'resolved' }] }, 'resume[0].payload'],
      [{ unheard_of: 1 }, 'unheard_of'],
    ] as const) {
      const answer = await post(more);
      expect([answer.status, answer.body.details?.[0]?.path]).toEqual([400, path]);
    }
    const nowhere = { interruptId: crypto.randomUUID(), status: 'cancelled' };
    expect((await post({ resume: [nowhere] })).status).toBe(404);
    expect((await post({}, crypto.randomUUID())).status).toBe(404);
    const client = clientOf(asking);
    await run(client, '@@reply Mine.');
    const other = await (await platform.newSpace()).key();
    expect((await post({ threadId: client.threadId }, asking, other)).status).toBe(404);
    const member = await space.member();
    expect((await post({ threadId: client.threadId }, asking, member)).status).toBe(404);
    // Nor can the name of a thread be taken by a colleague who works its id out.
    const hex = createHash('sha256').update(`${space.id}/${space.owner.identity.userId}/main`).digest('hex');
    const named = hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/u, '$1-$2-8$3-8$4-$5');
    expect((await post({ threadId: named }, asking, member)).status).toBe(404);
    const own = clientOf(asking);
    own.threadId = 'main';
    await run(own, '@@reply Mine.');
    expect(lastWords(own)).toBe('Mine.');
    expect(await transcript(named)).toHaveLength(2);
    await expect(run(clientOf(asking, 'x'.repeat(40)), 'hi')).rejects.toMatchObject({ status: 401 });
  });
});
