// Protocol events are read in order.
/* oxlint-disable typescript/no-explicit-any */
import { lifecycleFrame, PRODUCT_EVENTS, type TurnFrame } from '@switchyard/contracts';
import { type TestEvent, eventData } from '../../turn-events/event-data';
import { type ChatContext, ChatProjection } from './chat-projection';
import { callName, readCallName } from '../../turn-events/client-call-ids';
import { itemId, readResponseId, responseId, turnOfItem } from './openai-ids';
import { ResponsesProjection } from './responses-projection';

const TURN = '0190a0b0-0000-7000-8000-00000000000a';
const SESSION = '0190a0b0-0000-7000-8000-00000000000b';

/** Frames of a turn, numbered, after its beginning. */
function framesOf(...events: TestEvent[]): TurnFrame[] {
  const all: TestEvent[] = [{ event: PRODUCT_EVENTS.sessionStarted, session_id: SESSION }, ...events];
  return all.map((data, at) => ({
    seq: at + 1,
    method: data.event === 'message-finish' ? 'messages' : 'custom:service',
    timestamp: 1_700_000_000_000,
    data,
  })) as unknown[] as TurnFrame[];
}
const delta = (text: string, id = 'm1'): TestEvent => ({
  event: PRODUCT_EVENTS.contentDelta,
  delta: text,
  message_id: id,
});
const END: TestEvent[] = [
  {
    event: PRODUCT_EVENTS.responseCompleted,
    finish_reason: 'stop',
    token_usage: { prompt_tokens: 5, completion_tokens: 2 },
  },
  { event: PRODUCT_EVENTS.streamEnded, status: 'COMPLETED' },
];

const project = (frames: TurnFrame[], segment = 1, startingAfter?: number): { events: any[]; response: any } => {
  const projection = new ResponsesProjection({
    turnId: TURN,
    segment,
    model: 'a',
    fields: {},
    ...(startingAfter === undefined ? {} : { startingAfter }),
  });
  const events = frames.flatMap((frame) => (projection.isOver ? [] : projection.read(frame)));
  return { events: events.map(eventData), response: projection.response() };
};
const chat = (frames: TurnFrame[], delivery: ChatContext['delivery'] = 'streamed'): any[] => {
  const projection = new ChatProjection({
    turnId: TURN,
    segment: 1,
    model: 'a',
    created: 1,
    includeUsage: true,
    delivery,
  });
  return frames.flatMap((frame) => (projection.isOver ? [] : projection.read(frame))).map(eventData);
};
const textOf = (response: any): string =>
  response.output
    .flatMap((item: any) => item.content ?? [])
    .map((part: any) => part.text)
    .join('');

const RESTARTED = framesOf(
  delta('Hel'),
  delta('lo'),
  { event: PRODUCT_EVENTS.stepRestarted, from_seq: 2 },
  delta('Good', 'm2'),
  delta('bye', 'm2'),
  ...END,
);

describe('a retried step', () => {
  it('ends its first output as incomplete before the second one begins in a new item', () => {
    const { events, response } = project(RESTARTED);
    const items = events.filter(({ type }) => type.startsWith('response.output_item.'));
    expect(items.map(({ type, output_index: at, item }) => [type.slice(21), at, item.status])).toEqual([
      ['added', 0, 'in_progress'],
      ['done', 0, 'incomplete'],
      ['added', 1, 'in_progress'],
      ['done', 1, 'completed'],
    ]);
    expect(items[1].item.content).toEqual([]);
    expect(textOf(response)).toBe('Goodbye');
    expect(response.status).toBe('completed');
  });

  it('appears once for clients that append deltas, if the text is the same', () => {
    const chunks = chat(
      framesOf(
        delta('Hel'),
        delta('lo'),
        { event: PRODUCT_EVENTS.stepRestarted, from_seq: 2 },
        delta('Hell', 'm2'),
        delta('o you', 'm2'),
        ...END,
      ),
    );
    expect(chunks.map((chunk) => chunk.choices?.[0]?.delta?.content ?? '').join('')).toBe('Hello you');
    expect(chunks.at(-1)).toBe('[DONE]');
  });

  it('ends their stream with an error if the text differs', () => {
    const chunks = chat(RESTARTED);
    expect(chunks.at(-1)).toMatchObject({ error: { code: 'RUNTIME_UNAVAILABLE' } });
    expect(chunks.some((chunk) => chunk.choices?.[0]?.delta?.content === 'Good')).toBe(false);
  });

  it('is complete in a later read, without the void output and without an error', () => {
    const chunks = chat(RESTARTED, 'buffered');
    expect(chunks.map((chunk) => chunk.choices?.[0]?.delta?.content ?? '').join('')).toBe('Goodbye');
    expect(chunks.filter((chunk) => chunk.error)).toEqual([]);
    expect(chunks.at(-1)).toBe('[DONE]');
  });
});

const think = (text: string, id = 'm1'): TestEvent => ({
  event: PRODUCT_EVENTS.reasoningDelta,
  delta: text,
  message_id: id,
});
/** Of each item, by its place, what the event of its end has told. */
const doneItems = (events: any[]): any[] =>
  events
    .filter(({ type }) => type === 'response.output_item.done')
    .sort((one, other) => one.output_index - other.output_index)
    .map(({ item }) => item);

