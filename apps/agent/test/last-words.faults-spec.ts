import { randomUUID } from 'node:crypto';
import { PRODUCT_EVENTS } from '@switchyard/contracts';
import { type Client, type SseFrame, until, usePlatform } from '@switchyard/testing';
import { AGENT, framesOf, type StreamOutput, contentsOf, STREAM, type WireFrame } from './talk';

const platform = usePlatform();

const FORM = {
  kind: 'single_choice',
  prompt: 'Which?',
  options: [
    { id: 'a', label: 'A' },
    { id: 'b', label: 'B' },
  ],
};
const HOLD = { name: 'hold', description: 'holds', parameters: { type: 'object' } };
const WORDS = Array.from({ length: 80 }, (_, at) => `w${at}`).join(' ');
/** Longer than any of these tests: frames that are unsent when the process is killed are lost. */
const FOR_EVER_MS = 300_000;

/** A turn of which frames come, until they do not any more. */
interface Followed {
  turnId: string;
  raw: SseFrame[];
  over: Promise<unknown>;
  leave: () => void;
}

describe('a holder that is killed with its last words unsaid', () => {
  const agent = platform.service('agent');
  let owner: Client;
  let agentId: string;

  beforeAll(async () => {
    owner = (await platform.newSpace()).owner;
    agentId = (await owner.post('/agents', { ...AGENT, tools: ['ask_user', 'query_dataset'], localTools: [HOLD] })).body
      .data.id;
  });
  beforeEach(() => agent.ready());
  afterAll(() => agent.ready());

  async function follow(verb: 'chat' | 'execute', body: object): Promise<Followed> {
    const turnId = randomUUID();
    const abort = new AbortController();
    const stream = await owner.stream(
      `/agents/${agentId}/${verb}`,
      { ...body, ...(verb === 'chat' ? { turnId } : {}) },
      { headers: STREAM, signal: abort.signal },
    );
    const raw: SseFrame[] = [];
    const read = async (): Promise<void> => {
      for await (const frame of stream.frames) raw.push(frame);
    };
    const over = read();
    const started = await until(() =>
      framesOf(raw).frames.find(({ params }) => params.data.event === PRODUCT_EVENTS.sessionStarted),
    );
    return {
      turnId: started.params.data.turn_id as string,
      raw,
      over,
      leave: () => {
        abort.abort();
      },
    };
  }

  const wordsOf = ({ raw }: Followed): number =>
    framesOf(raw).events.filter((event) => /^(content|reasoning)-delta$/.test(event)).length;

  /** Lets each of them say some words, and then nothing more to anybody. */
  async function silence(turns: readonly Followed[]): Promise<void> {
    await until(() => turns.every((turn) => wordsOf(turn) >= 3));
    await agent.arm('agent.speaking', 'delay', { delayMs: FOR_EVER_MS });
  }

  const untilNone = (turns: readonly Followed[], where: string): Promise<unknown> =>
    until(
      async () => {
        const sql = `select 1 from session.turns where turn_id = any($1) and ${where}`;
        return (await platform.database.query(sql, [turns.map(({ turnId }) => turnId)])).length === 0;
      },
      { timeoutMs: 120_000 },
    );

  const replayOf = async (turnId: string): Promise<StreamOutput> =>
    framesOf(await (await owner.stream(`/agents/${agentId}/turns/${turnId}/stream`)).all());

  /** Text by message, of any kind; and what was begun and finished, how often. */
  function outputOf(output: StreamOutput): { texts: string[]; thoughts: string; counts: Record<string, number> } {
    const texts = new Map<string, string>();
    const counts: Record<string, number> = {};
    let thoughts = '';
    for (const { method, params } of output.frames) {
      const { event, delta, message_id: id } = params.data;
      if (event === PRODUCT_EVENTS.contentDelta) texts.set(id, `${texts.get(id) ?? ''}${delta}`);
      else if (event === PRODUCT_EVENTS.reasoningDelta) thoughts += String(delta);
      else if (method === 'messages' || method === 'tools') counts[event] = (counts[event] ?? 0) + 1;
    }
    return { texts: [...texts.values()], thoughts, counts };
  }

  function expectWhole(output: StreamOutput, status: string): void {
    expect(output.frames.map(({ seq }) => seq)).toEqual(output.frames.map((_, at) => at + 1));
    expect(output.frames.at(-1)?.params.data).toEqual({ event: PRODUCT_EVENTS.streamEnded, status });
    expect(output.events.filter((event) => event === PRODUCT_EVENTS.stepRestarted)).toEqual([]);
    const { counts } = outputOf(output);
    expect(counts['message-finish']).toBe(counts['message-start']);
    expect(counts['content-block-finish']).toBe(counts['content-block-start']);
    const finished = output.frames.filter(({ params }) => params.data.event === 'content-block-finish');
    const texts = finished.flatMap(({ params }) => params.data.content.text ?? []);
    expect(texts).toEqual(outputOf(output).texts);
  }

  const dataOf = ({ frames }: StreamOutput, event: string): WireFrame['params']['data'] =>
    frames.find(({ params }) => params.data.event === event)?.params.data;

  const resume = ({ turnId }: Followed, interactionId: string, sessionId: string): ReturnType<Client['stream']> =>
    owner.stream(
      `/agents/${agentId}/turns/${turnId}/resume`,
      { sessionId, interactionId, selectedOptionIds: ['a'], otherText: null },
      { headers: STREAM },
    );

  it('has them said, as they are stored, to all who follow and to all who come', async () => {
    const chat = (text: string): Promise<Followed> => follow('chat', contentsOf(`@@delay 50\n${text}`));
    const turns = await Promise.all([
      chat('@@tokens 80'),
      chat(`@@think ${WORDS}\n@@reply Let me look.\n@@tool query_dataset {"datasetId":"none"}\n@@reply Nothing there.`),
      follow('execute', { inputs: { query: '@@delay 50\n@@tokens 80' }, stream: true }),
      chat(`@@reply ${WORDS}\n@@tool ask_user ${JSON.stringify(FORM)}\n@@reply chosen`),
      chat('@@tokens 4000'),
    ]);
    const [plain, thinking, executed, asking, cancelled] = turns;
    await silence(turns);
    expect((await owner.post(`/agents/${agentId}/turns/${cancelled.turnId}/cancel`, {})).status).toBe(200);
    await untilNone(turns, `status = 'RUNNING'`);
    const before = turns.map(({ raw }) => raw.length);
    expect(turns.filter(({ raw }) => framesOf(raw).events.includes(PRODUCT_EVENTS.streamEnded))).toEqual([]);
    await agent.kill('SIGKILL');
    await Promise.all(turns.map(({ over }) => over));
    const output = turns.map(({ raw }) => framesOf(raw));
    for (const [at, { frames }] of output.entries()) expect(frames.length).toBeGreaterThan(before[at] ?? 0);
    const again = await Promise.all(turns.map(({ turnId }) => Promise.all([replayOf(turnId), replayOf(turnId)])));
    for (const [at, replays] of again.entries())
      for (const { frames } of replays) expect(frames).toEqual(output[at]?.frames);

    const result = async ({ turnId }: Followed): Promise<{ answer: string; reasoning: string }> => {
      const sql = 'select result from session.turns where turn_id = $1';
      return (await platform.database.query(sql, [turnId]))[0]?.['result'] as { answer: string; reasoning: string };
    };
    for (const turn of [plain, executed]) {
      expectWhole(framesOf(turn.raw), 'COMPLETED');
      // The frames are those that its holder wrote, and not made again from the text.
      expect(wordsOf(turn)).toBeGreaterThan(40);
      const { answer } = await result(turn);
      expect(answer.split(' ')).toHaveLength(80);
      expect(outputOf(framesOf(turn.raw)).texts).toEqual([answer]);
    }
    expectWhole(framesOf(thinking.raw), 'COMPLETED');
    const much = outputOf(framesOf(thinking.raw));
    expect(much.texts).toEqual(['Let me look.', 'Nothing there.']);
    expect(much.thoughts).toBe(WORDS);
    expect(much.counts).toMatchObject({ 'message-start': 2, 'tool-started': 1, 'tool-error': 1 });
    expectWhole(framesOf(cancelled.raw), 'CANCELLED');
    expect(outputOf(framesOf(cancelled.raw)).texts).toEqual([(await result(cancelled)).answer]);

    expectWhole(framesOf(asking.raw), 'WAITING_INPUT');
    expect(outputOf(framesOf(asking.raw)).texts).toEqual([WORDS]);
    const first = framesOf(asking.raw);
    const { interaction } = dataOf(first, PRODUCT_EVENTS.agentInputRequired);
    const { session_id } = dataOf(first, PRODUCT_EVENTS.sessionStarted);
    const second = framesOf(await (await resume(asking, interaction.id as string, session_id as string)).all());
    const both = await replayOf(asking.turnId);
    expect(both.frames.slice(-second.frames.length)).toEqual(second.frames);
    expect(both.frames.slice(0, first.frames.length)).toEqual(first.frames);
    expectWhole(both, 'COMPLETED');
    expect(outputOf(both).texts).toEqual([WORDS, 'chosen']);
  }, 300_000);

  it('has them said after a pause, where nothing was heard of what followed it', async () => {
    const asking = await follow(
      'chat',
      contentsOf(`@@reply ${WORDS}\n@@tool ask_user ${JSON.stringify(FORM)}\n@@reply chosen`),
    );
    await asking.over;
    const first = framesOf(asking.raw);
    await agent.arm('agent.speaking', 'delay', { delayMs: FOR_EVER_MS });
    const { interaction } = dataOf(first, PRODUCT_EVENTS.agentInputRequired);
    const { session_id: sessionId } = dataOf(first, PRODUCT_EVENTS.sessionStarted);
    const resumed = resume(asking, interaction.id as string, sessionId as string).catch(() => null);
    await untilNone([asking], `status <> 'COMPLETED'`);
    await agent.kill('SIGKILL');
    await agent.ready();
    await (await resumed)?.all().catch(() => undefined);
    const whole = await replayOf(asking.turnId);
    expect(whole.frames.slice(0, first.frames.length)).toEqual(first.frames);
    expectWhole(whole, 'COMPLETED');
    expect(outputOf(whole).texts).toEqual([WORDS, 'chosen']);
    expect(await replayOf(asking.turnId)).toEqual(whole);
  }, 300_000);

  it('has all of them said, where nothing was heard at all: by readers, and by the next holder', async () => {
    await agent.arm('agent.speaking', 'delay', { delayMs: FOR_EVER_MS });
    const begin = (text: string): { turnId: string; over: Promise<unknown> } => {
      const turnId = randomUUID();
      const body = { ...contentsOf(text), turnId };
      const stream = owner.stream(`/agents/${agentId}/chat`, body, { headers: STREAM });
      return { turnId, over: stream.then((opened) => opened.all()).catch(() => undefined) };
    };
    const ended = begin(`@@reply ${WORDS}`);
    const holding = begin(`@@reply ${WORDS}\n@@tool hold {}\n@@reply held`);
    const isIn = (turnId: string, where: string): Promise<unknown> =>
      until(async () => {
        const sql = `select 1 from session.turns where turn_id = $1 and ${where}`;
        return (await platform.database.query(sql, [turnId])).length > 0;
      });
    await isIn(ended.turnId, `status = 'COMPLETED'`);
    await isIn(holding.turnId, `state->'state'->>'phase' = 'tools'`);
    await agent.kill('SIGKILL');
    await agent.ready();
    const replayed = await replayOf(ended.turnId);
    expectWhole(replayed, 'COMPLETED');
    expect(outputOf(replayed).texts).toEqual([WORDS]);
    const callId = await until(async () => {
      const sql =
        'select call_id from session.tool_results r join session.turns t on t.id = r.turn_key where t.turn_id = $1';
      return (await platform.database.query(sql, [holding.turnId]))[0]?.['call_id'];
    });
    const path = `/agents/${agentId}/turns/${holding.turnId}/tool-results`;
    await until(async () => (await owner.post(path, { callId, result: 'go on' })).status === 200);
    await isIn(holding.turnId, `status = 'COMPLETED'`);
    await Promise.all([ended.over, holding.over]);
    const both = await replayOf(holding.turnId);
    expect(both.frames.map(({ seq }) => seq)).toEqual(both.frames.map((_, at) => at + 1));
    expect(outputOf(both).texts).toEqual([WORDS, 'held']);
    expect(outputOf(both).counts).toMatchObject({ 'message-start': 2, 'message-finish': 2, 'tool-started': 1 });
  }, 300_000);

  it('has all frames of a pause stored, if the turn is resumed before they were handed to the log', async () => {
    const turnId = randomUUID();
    const body = { ...contentsOf(`@@tool ask_user ${JSON.stringify(FORM)}\n@@reply chosen`), turnId };
    await agent.arm('agent.speaking', 'delay', { delayMs: 6_000 });
    const first = owner.stream(`/agents/${agentId}/chat`, body, { headers: STREAM }).then((opened) => opened.all());
    const sql = `select session_id from session.turns where turn_id = $1 and status = 'WAITING_INPUT'`;
    const sessionId = await until(
      async () => (await platform.database.query(sql, [turnId]))[0]?.['session_id'] as string,
    );
    const pending = await owner.get(`/agents/${agentId}/sessions/${sessionId}/interactions/pending`);
    const selected = { sessionId, interactionId: pending.body.data[0].id, selectedOptionIds: ['a'], otherText: null };
    const resumed = owner.stream(`/agents/${agentId}/turns/${turnId}/resume`, selected, { headers: STREAM });
    const second = framesOf(await (await resumed).all());
    const both = [...framesOf(await first).frames, ...second.frames];
    expect(both.map(({ seq }) => seq)).toEqual(both.map((_, at) => at + 1));
    // Not out of its memory.
    await agent.crash();
    await agent.ready();
    expect((await replayOf(turnId)).frames).toEqual(both);
  }, 300_000);

  it('has them said by the next holder, where the turn goes on', async () => {
    const chat = (text: string): Promise<Followed> =>
      follow('chat', contentsOf(`@@delay 50\n@@reply ${WORDS}\n${text}`));
    const holding = await chat('@@tool hold {}\n@@reply held');
    const asking = await chat(`@@tool ask_user ${JSON.stringify(FORM)}\n@@reply chosen`);
    await silence([holding, asking]);
    await untilNone([holding], `state->'state'->>'phase' is distinct from 'tools'`);
    await untilNone([asking], `status <> 'WAITING_INPUT'`);
    // The end of the pause is not requested before the answer.
    asking.leave();
    await asking.over.catch(() => undefined);
    await agent.kill('SIGKILL');
    await agent.ready();
    const sessionId = dataOf(framesOf(asking.raw), PRODUCT_EVENTS.sessionStarted).session_id as string;
    const pending = await owner.get(`/agents/${agentId}/sessions/${sessionId}/interactions/pending`);
    const [resumed] = await Promise.all([
      resume(asking, pending.body.data[0].id as string, sessionId).then((stream) => stream.all()),
      until(async () => {
        const callId = dataOf(framesOf(holding.raw), PRODUCT_EVENTS.localToolCall)?.call_id as string;
        const path = `/agents/${agentId}/turns/${holding.turnId}/tool-results`;
        return (await owner.post(path, { callId, result: 'go on' })).status === 200;
      }),
    ]);
    await holding.over;

    const pausedOutput = framesOf(holding.raw);
    expect(pausedOutput.frames).toEqual((await replayOf(holding.turnId)).frames);
    expect(outputOf(pausedOutput).texts).toEqual([WORDS, 'held']);
    expect(wordsOf(holding)).toBeGreaterThan(40);
    expect(outputOf(pausedOutput).counts).toMatchObject({ 'message-start': 2, 'message-finish': 2, 'tool-started': 1 });
    // Nothing of what was heard is void.
    const restarted = pausedOutput.frames.find(({ params }) => params.data.event === PRODUCT_EVENTS.stepRestarted);
    expect(restarted?.params.data.from_seq).toBe(restarted?.seq);

    const both = await replayOf(asking.turnId);
    expect(both.frames.slice(-resumed.length)).toEqual(framesOf(resumed).frames);
    expect(outputOf(both).texts).toEqual([WORDS, 'chosen']);
    expect(outputOf(both).counts).toMatchObject({ 'message-start': 2, 'message-finish': 2, 'tool-started': 1 });
  }, 300_000);
});
