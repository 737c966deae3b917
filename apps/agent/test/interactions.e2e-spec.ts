import { randomUUID } from 'node:crypto';
import { PRODUCT_EVENTS } from '@switchyard/contracts';
import { type Client, type TestSpace, until, usePlatform } from '@switchyard/testing';
import { AGENT, framesOf, type StreamOutput, contentsOf, STREAM } from './talk';

const platform = usePlatform();

const SINGLE = {
  kind: 'single_choice',
  prompt: 'Which?',
  options: [
    { id: 'a', label: 'Apple' },
    { id: 'b', label: 'Pear', description: 'green' },
  ],
};
const MULTIPLE = {
  kind: 'multiple_choice',
  prompt: 'Which ones?',
  options: SINGLE.options,
  allowOther: true,
  minSelections: 1,
  maxSelections: 2,
};

const ask = (form: object, after = '@@reply chosen {{tool}}'): ReturnType<typeof contentsOf> =>
  contentsOf(`@@tool ask_user ${JSON.stringify(form)}\n${after}`);

describe('questions of a turn', () => {
  let space: TestSpace;
  let owner: Client;
  let agentId: string;

  beforeAll(async () => {
    space = await platform.newSpace();
    owner = space.owner;
    agentId = (await owner.post('/agents', { ...AGENT, tools: ['ask_user'] })).body.data.id;
  });

  interface Paused {
    turnId: string;
    sessionId: string;
    // oxlint-disable-next-line typescript/no-explicit-any
    interaction: any;
    output: StreamOutput;
  }

  async function pause(form: object = SINGLE, client = owner): Promise<Paused> {
    const turnId = randomUUID();
    const stream = await client.stream(`/agents/${agentId}/chat`, { ...ask(form), turnId }, { headers: STREAM });
    const output = framesOf(await stream.all());
    const interaction = output.frames.find((frame) => frame.params.data.event === PRODUCT_EVENTS.agentInputRequired)
      ?.params.data.interaction;
    return { turnId, sessionId: output.frames[1]?.params.data.session_id, interaction, output };
  }

  const answer = (paused: Paused, selectedOptionIds: string[], otherText: string | null = null): object => ({
    sessionId: paused.sessionId,
    interactionId: paused.interaction.id,
    selectedOptionIds,
    otherText,
  });

  const resume = (paused: Paused, body: object, client = owner): ReturnType<Client['stream']> =>
    client.stream(`/agents/${agentId}/turns/${paused.turnId}/resume`, body, { headers: STREAM });

  it('pauses with the question, and goes on with the same numbering when it is answered', async () => {
    const paused = await pause();
    expect(paused.interaction).toMatchObject({
      kind: 'single_choice',
      prompt: 'Which?',
      options: SINGLE.options,
      allowOther: false,
      status: 'PENDING',
      turnId: paused.turnId,
    });
    expect(paused.output.events.slice(-4)).toEqual([
      undefined,
      PRODUCT_EVENTS.agentInputRequired,
      'interrupted',
      PRODUCT_EVENTS.streamEnded,
    ]);
    const input = paused.output.frames.find((frame) => frame.method === 'input');
    expect(input?.params.data).toMatchObject({ interruptId: paused.interaction.id, payload: paused.interaction });
    expect(paused.output.frames.at(-1)?.params.data.status).toBe('WAITING_INPUT');
    expect((await owner.get(`/agents/${agentId}/turns/${paused.turnId}`)).body.data.status).toBe('WAITING_INPUT');
    const pending = await owner.get(`/agents/${agentId}/sessions/${paused.sessionId}/interactions/pending`);
    expect(pending.body.data).toHaveLength(1);

    const resumed = await resume(paused, answer(paused, ['b']));
    expect(resumed.status).toBe(200);
    expect(resumed.headers['x-service-stream-protocol']).toBe('stream-v3');
    const { frames, text, events } = framesOf(await resumed.all());
    const before = paused.output.frames.length;
    expect(frames.map((frame) => frame.seq)).toEqual(frames.map((_, at) => before + at + 1));
    expect(text).toContain('chosen');
    expect(text).toContain('Pear');
    expect(events.slice(-3)).toEqual([PRODUCT_EVENTS.responseCompleted, 'completed', PRODUCT_EVENTS.streamEnded]);
    expect((await owner.get(`/agents/${agentId}/sessions/${paused.sessionId}/interactions/pending`)).body.data).toEqual(
      [],
    );

    const replay = framesOf(
      await (await owner.stream(`/agents/${agentId}/turns/${paused.turnId}/stream`, undefined)).all(),
    );
    expect(replay.frames).toEqual([...paused.output.frames, ...frames]);
  });

  it('gives one of parallel answers the stream and the others the choice that counted', async () => {
    const paused = await pause();
    const replies = await Promise.all(Array.from({ length: 8 }, () => resume(paused, answer(paused, ['a']))));
    const streams = replies.filter((reply) => reply.headers['content-type']?.startsWith('text/event-stream'));
    expect(streams).toHaveLength(1);
    for (const reply of replies.filter((candidate) => !streams.includes(candidate))) {
      expect(reply.status).toBe(200);
      expect(reply.body).toMatchObject({
        success: true,
        data: {
          idempotent: true,
          turn_id: paused.turnId,
          interaction: { selectedOptionIds: ['a'], status: 'ANSWERED' },
        },
      });
    }
    const { events } = framesOf(await (streams[0] ?? fail()).all());
    expect(events.filter((event) => event === PRODUCT_EVENTS.responseCompleted)).toHaveLength(1);
    const messages = await owner.get(`/agents/sessions/${paused.sessionId}/messages`);
    expect(messages.body.data.filter((message: { role: string }) => message.role === 'tool')).toHaveLength(1);
  });

  it('takes several options and own words where the form allows them', async () => {
    const paused = await pause(MULTIPLE);
    const resumed = await resume(paused, answer(paused, ['a'], 'a plum as well'));
    expect(framesOf(await resumed.all()).text).toContain('a plum as well');
  });

  it('refuses answers that are none', async () => {
    const paused = await pause();
    const refusals: [object, number][] = [
      [answer(paused, ['c']), 400],
      [answer(paused, []), 400],
      [answer(paused, ['a', 'b']), 400],
      [answer(paused, ['a'], 'words'), 400],
      [{ ...answer(paused, ['a']), interactionId: randomUUID() }, 404],
      [{ ...answer(paused, ['a']), sessionId: randomUUID() }, 404],
      [{ ...answer(paused, ['a']), extra: 1 }, 400],
    ];
    for (const [body, status] of refusals) expect((await resume(paused, body)).status).toBe(status);
    expect((await owner.post(`/agents/${agentId}/turns/${paused.turnId}/resume`, answer(paused, ['a']))).status).toBe(
      426,
    );
    expect((await resume({ ...paused, turnId: randomUUID() }, answer(paused, ['a']))).status).toBe(404);
    const other = await space.member('MEMBER');
    expect((await resume(paused, answer(paused, ['a']), other)).status).toBe(404);
    expect((await resume(paused, answer(paused, ['a']))).status).toBe(200);
  });

  it('answers a call that does not stream with the pending question', async () => {
    const reply = await owner.post(`/agents/${agentId}/chat`, { ...ask(SINGLE), stream: false });
    expect(reply.status).toBe(200);
    expect(reply.body.data).toMatchObject({
      status: 'WAITING_INPUT',
      interaction: { kind: 'single_choice', status: 'PENDING' },
    });
    const second = await owner.post(`/agents/${agentId}/chat`, {
      ...contentsOf('x'),
      session_id: reply.body.data.session_id,
      stream: false,
    });
    expect(second.status).toBe(409);
  });

  it('cancels while it waits, and the question with it', async () => {
    const paused = await pause();
    const cancelled = await owner.post(`/agents/${agentId}/turns/${paused.turnId}/cancel`, {
      sessionId: paused.sessionId,
    });
    expect(cancelled.status).toBe(200);
    const replay = framesOf(
      await (
        await owner.stream(
          `/agents/${agentId}/turns/${paused.turnId}/stream?after=${paused.output.frames.length}`,
          undefined,
        )
      ).all(),
    );
    expect(replay.frames.at(-1)?.params.data).toEqual({ event: PRODUCT_EVENTS.streamEnded, status: 'CANCELLED' });
    expect(replay.events.slice(-2)).toEqual(['interrupted', PRODUCT_EVENTS.streamEnded]);
    const late = await resume(paused, answer(paused, ['a']));
    expect(late.status).toBe(409);
    expect(late.body.code).toBe('INTERACTION_NOT_PENDING');
  });

  it('wait for tokens that are gone, and are answered when they are back', async () => {
    const poor = await platform.newSpace();
    const { id } = (await poor.owner.post('/agents', { ...AGENT, tools: ['ask_user'] })).body.data;
    const paused = (await poor.owner.post(`/agents/${id}/chat`, { ...ask(SINGLE), stream: false })).body.data;
    const pay = async (tokens: number): Promise<number> => (await poor.credit(tokens)).status;
    const { balance } = (await poor.owner.get('/usage/balance')).body.data;
    expect(await pay(-balance)).toBe(201);
    const body = {
      sessionId: paused.session_id,
      interactionId: paused.interaction.id,
      selectedOptionIds: ['a'],
      otherText: null,
    };
    const answerIt = () => poor.owner.post(`/agents/${id}/turns/${paused.turn_id}/resume`, body, { headers: STREAM });
    const refused = await answerIt();
    expect([refused.status, refused.body.code]).toEqual([402, 'INSUFFICIENT_TOKENS']);
    const pending = `/agents/${id}/sessions/${paused.session_id}/interactions/pending`;
    expect((await poor.owner.get(pending)).body.data).toHaveLength(1);
    await pay(balance);
    expect((await answerIt()).status).toBe(200);
    await pay(-balance);
    expect((await answerIt()).body.data).toMatchObject({ idempotent: true });
  });

  it('keep their choice when going on with it would exceed the request cap', async () => {
    const tight = await platform.newSpace();
    const { id } = (await tight.owner.post('/agents', { ...AGENT, tools: ['ask_user'] })).body.data;
    const form = { ...SINGLE, allowOther: true };
    const paused = (await tight.owner.post(`/agents/${id}/chat`, { ...ask(form), stream: false })).body.data;
    const capped = (requestTokenCap: number) =>
      tight.owner.patch(`/spaces/${tight.id}`, { settings: { requestTokenCap } });
    const isCapped = async (): Promise<boolean> =>
      (await tight.owner.post(`/agents/${id}/chat`, { ...contentsOf('word '.repeat(3_000)), stream: false })).status ===
      400;
    await capped(2_000);
    await until(isCapped);
    const answerIt = (otherText: string) =>
      tight.owner.post(
        `/agents/${id}/turns/${paused.turn_id}/resume`,
        { sessionId: paused.session_id, interactionId: paused.interaction.id, selectedOptionIds: [], otherText },
        { headers: STREAM },
      );
    const refused = await answerIt('word '.repeat(1_999));
    expect([refused.status, refused.body.code]).toEqual([400, 'REQUEST_TOO_LARGE']);
    expect((await tight.owner.get(`/agents/${id}/turns/${paused.turn_id}`)).body.data.status).toBe('WAITING_INPUT');
    const pending = `/agents/${id}/sessions/${paused.session_id}/interactions/pending`;
    expect((await tight.owner.get(pending)).body.data).toMatchObject([{ status: 'PENDING' }]);
    expect((await answerIt('short')).status).toBe(200);
    await until(
      async () => (await tight.owner.get(`/agents/${id}/turns/${paused.turn_id}`)).body.data.status === 'COMPLETED',
    );
  });

  it('keep their choice over the request cap also where a compaction may come first and makes no room', async () => {
    const tight = await platform.newSpace();
    const { id } = (await tight.owner.post('/agents', { ...AGENT, tools: ['ask_user'] })).body.data;
    const first = await tight.owner.post(`/agents/${id}/chat`, { ...contentsOf('@@reply noted'), stream: false });
    const { session_id } = first.body.data;
    const again = { ...ask(SINGLE), session_id, stream: false };
    const paused = (await tight.owner.post(`/agents/${id}/chat`, again)).body.data;
    expect(paused.status).toBe('WAITING_INPUT');
    // More than the share of the window from which a compaction may be due, and less than the one from which it is made.
    await platform.database.query(
      `update session.messages set tokens = 98800, counted = true where session_id = $1 and seq = 1`,
      [session_id],
    );
    const capped = (requestTokenCap: number) =>
      tight.owner.patch(`/spaces/${tight.id}`, { settings: { requestTokenCap } });
    const isCapped = async (): Promise<boolean> =>
      (await tight.owner.post(`/agents/${id}/chat`, { ...contentsOf('word '.repeat(3_000)), stream: false })).status ===
      400;
    await capped(20);
    await until(isCapped);
    const answerIt = () =>
      tight.owner.post(
        `/agents/${id}/turns/${paused.turn_id}/resume`,
        { sessionId: session_id, interactionId: paused.interaction.id, selectedOptionIds: ['a'], otherText: null },
        { headers: STREAM },
      );
    const refused = await answerIt();
    expect([refused.status, refused.body.code]).toEqual([400, 'REQUEST_TOO_LARGE']);
    expect((await tight.owner.get(`/agents/${id}/turns/${paused.turn_id}`)).body.data.status).toBe('WAITING_INPUT');
    await capped(128_000);
    await until(async () => !(await isCapped()));
    expect((await answerIt()).status).toBe(200);
    await until(
      async () => (await tight.owner.get(`/agents/${id}/turns/${paused.turn_id}`)).body.data.status === 'COMPLETED',
    );
  });

  it('pay for a compaction that comes before an answer once, however often the answer is refused', async () => {
    const tight = await platform.newSpace();
    const { id } = (await tight.owner.post('/agents', { ...AGENT, tools: ['ask_user'] })).body.data;
    const first = await tight.owner.post(`/agents/${id}/chat`, { ...contentsOf('@@reply noted'), stream: false });
    const { session_id } = first.body.data;
    const long = `${'word '.repeat(3_000)}\n@@tool ask_user ${JSON.stringify(SINGLE)}`;
    const paused = (await tight.owner.post(`/agents/${id}/chat`, { ...contentsOf(long), session_id, stream: false }))
      .body.data;
    expect(paused.status).toBe('WAITING_INPUT');
    // A compaction is due; the question alone is over the cap, and a summary is not.
    await platform.database.query(
      `update session.messages set tokens = 104000, counted = true where session_id = $1 and seq = 1`,
      [session_id],
    );
    await tight.owner.patch(`/spaces/${tight.id}`, { settings: { requestTokenCap: 2_000 } });
    const answerIt = () =>
      tight.owner.post(
        `/agents/${id}/turns/${paused.turn_id}/resume`,
        { sessionId: session_id, interactionId: paused.interaction.id, selectedOptionIds: ['a'], otherText: null },
        { headers: STREAM },
      );
    await until(
      async () => (await tight.owner.post(`/agents/${id}/chat`, { ...contentsOf(long), stream: false })).status === 400,
    );
    for (let times = 0; times < 3; times += 1) {
      const refused = await answerIt();
      expect([refused.status, refused.body.code]).toEqual([400, 'REQUEST_TOO_LARGE']);
    }
    const paid = async (): Promise<{ source: string }[]> =>
      (await tight.owner.get('/usage/ledger')).body.data.filter(
        ({ source }: { source: string }) => source === 'compaction',
      );
    await until(async () => (await paid()).length > 0);
    expect(await paid()).toHaveLength(1);
  });

  it('tells the model that no person can be asked', async () => {
    const reply = await owner.post(`/agents/${agentId}/execute`, {
      inputs: { query: `@@tool ask_user ${JSON.stringify(SINGLE)}\n@@reply went on: {{tool}}` },
    });
    expect(reply.status).toBe(200);
    expect(reply.body.answer).toContain('INTERACTION_REQUIRED');
    const inputs = { query: `@@tool ask_user ${JSON.stringify(SINGLE)}\n@@reply on` };
    const stream = await owner.stream(`/agents/${agentId}/execute`, { inputs, stream: true }, { headers: STREAM });
    const tools = framesOf(await stream.all()).frames.filter(({ method }) => method === 'tools');
    expect(tools.map(({ params }) => [params.data.event, params.data.code])).toEqual([
      ['tool-started', undefined],
      ['tool-error', 'INTERACTION_REQUIRED'],
    ]);
  });

  it('asks two questions of one step one after the other', async () => {
    const turnId = randomUUID();
    const text = `@@tool ask_user ${JSON.stringify(SINGLE)}\n@@tool ask_user ${JSON.stringify(MULTIPLE)}\n@@reply both`;
    const first = framesOf(
      await (await owner.stream(`/agents/${agentId}/chat`, { ...contentsOf(text), turnId }, { headers: STREAM })).all(),
    );
    const sessionId = first.frames[1]?.params.data.session_id as string;
    let output = first;
    for (const choice of ['a', 'b']) {
      const interaction = output.frames.find((frame) => frame.method === 'input')?.params.data.payload;
      const body = { sessionId, interactionId: interaction.id, selectedOptionIds: [choice], otherText: null };
      output = framesOf(
        await (await owner.stream(`/agents/${agentId}/turns/${turnId}/resume`, body, { headers: STREAM })).all(),
      );
    }
    expect(output.text).toContain('both');
    expect(output.events.at(-1)).toBe(PRODUCT_EVENTS.streamEnded);
  });

  it('takes own words alone for a single choice that allows them, and nothing beyond the bounds of a multiple one', async () => {
    const single = await pause({ ...SINGLE, allowOther: true });
    expect(single.interaction.allowOther).toBe(true);
    for (const body of [answer(single, []), answer(single, ['a'], 'and words'), answer(single, [], '  ')])
      expect((await resume(single, body)).status).toBe(400);
    expect(framesOf(await (await resume(single, answer(single, [], 'a plum'))).all()).text).toContain('a plum');

    const several = await pause({ ...MULTIPLE, minSelections: 2, maxSelections: 2 });
    expect(several.interaction).toMatchObject({ kind: 'multiple_choice', minSelections: 2, maxSelections: 2 });
    for (const body of [answer(several, []), answer(several, ['a']), answer(several, ['a', 'a'])])
      expect((await resume(several, body)).status).toBe(400);
    expect((await resume(several, answer(several, ['a', 'b'], 'a plum'))).status).toBe(400);
    for (const body of [
      { ...answer(several, ['a', 'b']), interactionId: 'x' },
      { ...answer(several, ['a', 'b']), selectedOptionIds: 'a' },
      { sessionId: several.sessionId, selectedOptionIds: ['a', 'b'] },
    ])
      expect((await resume(several, body)).status).toBe(400);
    const { text } = framesOf(await (await resume(several, answer(several, ['a', 'b']))).all());
    expect(text).toContain('Apple');
    expect(text).toContain('Pear');
  });

  it('tells the model what is no question, and goes on', async () => {
    const reply = await owner.post(`/agents/${agentId}/chat`, {
      ...ask({ kind: 'essay', prompt: 'Why?' }),
      stream: false,
    });
    expect(reply.body.data).toMatchObject({
      status: 'COMPLETED',
      tool_executions: [{ name: 'ask_user', status: 'failed', error: { code: 'INVALID_ARGUMENTS' } }],
    });
  });
});