describe('reasoning before text', () => {
  it.each([
    ['after a crash', [{ event: PRODUCT_EVENTS.stepRestarted, from_seq: 2 }, think('Oh', 'm2'), delta('Bye', 'm2')]],
    ['without any', []],
    [
      'and after tools',
      [{ event: PRODUCT_EVENTS.toolExecution, tool_call_id: 'c', name: 'f', source: 'mcp', status: 'started' }],
    ],
  ] as [string, TestEvent[]][])('end in the stream as they stand in the response: %s', (_, more) => {
    const { events, response } = project(
      framesOf(think('Hm'), delta('Hel'), think('Well'), delta('lo'), ...more, ...END),
    );
    const done = doneItems(events).filter(({ type }) => type !== 'mcp_call');
    expect(done).toEqual(response.output.filter(({ type }: any) => type !== 'mcp_call'));
    // Void output has no text in its closing events.
    const isAgain = more.some(({ event }) => event === PRODUCT_EVENTS.stepRestarted);
    const whole = done.filter(({ status }) => status === 'completed').map(({ type }) => type);
    expect(whole).toEqual(isAgain ? ['reasoning', 'message'] : ['reasoning', 'message', 'reasoning', 'message']);
  });

  it('is complete when text begins, also if the text is interrupted', () => {
    const { events, response } = project(
      framesOf(think('Hm'), delta('Hel'), { event: PRODUCT_EVENTS.streamEnded, status: 'CANCELLED' }),
    );
    const at = (type: string): number => events.findIndex((event) => event.type === type);
    expect(at('response.reasoning_summary_text.done')).toBeLessThan(at('response.output_text.delta'));
    expect(response.output.map(({ status }: any) => status)).toEqual(['completed', 'incomplete']);
    expect(doneItems(events)).toEqual(response.output);
  });
});

describe('reasoning of a retried step', () => {
  const frames = framesOf(
    think('A', 'm1'),
    delta('One. ', 'm1'),
    think('B', 'm2'),
    delta('Two. ', 'm2'),
    { event: PRODUCT_EVENTS.stepRestarted, from_seq: 4 },
    think('B', 'm3'),
    { event: PRODUCT_EVENTS.stepRestarted, from_seq: 4 },
    think('C', 'm4'),
    delta('Two. ', 'm4'),
    think('D', 'm5'),
    delta('Three.', 'm5'),
    ...END,
  );
  const thoughts = (chunks: any[]): string =>
    chunks.map((chunk) => chunk.choices?.[0]?.delta?.reasoning_content ?? '').join('');

  it('is not repeated in a stream, and that of other steps is sent', () => {
    expect(thoughts(chat(frames))).toBe('ABD');
  });

  it('is dropped without that of earlier and later steps', () => {
    expect(thoughts(chat(frames, 'buffered'))).toBe('ACD');
  });
});

describe('an answer that had to be repaired', () => {
  const frames = framesOf(
    delta('Let me look. ', 'm1'),
    delta('no JSON', 'm2'),
    { event: 'message-finish', usage: { inputTokens: 3, outputTokens: 1 } },
    { event: PRODUCT_EVENTS.stepRestarted, from_seq: 3 },
    delta('{"n":1}', 'm3'),
    {
      event: PRODUCT_EVENTS.responseCompleted,
      finish_reason: 'stop',
      message_id: 'm3',
      result: { answer: '{"n":1}', output: { n: 1 } },
      token_usage: { prompt_tokens: 9, completion_tokens: 4 },
    },
    { event: PRODUCT_EVENTS.streamEnded, status: 'COMPLETED' },
  );

  it('is void in a response, and charged', () => {
    const { response } = project(frames);
    expect(response.output.map((item: any) => [item.status, item.content[0]?.text])).toEqual([
      ['completed', 'Let me look. '],
      ['incomplete', undefined],
      ['completed', '{"n":1}'],
    ]);
    expect(response.usage.total_tokens).toBe(13);
  });

  it('is not part of a chat completion, whose content is only the JSON', () => {
    const chunks = chat(frames, 'buffered');
    expect(chunks.map((chunk) => chunk.choices?.[0]?.delta?.content ?? '').join('')).toBe('{"n":1}');
    // Streamed output cannot be withdrawn.
    expect(chat(frames).at(-1)).toMatchObject({ error: { code: 'RUNTIME_UNAVAILABLE' } });
  });

  it('is delayed in a stream if the answer of its turn has a schema', () => {
    const [started, ...rest] = frames;
    const first: TurnFrame = { seq: 0, timestamp: 0, ...lifecycleFrame('A', 'started') };
    const existing = [first, { ...started, data: { ...started?.data, structured: true } } as TurnFrame, ...rest];
    for (const delivery of ['streamed', 'buffered'] as const) {
      const chunks = chat(existing, delivery);
      expect(chunks.map((chunk) => chunk.choices?.[0]?.delta?.content ?? '').join('')).toBe('{"n":1}');
      expect(chunks.filter((chunk) => chunk.choices?.[0]?.delta?.role)).toHaveLength(1);
      expect(chunks.filter((chunk) => chunk.error)).toEqual([]);
      expect(chunks.at(-1)).toBe('[DONE]');
    }
  });
});

