import { randomUUID } from 'node:crypto';
import { PRODUCT_EVENTS } from '@switchyard/contracts';
import { type Client, type TestSpace, until, usePlatform } from '@switchyard/testing';
import { AGENT, framesOf, type StreamOutput, contentsOf, STREAM, type WireFrame } from './talk';

const platform = usePlatform();
let space: TestSpace;
let owner: Client;
let agentId: string;

beforeAll(async () => {
  space = await platform.newSpace();
  owner = space.owner;
  agentId = (await owner.post('/agents', AGENT)).body.data.id;
});

const eventIs =
  (name: string) =>
  (frame: WireFrame): boolean =>
    frame.params.data.event === name;
const thoughtsOf = ({ frames }: StreamOutput): string =>
  frames
    .filter(eventIs(PRODUCT_EVENTS.reasoningDelta))
    .map((frame) => frame.params.data.delta as string)
    .join('');
const stream = async (text: string, turnId: string = randomUUID()): Promise<StreamOutput> =>
  framesOf(
    await (await owner.stream(`/agents/${agentId}/chat`, { ...contentsOf(text), turnId }, { headers: STREAM })).all(),
  );
const chat = async (text: string, sessionId?: string) =>
  (
    await owner.post(`/agents/${agentId}/chat`, {
      ...contentsOf(text),
      stream: false,
      ...(sessionId === undefined ? {} : { session_id: sessionId }),
    })
  ).body.data;
const messagesOf = async (sessionId: string, client = owner) =>
  (await client.get(`/agents/sessions/${sessionId}/messages`)).body.data;

