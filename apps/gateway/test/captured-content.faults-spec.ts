import { randomBytes } from 'node:crypto';
import { type TestSpace, hasCanary, until, usePlatform } from '@switchyard/testing';
import { EffectsServer } from '../../../proof/faults/approvals/effects-server';
import { type SeenSpan, TraceCollector } from './support/trace-collector';

const platform = usePlatform();
const collector = new TraceCollector();
const TRACED = ['agent', 'relay'];
const STREAM = { accept: 'text/event-stream', 'x-service-stream-protocol': 'stream-v3' };
const ALLOWED = { OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: 'true' };
const MODEL = 'relay: chat sim-chat';
const TOOL = 'agent: execute_tool effects__act';

interface CapturedPart {
  type: string;
  content?: string;
  name?: string;
  arguments?: { name: string };
  response?: string;
}
interface Message {
  role: string;
  parts: CapturedPart[];
  finish_reason?: string;
}

/** A Space whose agent sends the Space's secret to a tool that echoes it. */
interface EchoingAgent {
  space: TestSpace;
  agentId: string;
  secret: string;
}

interface ShownMessage {
  word: string;
  traceId: string;
  header: { traceparent: string };
}

/** A word that is nowhere else, and a trace to find what became of it. */
const newWord = (): ShownMessage => {
  const traceId = randomBytes(16).toString('hex');
  const header = { traceparent: `00-${traceId}-${randomBytes(8).toString('hex')}-01` };
  return { word: `word-${randomBytes(12).toString('hex')}`, traceId, header };
};

const messagesOf = (span: SeenSpan | undefined, which: 'input' | 'output'): Message[] =>
  JSON.parse(String(span?.attributes[`gen_ai.${which}.messages`])) as Message[];

const hits = (...values: string[]): number => collector.texts.filter((text) => hasCanary(text, values)).length;

const servers: EffectsServer[] = [];
let open: EchoingAgent;
let closed: EchoingAgent;

const restartAll = async (settings?: Record<string, string>): Promise<void> => {
  await Promise.all(TRACED.map((name) => platform.service(name).restart(settings)));
  await Promise.all(TRACED.map((name) => platform.service(name).ready()));
};

async function newScene(): Promise<EchoingAgent> {
  // One for each: it echoes all credentials that it has seen.
  const effects = await EffectsServer.start();
  servers.push(effects);
  const space = await platform.newSpace();
  const secret = `secret-${randomBytes(18).toString('base64url')}`;
  expect((await space.owner.post('/secrets', { name: 'TOKEN', value: secret })).status).toBe(201);
  const agent = await space.owner.post('/agents', {
    name: 'Told',
    model: 'sim-chat',
    systemPrompt: 'You are a test.',
    mcpServers: [{ name: 'effects', url: effects.url, headers: { Authorization: 'Bearer {{ secrets.TOKEN }}' } }],
  });
  expect(agent.status).toBe(201);
  return { space, agentId: agent.body.data.id as string, secret };
}

const capture = async ({ space }: EchoingAgent, captureContent: boolean | null): Promise<void> => {
  expect((await space.owner.patch(`/spaces/${space.id}`, { settings: { captureContent } })).status).toBe(200);
};

/** A prompt that gives the secret away, a tool that is given it and echoes it, an answer that repeats it. */
const query = ({ secret }: EchoingAgent, word: string): string =>
  [
    `Prompt ${word}, my token is ${secret}.`,
    `@@tool effects__act ${JSON.stringify({ name: `${word} and ${secret}` })}`,
    `@@reply ${word} answered: {{tool}}`,
  ].join('\n');

async function chat(scene: EchoingAgent, { word, header }: ShownMessage): Promise<void> {
  const reply = await scene.space.owner.stream(
    `/agents/${scene.agentId}/chat`,
    { contents: [{ type: 'text', text: query(scene, word) }] },
    { headers: { ...STREAM, ...header } },
  );
  expect(reply.status).toBe(200);
  expect(JSON.stringify(await reply.all())).toContain(`${word} answered`);
}

async function execute(scene: EchoingAgent, { word, header }: ShownMessage): Promise<void> {
  const inputs = { query: query(scene, word) };
  const reply = await scene.space.owner.post(`/agents/${scene.agentId}/execute`, { inputs }, { headers: header });
  expect(reply.status).toBe(200);
  expect(JSON.stringify(reply.body)).toContain(`${word} answered`);
}

async function relay(scene: EchoingAgent, { word, header }: ShownMessage, stream: boolean): Promise<void> {
  const messages = [{ role: 'user', content: `@@reply ${word} has ${scene.secret}` }];
  const body = { model: 'sim-chat', messages, stream };
  const reply = await scene.space.owner.raw('POST', '/models/v1/chat/completions', body, { headers: header });
  expect(reply.status).toBe(200);
}

/** The spans of a turn with one call of the tool, when they have come. */
const turnOf = (output: ShownMessage): Promise<SeenSpan[]> => spansOf(output, { [MODEL]: 2, [TOOL]: 1 });

const spansOf = ({ traceId }: ShownMessage, expected: Record<string, number>): Promise<SeenSpan[]> =>
  until(() => {
    const spans = collector.of(traceId);
    const named = (name: string): number => spans.filter((span) => `${span.service}: ${span.name}` === name).length;
    return Object.entries(expected).every(([name, times]) => named(name) >= times) ? spans : null;
  });

