import { randomBytes } from 'node:crypto';
import { type TestSpace, until, usePlatform } from '@switchyard/testing';
import { type SeenSpan, TraceCollector } from './support/trace-collector';

const platform = usePlatform();
const collector = new TraceCollector();
const TRACED = ['gateway', 'agent', 'session', 'relay'];
const STREAM = { accept: 'text/event-stream', 'x-service-stream-protocol': 'stream-v3' };
const SECRET = 'the cat knows 9731';

/** A trace that begins outside, so that the test knows its id. */
const newTrace = (): { traceId: string; parentSpanId: string; header: { traceparent: string } } => {
  const traceId = randomBytes(16).toString('hex');
  const parentSpanId = randomBytes(8).toString('hex');
  return { traceId, parentSpanId, header: { traceparent: `00-${traceId}-${parentSpanId}-01` } };
};

/** Every span hangs on another one of the trace; only the first hangs on the caller's. */
function expectOneTree(spans: SeenSpan[], parentSpanId: string): void {
  const ids = new Set(spans.map((span) => span.spanId));
  const roots = spans.filter((span) => !ids.has(span.parentSpanId));
  expect(roots.map(({ service, name, parentSpanId: parent }) => ({ service, name, parent }))).toEqual([
    { service: 'gateway', name: expect.any(String) as string, parent: parentSpanId },
  ]);
}

let space: TestSpace;
let agentId: string;

beforeAll(async () => {
  const endpoint = await collector.open();
  const settings = { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint };
  await Promise.all(TRACED.map((name) => platform.service(name).restart(settings)));
  await Promise.all(TRACED.map((name) => platform.service(name).ready()));
  space = await platform.newSpace();
  const agent = await space.owner.post('/agents', {
    name: 'Traced',
    model: 'sim-chat',
    systemPrompt: 'You are a test.',
    tools: ['save_memory'],
  });
  expect(agent.status).toBe(201);
  agentId = agent.body.data.id as string;
});

afterAll(async () => {
  await Promise.all(TRACED.map((name) => platform.service(name).restart()));
  await Promise.all(TRACED.map((name) => platform.service(name).ready()));
  collector.close();
});

describe('a chat turn', () => {
  let spans: SeenSpan[];
  const { traceId, parentSpanId, header } = newTrace();

  const named = (name: string): SeenSpan => {
    const span = spans.find((each) => each.name === name);
    if (!span) throw new Error(`no span ${name} among ${spans.map((each) => each.name).join(', ')}`);
    return span;
  };

  beforeAll(async () => {
    const reply = await space.owner.stream(
      `/agents/${agentId}/chat`,
      { contents: [{ type: 'text', text: SECRET }] },
      { headers: { ...STREAM, ...header } },
    );
    expect(reply.status).toBe(200);
    await reply.all();
    spans = await collector.whole(traceId, {
      'gateway: POST /api/agents/:agentId/chat': 1,
      'agent: invoke_agent Traced': 1,
      'session: session.close-turn': 1,
      'relay: chat sim-chat': 1,
    });
  });

  it('is one trace, from the door to the model', () => {
    expectOneTree(spans, parentSpanId);
    expect(new Set(spans.map(({ service }) => service))).toEqual(new Set(['gateway', 'agent', 'session', 'relay']));
  });

  it('shows the way: who asked whom', () => {
    const chain: string[] = [];
    const ids = new Map(spans.map((span) => [span.spanId, span]));
    for (let span = ids.get(named('chat sim-chat').spanId); span; span = ids.get(span.parentSpanId))
      chain.unshift(`${span.service}: ${span.name}`);
    expect(chain).toEqual([
      'gateway: POST /api/agents/:agentId/chat',
      'gateway: agent.chat',
      'agent: agent.chat',
      'agent: invoke_agent Traced',
      'agent: relay.complete',
      'relay: relay.complete',
      'relay: chat sim-chat',
    ]);
  });

  it('speaks the conventions for generative AI', () => {
    expect(named('chat sim-chat').attributes).toMatchObject({
      'gen_ai.operation.name': 'chat',
      'gen_ai.request.model': 'sim-chat',
      'gen_ai.response.model': 'sim-chat',
      'gen_ai.provider.name': expect.any(String) as string,
      'gen_ai.usage.input_tokens': expect.any(Number) as number,
      'gen_ai.usage.output_tokens': expect.any(Number) as number,
    });
    expect(named('invoke_agent Traced').attributes).toMatchObject({
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.id': agentId,
      'switchyard.turn.status': 'COMPLETED',
    });
  });

  it('shows what the database did for it', () => {
    const statements = spans.filter(({ attributes }) => attributes['db.query.text'] !== undefined);
    expect(new Set(statements.map(({ service }) => service))).toContain('session');
    for (const { attributes } of statements) expect(attributes['db.system.name']).toBe('postgresql');
  });

  it('contains no text of messages', () => {
    expect(JSON.stringify(spans)).not.toContain('9731');
  });
});

it('a tool of a turn is a part of its trace', async () => {
  const { traceId, parentSpanId, header } = newTrace();
  const text = '@@tool save_memory {"text":"tea"}\n@@reply Done.';
  const reply = await space.owner.post(
    `/agents/${agentId}/chat`,
    { contents: [{ type: 'text', text }], stream: false },
    { headers: header },
  );
  expect(reply.status).toBe(200);
  const spans = await collector.whole(traceId, {
    'gateway: POST /api/agents/:agentId/chat': 1,
    'agent: invoke_agent Traced': 1,
    'relay: chat sim-chat': 2,
  });
  expect(spans.filter(({ name }) => name.startsWith('execute_tool')).length).toBeGreaterThan(0);
  expect(spans.filter(({ name }) => name === 'chat sim-chat')).toHaveLength(2);
  expectOneTree(spans, parentSpanId);
});

it('a relayed call goes on to the upstream with the trace', async () => {
  const { traceId, parentSpanId, header } = newTrace();
  const seen = await space.owner.raw('GET', '/models/v1/inspect', undefined, { headers: header });
  expect(seen.status).toBe(200);
  const onwards = String((seen.body as { headers: Record<string, string> }).headers['traceparent']);
  const [, trace, span] = onwards.split('-');
  expect(trace).toBe(traceId);
  expect(span).not.toBe(parentSpanId);
  await until(() => collector.of(traceId).some(({ spanId }) => spanId === span));
});

it('who says that a trace is not recorded is believed', async () => {
  const { traceId } = newTrace();
  await space.owner.get('/agents', undefined, { headers: { traceparent: `00-${traceId}-${'1'.repeat(16)}-00` } });
  const { traceId: later, header } = newTrace();
  await space.owner.get('/agents', undefined, { headers: header });
  await until(() => collector.of(later).length > 0);
  expect(collector.of(traceId)).toEqual([]);
});

it('a request without a trace begins one, and what it refuses says so', async () => {
  const before = collector.spans.length;
  const refused = await space.owner.get('/agents/00000000-0000-7000-8000-000000000000');
  expect(refused.status).toBe(404);
  const span = await until(() =>
    collector.spans.slice(before).find(({ service, name }) => service === 'gateway' && name === 'agent.get'),
  );
  expect(span).toMatchObject({ failed: true, attributes: { 'error.type': 'NOT_FOUND' } });
});
