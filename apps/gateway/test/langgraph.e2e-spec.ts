import { Client as LangGraph } from '@langchain/langgraph-sdk';
import type { SubscriptionHandle, ThreadStream } from '@langchain/langgraph-sdk/client';
import { type Client, type TestSpace, until, usePlatform } from '@switchyard/testing';
import { REFUSED_THREADS, refusedBodies } from './support/langgraph-refusals';

const platform = usePlatform();
const WEATHER = {
  type: 'function',
  name: 'get_weather',
  description: 'The weather of a city.',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};
const CALL = '@@reply Let me look.\n@@tool get_weather {"city":"Oslo"}\n@@reply It is {{tool}}.';
const ASK =
  '@@tool ask_user {"kind":"single_choice","prompt":"Which?","options":["red","blue"]}\n@@reply Noted {{tool}}.';
const CHANNELS = ['messages', 'values', 'tools', 'input', 'lifecycle'] as const;

let space: TestSpace;
let key: Client;
let assistantId: string;
let client: LangGraph;

beforeAll(async () => {
  space = await platform.newSpace();
  key = await space.key({ scopes: ['*', 'approvals:answer'] });
  assistantId = await agentOf({ tools: ['ask_user'] });
  client = clientOf(key.credential);
});

const agentOf = async (more: object = {}): Promise<string> =>
  (await space.owner.post('/agents', { name: 'A', model: 'sim-chat', systemPrompt: 'You test.', ...more })).body.data
    .id;

const clientOf = (apiKey: string): LangGraph =>
  new LangGraph({ apiUrl: `${platform.url}/langgraph`, apiKey, callerOptions: { maxRetries: 0 } });

const user = (content: string, more: object = {}): object => ({ messages: [{ type: 'human', content }], ...more });

interface RunPart {
  seq: number;
  method: string;
  params: { data: Record<string, unknown> & { event?: string } };
}

/** Messages that a client shows, without withdrawn ones. */
function wordsIn(events: readonly RunPart[]): string[] {
  const texts = new Map<string, string>();
  let id = '';
  for (const { method, params } of events) {
    const { data } = params;
    if (method !== 'messages') continue;
    if (data.event === 'message-start') texts.set((id = String(data['id'])), '');
    const delta = data['delta'] as { type: string; text?: string } | undefined;
    if (delta?.type === 'text-delta') texts.set(id, `${texts.get(id) ?? ''}${delta.text ?? ''}`);
    if (data.event === 'error') texts.delete(id);
  }
  return [...texts.values()].filter((text) => text !== '');
}

type Subscription = SubscriptionHandle<never, unknown>;

/** Everything until the run ends, or waits for its client. The feed stays. */
async function rest(feed: Subscription): Promise<RunPart[]> {
  const events: RunPart[] = [];
  const iterator = feed[Symbol.asyncIterator]();
  for (let next = await iterator.next(); !next.done; next = await iterator.next()) {
    events.push(next.value as RunPart);
    if (isEnd(events.at(-1))) break;
  }
  return events;
}

async function threadOf(agentId = assistantId): Promise<{ id: string; thread: ThreadStream; feed: Subscription }> {
  const { thread_id: id } = await client.threads.create({ graphId: agentId });
  const thread = client.threads.stream(id, { assistantId: agentId });
  const feed = (await thread.subscribe({ channels: [...CHANNELS] })) as unknown as Subscription;
  return { id, thread, feed };
}

/** The events of a thread as they come over the wire, until its run ends or waits. */
async function wire(threadId: string, body: object = {}, headers: Record<string, string> = {}): Promise<RunPart[]> {
  const path = `/langgraph/threads/${threadId}/stream/events`;
  const { frames } = await key.rawStream('POST', path, { channels: CHANNELS, ...body }, { headers });
  const events: RunPart[] = [];
  for await (const { id, data } of frames) {
    events.push(data as RunPart);
    expect(id).toBe(String(events.at(-1)?.seq));
    if (isEnd(events.at(-1))) break;
  }
  return events;
}
const isEnd = (event: RunPart | undefined): boolean =>
  event?.method === 'lifecycle' && /completed|failed|interrupted/.test(String(event.params.data.event));