describe('what a model thinks', () => {
  it.each(['think', 'reasoning'])('is streamed beside the answer and kept with it: @@%s', async (directive) => {
    const turnId = randomUUID();
    const output = await stream(`@@${directive} Let me see now\n@@reply It is four`, turnId);
    expect(thoughtsOf(output)).toBe('Let me see now');
    expect(output.text).toBe('It is four');
    expect(output.frames.map(({ seq }) => seq)).toEqual(output.frames.map((_, at) => at + 1));
    const first = output.frames.find(eventIs(PRODUCT_EVENTS.reasoningDelta));
    const started = output.frames.find(eventIs(PRODUCT_EVENTS.sessionStarted))?.params.data;
    const [, answer] = await messagesOf(started.session_id);
    expect(answer).toMatchObject({
      id: first?.params.data.message_id,
      content: [{ type: 'text', text: 'It is four' }],
      reasoning: 'Let me see now',
    });
    const replay = await owner.stream(`/agents/${agentId}/turns/${turnId}/stream`);
    expect(framesOf(await replay.all()).frames).toEqual(output.frames);
  });

  it('is in the results of calls that do not stream, and counts in the usage', async () => {
    const reply = await chat('@@think one two three\n@@reply four');
    expect(reply).toMatchObject({ answer: 'four', reasoning: 'one two three' });
    expect(reply.token_usage.completion_tokens).toBe(4);
    const inputs = { query: '@@think one two\n@@reply three' };
    const ran = (await owner.post(`/agents/${agentId}/execute`, { inputs })).body;
    expect(ran).toMatchObject({ answer: 'three', reasoning: 'one two', token_usage: { completion_tokens: 3 } });
    const streamed = framesOf(
      await (await owner.stream(`/agents/${agentId}/execute`, { inputs, stream: true }, { headers: STREAM })).all(),
    );
    expect(streamed.frames.find(eventIs(PRODUCT_EVENTS.responseCompleted))?.params.data.result.reasoning).toBe(
      'one two',
    );
    const plain = await chat('@@reply nothing thought');
    expect(plain).not.toHaveProperty('reasoning');
    expect((await messagesOf(plain.session_id))[1]).not.toHaveProperty('reasoning');
  });

  it('is in the result of a job', async () => {
    const input = { inputs: { query: '@@think slowly\n@@reply done' } };
    const { id } = (await owner.post('/agent-jobs', { type: 'AGENT_INVOKE', agentId, input })).body.data;
    const job = await until(async () => {
      const { data } = (await owner.get(`/agent-jobs/${id}`)).body;
      return data.phase === 'SUCCEEDED' && data;
    });
    expect(job.result).toMatchObject({ answer: 'done', reasoning: 'slowly' });
  });

  it('stands beside each answer of a turn, and together in its result', async () => {
    const reply = await chat('@@think first\n@@tool nobody_has_it {}\n@@think second\n@@reply done');
    expect(reply.reasoning).toBe('first\n\nsecond');
    const stored = (await messagesOf(reply.session_id)).filter(({ role }: { role: string }) => role === 'assistant');
    expect(stored.map(({ reasoning }: { reasoning: string }) => reasoning)).toEqual(['first', 'second']);
  });

  it('is read on from the middle, without a gap', async () => {
    const turnId = randomUUID();
    const body = { ...contentsOf('@@delay 40\n@@think a b c d e f g h i j k l\n@@reply end'), turnId };
    const opened = await owner.stream(`/agents/${agentId}/chat`, body, { headers: STREAM });
    let middle = 0;
    for await (const { data } of opened.frames) {
      const frame = data as WireFrame;
      if (eventIs(PRODUCT_EVENTS.reasoningDelta)(frame) && frame.params.data.delta === ' c') {
        middle = frame.seq;
        break;
      }
    }
    const path = `/agents/${agentId}/turns/${turnId}/stream`;
    const rest = framesOf(await (await owner.stream(`${path}?after=${middle}`)).all());
    const whole = framesOf(await (await owner.stream(path)).all());
    expect(rest.frames[0]?.seq).toBe(middle + 1);
    expect(thoughtsOf(rest)).toBe(' d e f g h i j k l');
    expect(rest.frames).toEqual(whole.frames.slice(middle));
    expect(thoughtsOf(whole)).toBe('a b c d e f g h i j k l');
  });

  it('stays in the transcript of a turn that is cancelled before it speaks, and the session goes on', async () => {
    const turnId = randomUUID();
    const body = { ...contentsOf('@@delay 100\n@@think a b c d e f g h i j k l m n o p\n@@tokens 200'), turnId };
    const opened = await owner.stream(`/agents/${agentId}/chat`, body, { headers: STREAM });
    const raw = [];
    let sessionId = '';
    for await (const frame of opened.frames) {
      raw.push(frame);
      const { event, session_id: id, delta } = (frame.data as WireFrame).params.data;
      if (event === PRODUCT_EVENTS.sessionStarted) sessionId = id;
      if (event === PRODUCT_EVENTS.reasoningDelta && delta === ' b')
        void owner.post(`/agents/${agentId}/turns/${turnId}/cancel`, { sessionId });
    }
    const output = framesOf(raw);
    expect(output.frames.at(-1)?.params.data).toEqual({ event: PRODUCT_EVENTS.streamEnded, status: 'CANCELLED' });
    expect(output.text).toBe('');
    const [, stored] = await messagesOf(sessionId);
    expect(stored).toMatchObject({ content: [], reasoning: thoughtsOf(output), finishReason: 'cancelled' });
    expect(await chat('@@reply Here again', sessionId)).toMatchObject({ status: 'COMPLETED', answer: 'Here again' });
  });

  it('goes back into no model call', async () => {
    const body = `@@think ${'much thought '.repeat(40)}\n@@reply Ok`;
    const words = (text: string): number => text.trim().split(/\s+/).length;
    const first = await chat(body);
    const second = await chat('@@reply Two', first.session_id);
    // The simulator counts every word that it is sent, thoughts of earlier answers too.
    const prompt = words(AGENT.systemPrompt) + words(body);
    expect(first.token_usage.prompt_tokens).toBe(prompt);
    expect(second.token_usage.prompt_tokens).toBe(prompt + words('Ok') + words('@@reply Two'));
  });

  it('is copied by a fork, and not shown to users who may not read the session', async () => {
    const reply = await chat('@@think private\n@@reply public');
    const fork = (await owner.post(`/agents/sessions/${reply.session_id}/fork`, {})).body.data;
    expect((await messagesOf(fork.id))[1].reasoning).toBe('private');
    const member = await space.member();
    expect((await member.get(`/agents/sessions/${reply.session_id}/messages`)).status).toBe(404);
    expect((await member.get(`/agents/${agentId}/turns/${reply.turn_id}/stream`)).status).toBe(404);
  });
});