describe('an incomplete chat completion', () => {
  it.each(['streamed', 'whole', 'buffered'] as const)('is an error if its turn was cancelled: %s', (delivery) => {
    const chunks = chat(framesOf(delta('Half'), { event: PRODUCT_EVENTS.streamEnded, status: 'CANCELLED' }), delivery);
    expect(chunks.at(-1)).toMatchObject({ error: { code: 'CONFLICT' } });
    expect(chunks.some((chunk) => chunk.choices?.[0]?.finish_reason)).toBe(false);
  });

  it.each([
    ['CANCELLED', 'CONFLICT'],
    ['FAILED', 'SERVER_ERROR'],
  ])('says that its turn ended %s, also while words are owed that were void', (status, code) => {
    const restarted = [delta('Half'), { event: PRODUCT_EVENTS.stepRestarted, from_seq: 2 }];
    const chunks = chat(framesOf(...restarted, { event: PRODUCT_EVENTS.streamEnded, status }));
    expect(chunks.at(-1)).toMatchObject({ error: { code } });
  });
});

describe('a response', () => {
  it('has numbers from 0 without a gap, and can be resumed at each of them', () => {
    const whole = project(RESTARTED).events;
    expect(whole.map((event) => event.sequence_number)).toEqual(whole.map((_, at) => at));
    for (const at of whole.keys()) expect(project(RESTARTED, 1, at).events).toEqual(whole.slice(at + 1));
  });

  it('has the metadata of its turn in each segment', () => {
    const frames = framesOf(...END);
    const [started] = frames;
    const noted = frames.with(0, { ...started, data: { ...started?.data, metadata: { a: 'b' } } } as TurnFrame);
    expect(project(noted).response.metadata).toEqual({ a: 'b' });
    expect(project(noted, 2).response.metadata).toEqual({ a: 'b' });
    expect(project(frames).response.metadata).toEqual({});
  });

  it('ends if the turn waits for tools of its client, and continues as another one', () => {
    const run = (id: string, source: string, status: string): TestEvent => ({
      event: PRODUCT_EVENTS.toolExecution,
      tool_call_id: id,
      name: source === 'mcp' ? 'files__read' : 'pay',
      source,
      status,
      arguments: {},
    });
    const frames = framesOf(
      delta('Let me see.'),
      { event: 'message-finish', usage: { inputTokens: 3, outputTokens: 1 } },
      run('c1', 'local', 'started'),
      run('c2', 'mcp', 'started'),
      { event: PRODUCT_EVENTS.localToolCall, call_id: 'c1', name: 'pay', arguments: { amount: 5 } },
      run('c2', 'mcp', 'succeeded'),
      run('c1', 'local', 'succeeded'),
      delta('Paid.', 'm2'),
      ...END,
    );
    const first = project(frames).response;
    expect(first.output.map((item: any) => [item.type, item.status])).toEqual([
      ['message', 'completed'],
      ['mcp_call', 'completed'],
      ['function_call', 'completed'],
    ]);
    expect(first.output[1]).toMatchObject({ server_label: 'files', name: 'read' });
    expect(first.usage).toMatchObject({ input_tokens: 3, output_tokens: 1 });
    const second = project(frames, 2).response;
    expect(second).toMatchObject({ id: `resp_${TURN}_2`, previous_response_id: `resp_${TURN}` });
    expect(textOf(second)).toBe('Paid.');
    // Together what the turn has used.
    expect(second.usage).toMatchObject({ input_tokens: 2, output_tokens: 1 });
    expect(readCallName(first.output[2].call_id)).toEqual({ turnId: TURN, segment: 1, callId: 'c1' });
  });

  it.each([
    ['FAILED', 'failed', 'response.failed'],
    ['CANCELLED', 'cancelled', 'response.incomplete'],
  ])('of a turn that ended %s is %s', (status, is, event) => {
    const { events, response } = project(framesOf(delta('x'), { event: PRODUCT_EVENTS.streamEnded, status }));
    expect(response.status).toBe(is);
    expect(events.at(-1).type).toBe(event);
  });
});

test('ids name their source, and other ids are unknown', () => {
  expect(readResponseId(responseId({ turnId: TURN, segment: 3 }))).toEqual({ turnId: TURN, segment: 3 });
  expect(turnOfItem(itemId('msg', { turnId: TURN, segment: 1 }, 4))).toBe(TURN);
  const ask = { turnId: TURN, segment: 2, interactionId: SESSION };
  expect(readCallName(callName(ask))).toEqual(ask);
  for (const id of ['resp_1', `resp_${TURN}_0`, 'resp_', TURN]) expect(readResponseId(id)).toBeNull();
  for (const id of ['call_abc', 'ask_x_1_y', 'call_1']) expect(readCallName(id)).toBeNull();
});
