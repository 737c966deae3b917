import { type DeltaEvent, PRODUCT_EVENTS, writeDeltaFrame } from '@switchyard/contracts';
import { AgUiProjection } from './ag-ui/ag-ui-projection';
import { LangGraphProjection } from './langgraph/langgraph-projection';
import { ChatProjection } from './openai/chat-projection';
import { AppendOnlyProjection } from './openai/append-only-projection';
import { ResponsesProjection } from './openai/responses-projection';
import { type Projection, readFrame, toSse } from '../turn-events/protocol-projection';

const TURN = '0190a0b0-0000-7000-8000-00000000000a';
const NOW = 1_700_000_000_000;

type TestFrame = [DeltaEvent, string, string] | [string, object];
const isDelta = (events: TestFrame): events is [DeltaEvent, string, string] => events.length === 3;

const textsOf = (...events: TestFrame[]): string[] =>
  events.map((each, at) => {
    const seq = at + 1;
    if (isDelta(each))
      return writeDeltaFrame({ event: each[0], delta: each[1], messageId: each[2], timestamp: NOW + seq, seq });
    const [event, fields] = each;
    const method = /^(message|content-block)-/.test(event) ? 'messages' : 'custom:service';
    const params = { namespace: [], timestamp: NOW + seq, data: { event, ...fields } };
    return JSON.stringify({ type: 'event', method, params, seq });
  });

const content = (text: string, id = 'm1'): TestFrame => [PRODUCT_EVENTS.contentDelta, text, id];
const thought = (text: string, id = 'm1'): TestFrame => [PRODUCT_EVENTS.reasoningDelta, text, id];
const STARTED: TestFrame = [PRODUCT_EVENTS.sessionStarted, { session_id: '0190a0b0-0000-7000-8000-00000000000b' }];
const END: TestFrame[] = [
  [
    PRODUCT_EVENTS.responseCompleted,
    { finish_reason: 'stop', token_usage: { prompt_tokens: 5, completion_tokens: 2 } },
  ],
  [PRODUCT_EVENTS.streamEnded, { status: 'COMPLETED' }],
];
const WORDS = ['', 'a', 'b "quoted"\n', '\\ \u2028 é東\u{1f600}', 'c'].map((text) => content(text));

const TURNS: Record<string, string[]> = {
  'words and thoughts': textsOf(
    STARTED,
    thought('hm'),
    thought(' "so"'),
    ...WORDS,
    thought('well'),
    content('d'),
    ...END,
  ),
  'several messages, and a tool between them': textsOf(
    STARTED,
    ['message-start', { id: 'm1' }],
    ...WORDS,
    ['message-finish', { usage: { inputTokens: 2, outputTokens: 3 } }],
    [PRODUCT_EVENTS.toolExecution, { tool_call_id: 'c', name: 'search', status: 'started', arguments: {} }],
    content('beside it'),
    [PRODUCT_EVENTS.toolExecution, { tool_call_id: 'c', name: 'search', status: 'completed', result: 'found' }],
    content('x', 'm2'),
    content('y', 'm2'),
    ...END,
  ),
  'a step that is run again in the same words': textsOf(
    STARTED,
    thought('hm'),
    content('a'),
    content('b'),
    [PRODUCT_EVENTS.stepRestarted, { from_seq: 2 }],
    thought('hm', 'm2'),
    content('ab', 'm2'),
    content('c', 'm2'),
    content('d', 'm2'),
    ...END,
  ),
  'a step that is run again in other words': textsOf(
    STARTED,
    content('a'),
    [PRODUCT_EVENTS.stepRestarted, { from_seq: 2 }],
    content('x', 'm2'),
    content('y', 'm2'),
    ...END,
  ),
  'a call of the client in between': textsOf(
    STARTED,
    ...WORDS,
    [
      PRODUCT_EVENTS.toolExecution,
      { tool_call_id: 'c', name: 'own', status: 'started', source: 'local', arguments: {} },
    ],
    [PRODUCT_EVENTS.localToolCall, { call_id: 'c', name: 'own', arguments: {} }],
    [PRODUCT_EVENTS.toolExecution, { tool_call_id: 'c', name: 'own', status: 'completed', source: 'local', result: 1 }],
    content('x', 'm2'),
    content('y', 'm2'),
    ...END,
  ),
  'an answer of a schema': textsOf(
    [PRODUCT_EVENTS.sessionStarted, { session_id: null, structured: true }],
    ...WORDS,
    ...END,
  ),
};

