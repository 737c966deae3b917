import { randomUUID } from 'node:crypto';
import { PRODUCT_EVENTS } from '@switchyard/contracts';
import { type Client, type StreamReply, type TestSpace, expectWithin, until, usePlatform } from '@switchyard/testing';
import { AGENT, framesOf, contentsOf, STREAM } from './talk';

const platform = usePlatform();

describe('the tools of an agent', () => {
  let space: TestSpace;
  let owner: Client;
  let datasetId: string;

  beforeAll(async () => {
    space = await platform.newSpace();
    owner = space.owner;
    const fields = [
      { name: 'title', type: 'string', fullText: true, vector: true },
      { name: 'price', type: 'number' },
    ];
    datasetId = (await owner.post('/datasets', { name: 'goods', schema: { fields } })).body.data.id;
    await owner.post(`/datasets/${datasetId}/data/insert`, {
      records: [
        { title: 'red apple', price: 1 },
        { title: 'blue car', price: 9000 },
      ],
    });
  });

  const agent = async (body: object): Promise<string> =>
    (await owner.post('/agents', { ...AGENT, ...body })).body.data.id;
  const tool = (name: string, args: object, after = '@@reply got {{tool}}'): string =>
    `@@tool ${name} ${JSON.stringify(args)}\n${after}`;
  const chat = async (id: string, text: string, more: object = {}, client = owner) =>
    (await client.post(`/agents/${id}/chat`, { ...contentsOf(text), ...more, stream: false })).body.data;

  it('read datasets', async () => {
    const id = await agent({ tools: ['search_datasets', 'query_dataset'] });
    const searched = await chat(id, tool('search_datasets', { datasetId, query: 'apple', topK: 1 }));
    expect(searched.answer).toContain('red apple');
    const queried = await chat(id, tool('query_dataset', { datasetId, filter: { price: { gt: 100 } } }));
    expect(queried.answer).toContain('blue car');
    expect(queried.tool_executions).toEqual([
      expect.objectContaining({
        name: 'query_dataset',
        source: 'builtin',
        status: 'succeeded',
        arguments: expect.anything(),
        result: expect.anything(),
        duration_ms: expect.any(Number),
      }),
    ]);
    const foreign = await chat(id, tool('query_dataset', { datasetId: randomUUID() }));
    expect(foreign.answer).toContain('NOT_FOUND');
  });

  it('write datasets, but not when the user only asks, and not for people who may not', async () => {
    const id = await agent({ tools: ['write_dataset'] });
    const write = tool('write_dataset', {
      datasetId,
      operation: 'insert',
      records: [{ title: 'green pear', price: 2 }],
    });
    const count = async (): Promise<number> =>
      (await owner.post(`/datasets/${datasetId}/data/count`, { filter: { title: 'green pear' } })).body.data.count;
    const reply = await chat(id, write, { settings: { chat_mode: 'ask' } });
    expect(reply.tool_executions[0]).toMatchObject({ status: 'skipped' });
    expect(await count()).toBe(0);
    const viewer = await space.member('VIEWER');
    expect((await chat(id, write, {}, viewer)).answer).toContain('FORBIDDEN');
    expect(await count()).toBe(0);
    expect((await chat(id, write)).tool_executions[0]).toMatchObject({ status: 'succeeded' });
    expect(await count()).toBe(1);
    const counted = await chat(id, tool('write_dataset', { datasetId, operation: 'count', filter: { price: 2 } }));
    expect(counted.tool_executions[0]).toMatchObject({ status: 'succeeded', result: { count: 1 } });
  });

  it('are only those that the agent has', async () => {
    const id = await agent({ tools: [] });
    const reply = await chat(id, tool('write_dataset', { datasetId, operation: 'delete', all: true }));
    expect(reply.answer).toContain('TOOL_NOT_FOUND');
    expect(reply.status).toBe('COMPLETED');
  });

  it('run side by side, and their frames pair up', async () => {
    const id = await agent({ tools: ['query_dataset', 'search_datasets'] });
    const text = `${tool('query_dataset', { datasetId }, '')}${tool('search_datasets', { datasetId, query: 'car' })}`;
    const { frames } = framesOf(
      await (await owner.stream(`/agents/${id}/chat`, contentsOf(text), { headers: STREAM })).all(),
    );
    const started = frames
      .filter((frame) => frame.params.data.event === 'tool-started')
      .map((frame) => frame.params.data);
    const finished = frames
      .filter((frame) => frame.params.data.event === 'tool-finished')
      .map((frame) => frame.params.data);
    expect(started).toHaveLength(2);
    expect(started[0]).toMatchObject({ toolName: 'query_dataset', tool_name: 'query_dataset', input: { datasetId } });
    expect(finished.map((data) => data.toolCallId).sort()).toEqual(started.map((data) => data.toolCallId).sort());
    const shown = frames
      .filter((frame) => frame.params.data.event === PRODUCT_EVENTS.toolExecution)
      .map((frame) => frame.params.data.status);
    expect(shown).toEqual(['started', 'started', 'succeeded', 'succeeded']);
  });

  it('of the host are answered by the host', async () => {
    const id = await agent({
      localTools: [{ name: 'read_clock', description: 'the time', parameters: { type: 'object' } }],
    });
    const turnId = randomUUID();
    const stream = await owner.stream(
      `/agents/${id}/chat`,
      { ...contentsOf(tool('read_clock', { zone: 'UTC' })), turnId },
      { headers: STREAM },
    );
    const output = [];
    let sessionId = '';
    for await (const frame of stream.frames) {
      output.push(frame);
      const { data } = frame.data.params;
      if (data.event === PRODUCT_EVENTS.sessionStarted) sessionId = data.session_id;
      if (data.event !== PRODUCT_EVENTS.localToolCall) continue;
      expect(data).toMatchObject({
        name: 'read_clock',
        arguments: { zone: 'UTC' },
        call_id: expect.any(String),
        expires_at: expect.any(String),
      });
      const results = `/agents/${id}/turns/${turnId}/tool-results`;
      expect((await owner.post(results, { sessionId, callId: 'other', result: 1 })).status).toBe(404);
      for (const given of [{}, { result: 1, error: 'x' }]) {
        const refused = await owner.post(results, { sessionId, callId: data.call_id, ...given });
        expect(refused.status).toBe(400);
        expect(refused.body).toMatchObject({ code: 'VALIDATION_ERROR', details: [{ path: 'result' }] });
      }
      expect((await owner.post(results, { sessionId, callId: data.call_id, result: { time: '12:34' } })).status).toBe(
        200,
      );
      expect((await owner.post(results, { sessionId, callId: data.call_id, result: { time: '00:00' } })).status).toBe(
        409,
      );
    }
    expect(framesOf(output).text).toContain('12:34');
  });

  it('of the host may fail, and the model is told', async () => {
    const id = await agent({
      localTools: [{ name: 'read_clock', description: 'the time', parameters: { type: 'object' } }],
    });
    const turnId = randomUUID();
    const stream = await owner.stream(
      `/agents/${id}/chat`,
      { ...contentsOf(tool('read_clock', {})), turnId },
      { headers: STREAM },
    );
    const output = [];
    for await (const frame of stream.frames) {
      output.push(frame);
      const { data } = frame.data.params;
      if (data.event === PRODUCT_EVENTS.localToolCall) {
        const sessionId = output[1]?.data.params.data.session_id;
        await owner.post(`/agents/${id}/turns/${turnId}/tool-results`, {
          sessionId,
          callId: data.call_id,
          error: 'no clock here',
        });
      }
    }
    expect(framesOf(output).text).toContain('no clock here');
  });

  it('come after what the knowledge of the agent says', async () => {
    const id = await agent({ knowledge: [{ datasetId, topK: 1 }] });
    const { frames } = framesOf(
      await (
        await owner.stream(`/agents/${id}/chat`, contentsOf('tell me of the red apple'), { headers: STREAM })
      ).all(),
    );
    const evidence = frames.find((frame) => frame.params.data.event === PRODUCT_EVENTS.knowledgeEvidence)?.params.data;
    expect(evidence.items).toEqual([
      {
        dataset_id: datasetId,
        record_id: expect.any(String),
        score: expect.any(Number),
        text: expect.stringContaining('red apple'),
        fields: { title: 'red apple', price: 1 },
      },
    ]);
    const once = await chat(id, 'red apple');
    expect(once.evidence).toEqual([{ ...evidence.items[0], score: expect.any(Number) }]);
    const { data: messages } = (await owner.get(`/agents/sessions/${once.session_id}/messages`)).body;
    expect(messages.map(({ role }: { role: string }) => role)).toEqual(['user', 'event', 'assistant']);
    expect(messages[1].event).toEqual({ type: PRODUCT_EVENTS.knowledgeEvidence, items: once.evidence });
    const status = await owner.post(`/agents/${id}/sessions/${once.session_id}/context/status`, {});
    expect(status.body.data.message_count).toBe(2);
    const eventsOf = async (inputs: object): Promise<string[]> =>
      framesOf(await (await owner.stream(`/agents/${id}/execute`, { inputs, stream: true })).all()).events;
    expect(await eventsOf({ query: 'red apple', context: true })).toContain(PRODUCT_EVENTS.knowledgeEvidence);
    expect(await eventsOf({ query: 'red apple', context: false })).not.toContain(PRODUCT_EVENTS.knowledgeEvidence);
    const plain = await owner.post(`/agents/${id}/execute`, { inputs: { query: 'red apple' } });
    const informed = await owner.post(`/agents/${id}/execute`, { inputs: { query: 'red apple', context: true } });
    expect(informed.body.token_usage.prompt_tokens).toBeGreaterThan(plain.body.token_usage.prompt_tokens);
  });

  it('start tasks, but not when the user only asks, and not for a viewer', async () => {
    const task = await owner.post('/tasks', {
      name: 'noop',
      type: 'MANUAL',
      steps: [{ id: 'one', type: 'transform', with: { a: 1 } }],
    });
    const id = await agent({ tools: ['run_task'] });
    const reply = await chat(id, tool('run_task', { taskId: task.body.data.id }));
    expect(reply.tool_executions[0]).toMatchObject({
      status: 'succeeded',
      result: { executionId: expect.any(String) },
    });
    const run = tool('run_task', { taskId: task.body.data.id });
    expect((await chat(id, run, { settings: { chat_mode: 'ask' } })).tool_executions[0].status).toBe('skipped');
    expect((await chat(id, run, { settings: { chat_mode: 'agent' } })).tool_executions[0].status).toBe('succeeded');
    expect((await chat(id, run, {}, await space.member('VIEWER'))).answer).toContain('FORBIDDEN');
    expect((await owner.get(`/tasks/${task.body.data.id}/executions`)).body.data).toHaveLength(2);
  });

  it('emit events of installed applications, as often as they say so', async () => {
    const identifier = `shop-${randomUUID().slice(0, 8)}`;
    const schema = { type: 'object', properties: { orderId: { type: 'string' } }, required: ['orderId'] };
    const manifest = { identifier, name: 'Shop', version: '1.0.0', events: [{ name: 'order.paid', schema }] };
    expect((await owner.post('/applications', { manifest })).status).toBe(201);
    const id = await agent({ tools: ['emit_event'] });
    const emit = (payload: object, more: object = {}, client = owner) =>
      chat(id, tool('emit_event', { appIdentifier: identifier, event: 'order.paid', payload }), more, client);
    const reply = await emit({ orderId: 'A1' });
    expect(reply.tool_executions[0]).toMatchObject({
      source: 'builtin',
      status: 'succeeded',
      result: { envelopeId: expect.any(String), duplicate: false },
    });
    const { envelopeId } = reply.tool_executions[0].result;
    expect((await owner.get(`/events/envelopes/${envelopeId}`)).body.data).toMatchObject({
      event: 'order.paid',
      payload: { orderId: 'A1' },
      // One more than the run that emitted it, as with tasks: loops are counted.
      depth: 1,
      actorUserId: owner.identity.userId,
    });
    expect((await emit({})).tool_executions[0]).toMatchObject({
      status: 'failed',
      error: { code: 'EVENT_PAYLOAD_INVALID' },
    });
    expect((await emit({ orderId: 'A2' }, { settings: { chat_mode: 'ask' } })).tool_executions[0].status).toBe(
      'skipped',
    );
    const viewer = await space.member('VIEWER');
    expect((await emit({ orderId: 'A3' }, {}, viewer)).tool_executions[0]).toMatchObject({
      status: 'failed',
      error: { code: 'FORBIDDEN' },
    });
    const emitted = await owner.get(`/events/envelopes?appIdentifier=${identifier}`);
    expect(emitted.body.data).toHaveLength(1);
  });

  it('of the host are answered also where nothing is stored', async () => {
    const localTools = [{ name: 'read_clock', description: 'the time', parameters: { type: 'object' } }];
    const id = await agent({ localTools });
    const stream = await owner.stream(`/agents/${id}/execute`, {
      inputs: { query: tool('read_clock', {}) },
      stream: true,
    });
    const turnId = stream.headers['x-turn-id'];
    const output = [];
    for await (const frame of stream.frames) {
      output.push(frame);
      const { data } = frame.data.params;
      if (data.event === PRODUCT_EVENTS.sessionStarted)
        expect(data).toMatchObject({ session_id: null, turn_id: turnId });
      if (data.event !== PRODUCT_EVENTS.localToolCall) continue;
      const results = `/agents/${id}/turns/${turnId}/tool-results`;
      const answer = { sessionId: null, callId: data.call_id, result: '12:34' };
      expect((await owner.post(results, { ...answer, sessionId: randomUUID() })).status).toBe(404);
      expect((await (await space.member()).post(results, answer)).status).toBe(404);
      expect((await owner.post(results, answer)).status).toBe(200);
    }
    const { text, frames } = framesOf(output);
    expect(text).toContain('12:34');
    expect(
      frames.find((frame) => frame.params.data.event === PRODUCT_EVENTS.responseCompleted)?.params.data.result,
    ).toMatchObject({
      answer: expect.stringContaining('12:34'),
    });
    expect((await owner.get(`/agents/${id}/turns/${turnId}`)).body.data).toMatchObject({
      status: 'COMPLETED',
      sessionId: null,
    });
  });

  it('of the host are waited for also by a reader that comes later and hears nothing at first', async () => {
    const localTools = [{ name: 'read_clock', description: 'the time', parameters: { type: 'object' } }];
    const id = await agent({ localTools });
    const turnId = randomUUID();
    const answered = owner.post(`/agents/${id}/chat`, { ...contentsOf(tool('read_clock', {})), turnId, stream: false });
    const path = `/agents/${id}/turns/${turnId}/stream`;
    await until(async () => (await owner.get(`/agents/${id}/turns/${turnId}`)).status === 200);
    let callId = '';
    let seq = 0;
    for await (const { data } of (await owner.stream(path, undefined)).frames) {
      seq = data.seq;
      callId = data.params.data.call_id ?? '';
      if (callId !== '') break;
    }
    const quiet: StreamReply[] = [];
    await expectWithin(2_500, async () => {
      const requestedAt = Date.now();
      quiet.push(await owner.stream(`${path}?after=${seq}`, undefined));
      return Date.now() - requestedAt;
    });
    for (const { status, headers } of quiet)
      expect([status, headers['content-type']]).toEqual([200, 'text/event-stream; charset=utf-8']);
    await owner.post(`/agents/${id}/turns/${turnId}/tool-results`, { callId, result: 'late' });
    for (const reply of quiet) {
      const rest = framesOf(await reply.all());
      expect(rest.frames[0]?.seq).toBe(seq + 1);
      expect(rest.events.at(-1)).toBe(PRODUCT_EVENTS.streamEnded);
    }
    expect((await answered).body.data.answer).toContain('late');
  });

  it('of the host take a result in the form that is asked for, for their own turn', async () => {
    const localTools = [{ name: 'read_clock', description: 'the time', parameters: { type: 'object' } }];
    const id = await agent({ localTools });
    const turnId = randomUUID();
    const body = { ...contentsOf(`@@tool read_clock {"n": 1}\n@@tool read_clock {"n": 2}\n@@reply done`), turnId };
    const stream = await owner.stream(`/agents/${id}/chat`, body, { headers: STREAM });
    const calls: Record<string, number> = {};
    const output = [];
    for await (const frame of stream.frames) {
      output.push(frame);
      const { data } = frame.data.params;
      if (data.event !== PRODUCT_EVENTS.localToolCall) continue;
      expect(Object.keys(data).sort()).toEqual(['arguments', 'call_id', 'event', 'expires_at', 'name']);
      expect(Date.parse(data.expires_at) - Date.now()).toBeLessThanOrEqual(300_000);
      expect(Date.parse(data.expires_at) - Date.now()).toBeGreaterThan(240_000);
      calls[data.call_id] = data.arguments.n;
      if (Object.keys(calls).length < 2) continue;
      const results = `/agents/${id}/turns/${turnId}/tool-results`;
      const sessionId = output[1]?.data.params.data.session_id;
      const [callId = '', other = ''] = Object.keys(calls);
      const post = (answer: object, path = results) => owner.post(path, { sessionId, callId, ...answer });
      for (const bad of [{ error: { code: 'X' } }, { callId: 5 }, { sessionId: 'x' }, { output: 1 }, { error: '' }])
        expect((await post({ result: 1, ...bad })).status).toBe(400);
      expect((await post({ result: 1 }, `/agents/${id}/turns/${randomUUID()}/tool-results`)).status).toBe(404);
      expect((await post({ result: 1 }, results.replace(id, await agent({})))).status).toBe(404);
      expect((await post({ result: 1, sessionId: randomUUID() })).status).toBe(404);
      expect((await (await space.member()).post(results, { sessionId, callId, result: 1 })).status).toBe(404);
      // Of equal results at one moment one counts.
      const twins = await Promise.all(Array.from({ length: 5 }, () => post({ result: null })));
      expect(twins.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409]);
      expect(twins.find(({ status }) => status === 200)?.body).toEqual({
        success: true,
        message: expect.any(String),
        data: { turn_id: turnId, call_id: callId },
      });
      expect(twins.find(({ status }) => status === 409)?.body.code).toBe('CONFLICT');
      await post({ callId: other, error: 'broken' });
    }
    const { frames, events } = framesOf(output);
    expect(Object.values(calls).sort()).toEqual([1, 2]);
    expect(events.at(-1)).toBe(PRODUCT_EVENTS.streamEnded);
    const ends = frames.map(({ params }) => params.data).filter(({ event }) => event === PRODUCT_EVENTS.toolExecution);
    // Results that come close together may be heard in either order.
    const over = ends.filter(({ status }) => status !== 'started');
    expect(over.sort((a, b) => b.status.localeCompare(a.status))).toEqual([
      expect.objectContaining({ source: 'local', status: 'succeeded', result: null }),
      expect.objectContaining({
        source: 'local',
        status: 'failed',
        error: { code: 'LOCAL_TOOL_FAILED', message: 'broken' },
      }),
    ]);
  });
});