beforeAll(async () => {
  await restartAll({ OTEL_EXPORTER_OTLP_ENDPOINT: await collector.open(), ...ALLOWED });
  [open, closed] = await Promise.all([newScene(), newScene()]);
  await capture(open, true);
}, 300_000);

afterAll(async () => {
  await restartAll();
  for (const server of servers) server.close();
  collector.close();
}, 300_000);

describe.each<[string, (scene: EchoingAgent, output: ShownMessage) => Promise<void>]>([
  ['a streamed turn', chat],
  ['an executed turn', execute],
])('%s where the operator and the Space allow it', (_, run) => {
  const output = newWord();
  let spans: SeenSpan[];

  beforeAll(async () => {
    await run(open, output);
    spans = await turnOf(output);
  });

  it('shows what was said to the model and by it, without the secret', () => {
    const calls = spans.filter(({ name }) => name === 'chat sim-chat');
    const [first, second] = calls.sort((a, b) => messagesOf(a, 'input').length - messagesOf(b, 'input').length);
    const request = messagesOf(first, 'input');
    expect(request[0]?.role).toBe('system');
    expect(request.at(-1)).toMatchObject({ role: 'user', parts: [{ type: 'text' }] });
    expect(request.at(-1)?.parts[0]?.content).toContain(`Prompt ${output.word}, my token is ***.`);
    expect(messagesOf(first, 'output')).toMatchObject([{ role: 'assistant', finish_reason: 'tool_call' }]);
    expect(messagesOf(first, 'output')[0]?.parts.at(-1)).toMatchObject({
      type: 'tool_call',
      name: 'effects__act',
      arguments: { name: `${output.word} and ***` },
    });
    const results = messagesOf(second, 'input').filter(({ role }) => role === 'tool');
    expect(results[0]?.parts[0]).toMatchObject({
      type: 'tool_call_response',
      response: expect.stringContaining('***') as string,
    });
    expect(messagesOf(second, 'output')).toMatchObject([{ role: 'assistant', finish_reason: 'stop' }]);
    expect(messagesOf(second, 'output')[0]?.parts[0]?.content).toContain(`${output.word} answered:`);
  });

  it('shows what a tool was given and gave back, without the secret', () => {
    const { attributes } = spans.find(({ name }) => name.startsWith('execute_tool')) as SeenSpan;
    expect(JSON.parse(String(attributes['gen_ai.tool.call.arguments']))).toEqual({ name: `${output.word} and ***` });
    const result = JSON.parse(String(attributes['gen_ai.tool.call.result'])) as string;
    expect(result).toContain(`done for ${output.word}`);
    expect(result).toContain('***');
  });

  it('sends the secret in no form', () => {
    expect(hits(output.word)).toBeGreaterThan(0);
    expect(hits(open.secret)).toBe(0);
  });
});

it.each([true, false])('shows a relayed call, streamed: %s', async (stream) => {
  const output = newWord();
  await relay(open, output, stream);
  const [span] = (await spansOf(output, { [MODEL]: 1 })).filter(({ name }) => name === 'chat sim-chat');
  expect(messagesOf(span, 'input')[0]?.parts[0]?.content).toBe(`@@reply ${output.word} has ***`);
  expect(messagesOf(span, 'output')).toEqual([
    { role: 'assistant', parts: [{ type: 'text', content: `${output.word} has ***` }], finish_reason: 'stop' },
  ]);
  expect(hits(open.secret)).toBe(0);
});

/** All ways, and nothing of them. */
async function expectSilence(scene: EchoingAgent): Promise<void> {
  const ways = [chat, execute].map((run) => ({ run, told: newWord() }));
  for (const { run, told: output } of ways) await run(scene, output);
  const relayed = newWord();
  await relay(scene, relayed, true);
  const spans = [
    ...(await Promise.all(ways.map(({ told: output }) => turnOf(output)))).flat(),
    ...(await spansOf(relayed, { [MODEL]: 1 })),
  ];
  const captured = spans.flatMap(({ attributes }) =>
    Object.keys(attributes).filter((name) =>
      /^gen_ai\.(input|output|system|tool\.call\.(arguments|result))/.test(name),
    ),
  );
  expect(captured).toEqual([]);
  expect(hits(relayed.word, scene.secret, ...ways.map(({ told: output }) => output.word))).toBe(0);
}

it('sends nothing of another Space, which has said nothing', async () => {
  await expectSilence(closed);
});

it('sends nothing of a Space with a secret that cannot be decrypted, and so could not be masked', async () => {
  const { body } = await open.space.owner.post('/secrets', { name: 'DAMAGED', value: 'x' });
  const id = body.data.id as string;
  await platform.database.query('update key.secrets set sealed = set_byte(sealed, 1, 99) where id = $1', [id]);
  await expectSilence(open);
  const output = newWord();
  await relay(open, output, false);
  const [span] = (await spansOf(output, { [MODEL]: 1 })).filter(({ name }) => name === 'chat sim-chat');
  expect(span?.attributes).toMatchObject({ 'switchyard.content.left_out': 'secrets' });
  expect((await open.space.owner.delete(`/secrets/${id}`)).status).toBe(200);
});

it('sends nothing of a Space that has taken it back', async () => {
  await capture(open, false);
  await expectSilence(open);
  await capture(open, true);
  const output = newWord();
  // The change is announced; where the announcement is lost it holds after five seconds.
  await until(async () => {
    await relay(open, output, false);
    return hits(output.word) > 0 ? true : null;
  });
});

it('sends nothing where the operator does not allow it', async () => {
  await restartAll({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
  await expectSilence(open);
});