const turnOf = async (turnId: unknown, agentId = assistantId): Promise<{ status: string; sessionId: string }> =>
  (await space.owner.get(`/agents/${agentId}/turns/${String(turnId)}`)).body.data;
const ledgerOf = async (agentId: string): Promise<number> => {
  const { body } = await space.owner.get('/usage?groupBy=agent');
  return (body.data as { agent: string; tokens: number }[]).find((row) => row.agent === agentId)?.tokens ?? 0;
};

interface State {
  messages: { type: string; id: string; content: string }[];
}

describe('the client of LangGraph', () => {
  it('finds the agents that it may call', async () => {
    const found = await client.assistants.search({ limit: 100, name: 'a' });
    expect(found.map(({ assistant_id: id }) => id)).toContain(assistantId);
    expect(await client.assistants.get(assistantId)).toMatchObject({ assistant_id: assistantId, name: 'A' });
    const [first] = (await key.raw('POST', '/langgraph/assistants/search', {})).body;
    expect((await key.raw('GET', `/langgraph/assistants/${first.assistant_id}`)).body).toEqual(first);
    expect(await client.assistants.search({ graphId: assistantId, select: ['name'] })).toEqual([{ name: 'A' }]);
  });

  it('talks in a new thread, and hears every word once', async () => {
    const thread = client.threads.stream({ assistantId });
    // A feed made before the run receives all of it, however short it is.
    const { messages } = thread;
    const { run_id: runId } = await thread.run.start({ input: user('@@think hm\n@@reply one two three') });
    const feed: string[] = [];
    let thought = '';
    for await (const message of messages) {
      feed.push(await message.text);
      thought += await message.reasoning;
    }
    await thread.close();
    expect(feed).toEqual(['one two three']);
    expect(thought).toBe('hm');
    expect(await turnOf(runId)).toMatchObject({ sessionId: thread.threadId, status: 'COMPLETED' });
  });

  it('goes on in an open stream, has the state of the thread, and is charged what the ledger says', async () => {
    const own = await agentOf();
    const { id, thread, feed } = await threadOf(own);
    await thread.run.start({ input: user('@@reply One.') });
    const first = await rest(feed);
    const { run_id: second } = await thread.run.start({ input: user('@@reply Two.') });
    const more = await rest(feed);
    await thread.close();
    expect([wordsIn(first), wordsIn(more)]).toEqual([['One.'], ['Two.']]);
    const all = [...first, ...more];
    expect(all.map(({ seq }) => seq)).toEqual([...new Set(all.map(({ seq }) => seq))].sort((a, b) => a - b));

    const state = await client.threads.getState<State>(id);
    const { messages } = state.values;
    expect(messages.map(({ type, content }) => `${type} ${content}`)).toEqual([
      'human @@reply One.',
      'ai One.',
      'human @@reply Two.',
      'ai Two.',
    ]);
    expect(state).toMatchObject({ next: [], tasks: [], checkpoint: { thread_id: id, checkpoint_id: second } });
    // The stored messages equal the streamed ones.
    const values = all.findLast(({ method }) => method === 'values')?.params.data['messages'] as State['messages'];
    expect(values.map(({ type, id: name, content }) => [type, name, content])).toEqual(
      messages.map(({ type, id: name, content }) => [type, name, content]),
    );
    const history = await client.threads.getHistory<State>(id);
    expect(history.map((each) => each.values.messages.length)).toEqual([4, 2]);
    expect(history[0]?.parent_checkpoint).toEqual(history[1]?.checkpoint);
    // The client's fields equal the sent ones.
    expect((await key.raw('GET', `/langgraph/threads/${id}/state`)).body).toEqual(state);
    expect((await key.raw('POST', `/langgraph/threads/${id}/history`, {})).body).toEqual(history);
    expect((await key.raw('GET', `/langgraph/threads/${id}`)).status).toBe(200);
    expect(await client.threads.get(id)).toMatchObject({ thread_id: id, status: 'idle', metadata: { graph_id: own } });
    // Asked for as a new one, it is what it is.
    const existing = await client.threads.create({ threadId: id, ifExists: 'do_nothing' });
    expect(existing).toEqual(await client.threads.get(id));
    expect((existing.values as unknown as State).messages).toHaveLength(4);

    const used = all.reduce((sum, { params }) => {
      const usage = params.data.event === 'message-finish' ? params.data['usage'] : null;
      return sum + ((usage as { total_tokens: number } | null)?.total_tokens ?? 0);
    }, 0);
    expect(used).toBeGreaterThan(0);
    await until(async () => (await ledgerOf(own)) === used);
  });

  it('is told the same again, and goes on after every event that it may have lost', async () => {
    const { id, thread, feed } = await threadOf();
    await thread.run.start({ input: user('@@reply one two three') });
    await rest(feed);
    await thread.close();
    const whole = await wire(id);
    expect(wordsIn(whole)).toEqual(['one two three']);
    expect(await wire(id)).toEqual(whole);
    for (const [at, { seq }] of whole.slice(0, -1).entries()) {
      const again = at % 2 === 0 ? await wire(id, { since: seq }) : await wire(id, {}, { 'last-event-id': `${seq}` });
      expect([...whole.slice(0, at + 1), ...again]).toEqual(whole);
    }
    // Only what is asked for.
    const deaf = await wire(id, { channels: ['lifecycle'] });
    expect(deaf).toEqual(whole.filter(({ method }) => method === 'lifecycle'));
  });

  it('is interrupted by a question and by an approval, and answers both', async () => {
    const { id, thread, feed } = await threadOf();
    const { run_id: runId } = await thread.run.start({ input: user(ASK) });
    await rest(feed);
    expect(thread.interrupted).toBe(true);
    const [question] = thread.interrupts;
    const { prompt, options } = question?.payload as { prompt: string; options: { id: string }[] };
    expect(prompt).toBe('Which?');
    // A client that comes anew finds it in the state, and hears of it in the stream.
    const state = await client.threads.getState(id);
    expect(state.tasks[0]?.interrupts).toMatchObject([{ id: question?.interruptId, value: { prompt } }]);
    expect((await wire(id)).find(({ method }) => method === 'input.requested')?.params.data).toMatchObject({
      interrupt_id: question?.interruptId,
    });
    const response = { selectedOptionIds: [options[1]?.id], otherText: null };
    const answer = { namespace: [], interrupt_id: question?.interruptId ?? '', response };
    await thread.input.respond(answer);
    expect(wordsIn(await rest(feed)).join(' ')).toContain('blue');
    expect(await turnOf(runId)).toMatchObject({ status: 'COMPLETED' });
    // A repeat does not count again.
    await thread.input.respond(answer);
    await thread.close();

    const guarded = await agentOf({ approvals: [{ tool: 'get_weather' }] });
    const pending = await threadOf(guarded);
    await pending.thread.run.start({ input: user(CALL, { tools: [WEATHER] }) });
    await rest(pending.feed);
    const [approval] = pending.thread.interrupts;
    expect(approval?.payload).toMatchObject({ purpose: 'approval' });
    await pending.thread.input.respond({
      namespace: [],
      interrupt_id: approval?.interruptId ?? '',
      response: { selectedOptionIds: ['deny'], otherText: 'not today' },
    });
    expect(wordsIn(await rest(pending.feed)).join(' ')).toContain('not today');
    await pending.thread.close();
  });

  it('runs a tool of its own, known to this run alone', async () => {
    const { thread, feed } = await threadOf(await agentOf());
    await thread.run.start({ input: user(CALL, { tools: [WEATHER] }) });
    const first = await rest(feed);
    const [request] = thread.interrupts;
    const { toolCall } = request?.payload as { toolCall: { id: string; name: string; args: object } };
    expect(toolCall).toMatchObject({ name: 'get_weather', args: { city: 'Oslo' } });
    await thread.input.respond({
      namespace: [],
      interrupt_id: request?.interruptId ?? '',
      response: { [toolCall.id]: 'cold' },
    });
    const more = await rest(feed);
    await thread.close();
    expect(wordsIn(first)).toEqual(['Let me look.']);
    expect(wordsIn(more).join(' ')).toContain('cold');
    expect(
      [...first, ...more].filter(({ method }) => method === 'tools').map(({ params }) => params.data.event),
    ).toEqual(['tool-started', 'tool-finished']);
  });

  it('cancels what runs, by a command and as the client does when it stops', async () => {
    const { id, thread, feed } = await threadOf();
    const slow = user('@@delay 300\n@@tokens 200');
    const first = await thread.run.start({ input: slow });
    const cancel = { id: 7, method: 'run.cancel', params: {} };
    const answer = await key.raw('POST', `/langgraph/threads/${id}/commands`, cancel);
    expect(answer.body).toEqual({ type: 'success', id: 7, result: {} });
    expect((await rest(feed)).at(-1)?.params.data.event).toBe('interrupted');
    expect(await turnOf(first.run_id)).toMatchObject({ status: 'CANCELLED' });
    expect(await client.threads.getState(id)).toMatchObject({ next: [], tasks: [] });
    const { run_id: second = '' } = await thread.run.start({ input: slow });
    await client.runs.cancel(id, second);
    expect((await key.raw('POST', `/langgraph/threads/${id}/runs/${second}/cancel`)).body).toEqual({});
    await rest(feed);
    await thread.close();
    expect(await turnOf(second)).toMatchObject({ status: 'CANCELLED' });
  });

  it('runs a message that is sent again once, and one turn at a time', async () => {
    const { thread_id: id } = await client.threads.create();
    const command = (content: string, name?: string): Promise<{ status: number; body: { result?: object } }> =>
      key.raw('POST', `/langgraph/threads/${id}/commands`, {
        id: 1,
        method: 'run.start',
        params: { assistant_id: assistantId, input: { messages: [{ type: 'human', id: name, content }] } },
      });
    const [first, second] = [
      await command('@@delay 300\n@@tokens 200', 'a'),
      await command('@@delay 300\n@@tokens 200', 'a'),
    ];
    expect(second.body).toEqual(first.body);
    expect((await command('@@reply other', 'a')).status).toBe(409);
    expect((await command('@@reply more')).status).toBe(409);
    expect((await key.raw('POST', `/langgraph/threads/${id}/commands`, { id: 2, method: 'run.cancel' })).status).toBe(
      200,
    );
  });

  it('makes no thread for a run that is refused', async () => {
    const own = await agentOf({ localTools: [{ ...WEATHER, type: undefined }] });
    const threadId = crypto.randomUUID();
    const start = (more: object): ReturnType<Client['raw']> =>
      key.raw('POST', `/langgraph/threads/${threadId}/commands`, {
        id: 1,
        method: 'run.start',
        params: { assistant_id: own, input: user('@@reply one', more) },
      });
    // A tool of the agent's own name is refused by the agent.
    expect((await start({ tools: [WEATHER] })).status).toBe(400);
    await expect(client.threads.get(threadId)).rejects.toMatchObject({ status: 404 });
    expect((await start({})).status).toBe(200);
    await until(async () => (await client.threads.get(threadId)).status === 'idle');
    expect((await client.threads.getState<{ messages: unknown[] }>(threadId)).values.messages).toHaveLength(2);
  });

  it('is told of failures, and refused by the name of the field', async () => {
    const { id, thread, feed } = await threadOf();
    await thread.run.start({ input: user('@@error 500') });
    const last = (await rest(feed)).at(-1);
    expect(last?.params.data).toMatchObject({ event: 'failed', error: expect.any(String) });
    await expect(thread.run.start({ input: { messages: [] } })).rejects.toMatchObject({ status: 400 });
    await thread.close();

    for (const [path, body, field] of refusedBodies(assistantId)) {
      const answer = await key.raw('POST', `/langgraph/threads/${id}/${path}`, body);
      expect([answer.status, answer.body.details?.[0]?.path]).toEqual([400, field]);
      expect(answer.body).toMatchObject({ type: 'error', error: 'invalid_argument', success: false });
    }
    const respond = { id: 1, method: 'input.respond', params: { interrupt_id: crypto.randomUUID(), response: 'a' } };
    expect((await key.raw('POST', `/langgraph/threads/${id}/commands`, respond)).status).toBe(404);
    for (const [body, field] of REFUSED_THREADS) {
      const answer = await key.raw('POST', '/langgraph/threads', body);
      expect([answer.status, answer.body.details?.[0]?.path]).toEqual([400, field]);
    }
    await expect(client.threads.create({ threadId: id })).rejects.toMatchObject({ status: 409 });
    expect((await key.raw('POST', '/langgraph/threads', { thread_id: id })).status).toBe(409);
    expect((await key.raw('POST', '/langgraph/threads', { thread_id: id, if_exists: 'do_nothing' })).status).toBe(200);
    const missing = { metadata: { graph_id: crypto.randomUUID() } };
    expect((await key.raw('POST', '/langgraph/threads', missing)).status).toBe(404);
    expect(await client.threads.create({ threadId: id, ifExists: 'do_nothing' })).toMatchObject({ thread_id: id });
    const nobodys = crypto.randomUUID();
    await expect(client.threads.create({ graphId: nobodys })).rejects.toMatchObject({ status: 404 });
    await expect(client.assistants.get(nobodys)).rejects.toMatchObject({ status: 404 });
    const metadata = { metadata: { a: 1 } };
    expect((await key.raw('POST', '/langgraph/assistants/search', metadata)).body.details?.[0]?.path).toBe('metadata');
  });

  it('ends the stream of a thread when the rights of its reader change', async () => {
    const { thread_id: id } = await client.threads.create({ graphId: assistantId });
    const admin = await space.member('ADMIN');
    const stream = await admin.rawStream('POST', `/langgraph/threads/${id}/stream/events`, { channels: ['values'] });
    expect(stream.status).toBe(200);
    await space.owner.patch(`/spaces/${space.id}/members/${admin.identity.userId}`, { role: 'MEMBER' });
    // It stays open between turns: only its rights end it.
    await stream.all();
    expect((await admin.raw('GET', `/langgraph/threads/${id}`)).status).toBe(404);
  });

  it('means the turn of this thread where another one has the same name', async () => {
    const run = async (who: Client, threadId: string, runId: string, content: string): Promise<void> => {
      const messages = [{ id: 'a', role: 'user', content }];
      const body = { threadId, runId, messages, tools: [], context: [], state: {}, forwardedProps: {} };
      const { frames } = await who.rawStream('POST', `/ag-ui/${assistantId}`, body);
      for await (const _ of frames) break;
    };
    const [theirs, own, name] = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()];
    await run(await space.member(), theirs, name, '@@reply Theirs.');
    await until(async () => (await turnOf(name)).status === 'COMPLETED');
    await run(key, own, name, '@@delay 100\n@@tokens 30');
    expect(await turnOf(name)).toMatchObject({ sessionId: own });
    expect(wordsIn(await wire(theirs))).toEqual(['Theirs.']);
    await key.raw('POST', `/langgraph/threads/${theirs}/runs/${name}/cancel`);
    await until(async () => (await turnOf(name)).status !== 'RUNNING');
    expect((await turnOf(name)).status).toBe('COMPLETED');
  });

  it('finds nothing of others, and its key means something on this path alone', async () => {
    const { thread_id: id } = await client.threads.create({ graphId: assistantId });
    const member = await space.member();
    const other = await (await platform.newSpace()).key();
    for (const stranger of [member, other]) {
      for (const [method, path, body] of [
        ['GET', '', undefined],
        ['GET', '/state', undefined],
        ['POST', '/history', {}],
        ['POST', '/stream/events', { channels: ['values'] }],
        ['POST', '/commands', { id: 1, method: 'run.cancel' }],
        ['POST', '/commands', { id: 1, method: 'run.start', params: { assistant_id: assistantId, input: user('hi') } }],
        ['POST', `/runs/${id}/cancel`, undefined],
      ] as const)
        expect([path, (await stranger.raw(method, `/langgraph/threads/${id}${path}`, body)).status]).toEqual([
          path,
          404,
        ]);
    }
    const limited = await space.key({ limits: { agents: [] } });
    const start = { id: 1, method: 'run.start', params: { assistant_id: assistantId, input: user('hi') } };
    expect((await limited.raw('POST', `/langgraph/threads/${id}/commands`, start)).status).toBe(403);
    const headers = { 'x-api-key': key.credential };
    expect((await fetch(`${platform.url}/langgraph/threads/${id}`, { headers })).status).toBe(200);
    expect((await fetch(`${platform.url}/api/agents`, { headers })).status).toBe(401);
    expect((await fetch(`${platform.url}/openai/v1/models`, { headers })).status).toBe(401);
    await expect(clientOf('x'.repeat(40)).threads.get(id)).rejects.toMatchObject({ status: 401 });
  });
});
