import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PRODUCT_EVENTS } from '@switchyard/contracts';
import { type Client, until, usePlatform } from '@switchyard/testing';
import { AGENT, framesOf, contentsOf, STREAM } from './talk';

const platform = usePlatform();

/** Minutes and days of the defaults, in seconds; and a deployment that searches the web. */
describe('a turn in a deployment of short patience', () => {
  let owner: Client;
  let search: Server;
  const searched: { query: string | null; authorization: string | undefined }[] = [];

  beforeAll(async () => {
    search = createServer((request, response) => {
      const { searchParams } = new URL(request.url ?? '', 'http://search');
      searched.push({ query: searchParams.get('q'), authorization: request.headers.authorization });
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ results: [{ title: 'Porto', url: 'http://porto.example', content: 'a city' }] }));
    });
    await new Promise<void>((resolve) => search.listen(0, '127.0.0.1', resolve));
    owner = (await platform.newSpace()).owner;
    await Promise.all([
      platform.service('agent').restart({
        TURN_TIMEOUT_MS: '8000',
        LOCAL_TOOL_TIMEOUT_MS: '1000',
        WEB_SEARCH_URL: `http://127.0.0.1:${(search.address() as AddressInfo).port}/?q={query}`,
        WEB_SEARCH_KEY: 'search-key',
      }),
      platform.service('session').restart({ SESSION_INTERACTION_DAYS: '0.00002', SESSION_SWEEP_INTERVAL_MS: '100' }),
    ]);
  });

  afterAll(async () => {
    search.close();
    await Promise.all(['agent', 'session'].map((name) => platform.service(name).restart()));
  });

  const agent = async (body: object = {}): Promise<string> =>
    (await owner.post('/agents', { ...AGENT, ...body })).body.data.id;
  const stream = async (id: string, body: object) =>
    framesOf(await (await owner.stream(`/agents/${id}/chat`, body, { headers: STREAM })).all());

  it('ends when it has worked for as long as a turn may, and keeps what it has said', async () => {
    const id = await agent();
    const turnId = randomUUID();
    const { frames, events, text } = await stream(id, { ...contentsOf('@@delay 100\n@@tokens 300'), turnId });
    expect(events.slice(-3)).toEqual([PRODUCT_EVENTS.errorOccurred, 'failed', PRODUCT_EVENTS.streamEnded]);
    expect(frames.at(-3)?.params.data).toMatchObject({ code: 'TIMEOUT', message: expect.any(String), retryable: true });
    const sessionId = frames[1]?.params.data.session_id as string;
    const { data } = (await owner.get(`/agents/sessions/${sessionId}/messages`)).body;
    const answer = data.find((message: { role: string }) => message.role === 'assistant');
    expect(answer).toMatchObject({ content: [{ type: 'text', text }], finishReason: 'error' });
    expect((await owner.get(`/agents/${id}/turns/${turnId}`)).body.data).toMatchObject({
      status: 'FAILED',
      error: { code: 'TIMEOUT' },
    });
    expect(
      (await owner.post(`/agents/${id}/chat`, { ...contentsOf('next'), session_id: sessionId, stream: false })).status,
    ).toBe(200);
    const slow = await owner.post(`/agents/${id}/execute`, { inputs: { query: '@@delay 100\n@@tokens 300' } });
    expect([slow.status, slow.body.code]).toEqual([504, 'TIMEOUT']);
  });

  it('goes on without a tool of the host that is never run', async () => {
    const localTools = [{ name: 'read_clock', description: 'the time', parameters: { type: 'object' } }];
    const id = await agent({ localTools });
    const turnId = randomUUID();
    const { frames, text } = await stream(id, { ...contentsOf('@@tool read_clock {}\n@@reply so {{tool}}'), turnId });
    const call = frames.find((frame) => frame.params.data.event === PRODUCT_EVENTS.localToolCall)?.params.data;
    expect(Date.parse(call.expires_at as string)).toBeGreaterThan(Date.now() - 60_000);
    expect(text).toContain('LOCAL_TOOL_TIMEOUT');
    expect(frames.at(-1)?.params.data.status).toBe('COMPLETED');
    const late = await owner.post(`/agents/${id}/turns/${turnId}/tool-results`, {
      sessionId: frames[1]?.params.data.session_id,
      callId: call.call_id,
      result: 'too late',
    });
    expect([late.status, late.body.code]).toEqual([409, 'CONFLICT']);
    const waited = await owner.post(`/agents/${id}/chat`, {
      ...contentsOf('@@tool read_clock {}\n@@reply ok'),
      stream: false,
    });
    expect(waited.body.data.tool_executions[0]).toMatchObject({
      status: 'failed',
      source: 'local',
      error: { code: 'LOCAL_TOOL_TIMEOUT' },
    });
  });

  it('is over when its question expires', async () => {
    const id = await agent({ tools: ['ask_user'] });
    const form = { kind: 'single_choice', prompt: 'Which?', options: [{ id: 'a', label: 'A' }] };
    const turnId = randomUUID();
    const body = { ...contentsOf(`@@tool ask_user ${JSON.stringify(form)}`), turnId };
    const { frames } = await stream(id, body);
    const { interaction } = frames.find((frame) => frame.params.data.event === PRODUCT_EVENTS.agentInputRequired)
      ?.params.data;
    expect(Date.parse(interaction.expiresAt) - Date.parse(interaction.createdAt)).toBe(1728);
    const turn = `/agents/${id}/turns/${turnId}`;
    await until(async () => (await owner.get(turn)).body.data.status === 'CANCELLED');
    const replay = framesOf(await (await owner.stream(`${turn}/stream?after=${frames.length}`, undefined)).all());
    expect(replay.events.slice(-2)).toEqual(['interrupted', PRODUCT_EVENTS.streamEnded]);
    expect(replay.frames.at(-1)?.params.data.status).toBe('CANCELLED');
    const { sessionId } = interaction;
    expect((await owner.get(`/agents/${id}/sessions/${sessionId}/interactions/pending`)).body.data).toEqual([]);
    const answer = { sessionId, interactionId: interaction.id, selectedOptionIds: ['a'], otherText: null };
    const late = await owner.post(`${turn}/resume`, answer, { headers: STREAM });
    expect([late.status, late.body.code]).toEqual([409, 'INTERACTION_NOT_PENDING']);
    expect(
      (await owner.post(`/agents/${id}/chat`, { ...contentsOf('next'), session_id: sessionId, stream: false })).status,
    ).toBe(200);
  });

  it('searches the web where it may', async () => {
    const id = await agent({ tools: ['web_search'] });
    const text = '@@tool web_search {"query": "porto & more"}\n@@reply found {{tool}}';
    const chat = (settings: object = {}) =>
      owner.post(`/agents/${id}/chat`, { ...contentsOf(text), settings, stream: false });
    const found = { status: 'succeeded', result: [{ title: 'Porto', url: 'http://porto.example', snippet: 'a city' }] };
    expect((await chat()).body.data.tool_executions[0]).toMatchObject({ source: 'builtin', ...found });
    expect(searched.at(-1)).toEqual({ query: 'porto & more', authorization: 'Bearer search-key' });
    // It only reads: it is no action.
    expect((await chat({ chat_mode: 'ask' })).body.data.tool_executions[0]).toMatchObject(found);
    expect((await chat({ disable_web_search: true })).body.data.tool_executions[0]).toMatchObject({
      status: 'failed',
      error: { code: 'TOOL_NOT_FOUND' },
    });
    const execute = async (inputs: object) =>
      (await owner.post(`/agents/${id}/execute`, { inputs: { query: text, ...inputs } })).body.answer;
    expect(await execute({ internet: true })).toContain('Porto');
    expect(await execute({})).toContain('TOOL_NOT_FOUND');
  });

  it('searches the web for a job that brings the contents of a chat', async () => {
    const agentId = await agent({ tools: ['web_search'] });
    const answerOf = async (settings: object): Promise<string> => {
      const input = { ...contentsOf('@@tool web_search {"query": "jobs"}\n@@reply found {{tool}}'), settings };
      const job = (await owner.post('/agent-jobs', { type: 'AGENT_INVOKE', agentId, input })).body.data;
      return until(async () => (await owner.get(`/agent-jobs/${job.id}`)).body.data.result?.answer, {
        timeoutMs: 120_000,
      });
    };
    expect(await answerOf({})).toContain('Porto');
    expect(await answerOf({ disable_web_search: true })).toContain('TOOL_NOT_FOUND');
  }, 300_000);
});