const openai = { turnId: TURN, model: 'a' };
const chat = { ...openai, created: 1, includeUsage: true };
const run = { threadId: 't', runId: 'r', turnId: TURN, messages: [] };
const thread = { threadId: 't', turnId: TURN, firstEventOffset: 100, lastReceived: 0 };
const PROJECTIONS: Record<string, () => Projection> = {
  Responses: () => new ResponsesProjection({ ...openai, segment: 1, fields: {} }),
  'Responses, attached to again': () =>
    new ResponsesProjection({ ...openai, segment: 1, fields: {}, startingAfter: 6 }),
  'a later segment of Responses': () => new ResponsesProjection({ ...openai, segment: 2, fields: {} }),
  'Responses that are added up': () => new AppendOnlyProjection({ ...openai, segment: 1, fields: {} }, 'streamed'),
  'Responses that are added up, told again': () =>
    new AppendOnlyProjection({ ...openai, segment: 1, fields: {} }, 'buffered'),
  'chat completions': () => new ChatProjection({ ...chat, segment: 1, delivery: 'streamed' }),
  'chat completions, buffered': () => new ChatProjection({ ...chat, segment: 1, delivery: 'buffered' }),
  'a later segment of chat completions': () => new ChatProjection({ ...chat, segment: 2, delivery: 'streamed' }),
  'AG-UI': () => new AgUiProjection({ ...run, from: { segment: 1 } }),
  'a later run of AG-UI': () => new AgUiProjection({ ...run, from: { segment: 2 } }),
  LangGraph: () => new LangGraphProjection({ ...thread, isSubscribed: (channel) => channel !== 'custom:service' }),
  'LangGraph, with the events of the platform': () => new LangGraphProjection({ ...thread, isSubscribed: () => true }),
  'LangGraph, attached to again': () =>
    new LangGraphProjection({ ...thread, lastReceived: 106, isSubscribed: () => true }),
};

const withoutDeltas = (projection: Projection): Projection => ({
  get isOver() {
    return projection.isOver;
  },
  read: (frame) => projection.read(frame),
});

interface TestEvent {
  type?: string;
  timestamp?: number;
  delta?: string;
  messageId?: string;
  choices?: { delta: { content?: string } }[];
}

/** The events, in which one delta follows another of the same message as one. */
function joinedDeltas(sse: string): string[] {
  const joined: { head: string; text: string }[] = [];
  for (const text of sse.split('\n\n')) {
    const event = text.startsWith('data: {') ? (JSON.parse(text.slice(6)) as TestEvent) : {};
    const delta = event.type?.endsWith('_CONTENT') ? event.delta : event.choices?.[0]?.delta.content;
    const head = JSON.stringify({ ...event, timestamp: 0, delta: 0, choices: delta === undefined ? event.choices : 0 });
    const last = joined.at(-1);
    if (delta !== undefined && last?.head === head) last.text += delta;
    else joined.push({ head, text: delta ?? text });
  }
  return joined.map(({ head, text }) => `${head} ${text}`);
}

describe.each(Object.entries(PROJECTIONS))('deltas that are written at once, in %s', (_name, begin) => {
  it.each(Object.entries(TURNS))('say what they say as any frame: %s', (_turn, texts) => {
    const projection = begin();
    expect(texts.map((text) => toSse(projection, [text])).join('')).toBe(toSse(withoutDeltas(begin()), texts));
    expect(joinedDeltas(toSse(begin(), [texts.join('\n')]))).toEqual(
      joinedDeltas(toSse(withoutDeltas(begin()), texts)),
    );
  });
});

it.each(['chat completions', 'AG-UI'])('deltas of one batch are one event of %s', (name) => {
  const begin = PROJECTIONS[name] as () => Projection;
  const long = 'x'.repeat(10_000);
  const [first = '', ...rest] = textsOf(
    STARTED,
    content(''),
    content('a'),
    content('"b"'),
    content('\\\u2028'),
    content('d'),
  );
  const sse = toSse(begin(), [[first, ...rest].join('\n')]);
  expect(sse.split('\n\n').filter((event) => event.includes('\\u2028') || event.includes('\u2028'))).toHaveLength(1);
  expect(sse).toContain(String.raw`a\"b\"\\`);
  const longer = toSse(begin(), [
    textsOf(STARTED, content(''), ...Array.from({ length: 8 }, () => content(long))).join('\n'),
  ]);
  const lines = longer.split('\n\n').filter((event) => event.includes(long));
  expect(lines.length).toBeGreaterThan(3);
  expect(lines.every((line) => line.length < 40_000)).toBe(true);
});

it.each(['Responses', 'Responses that are added up', 'chat completions', 'AG-UI', 'LangGraph'])(
  'most deltas of %s are written at once',
  (name) => {
    const projection = PROJECTIONS[name]?.() as Projection;
    const texts = textsOf(STARTED, ...WORDS).map((text) => readFrame(projection, text));
    expect(texts.slice(2).every((events) => typeof events === 'string')).toBe(true);
  },
);
