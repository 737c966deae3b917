import { PRODUCT_EVENTS, type TurnFrame } from '@switchyard/contracts';
import { type TestEvent, eventData } from '../../turn-events/event-data';
import { AppendOnlyProjection } from './append-only-projection';

const TURN = '0190a0b0-0000-7000-8000-00000000000a';
const about = { turnId: TURN, segment: 1, model: 'a', fields: {} };

interface Event {
  type: string;
  sequence_number: number;
  delta?: string;
  error?: { code: string };
  response?: { output: { type: string; status: string; content?: { text: string }[] }[] };
}

const framesOf = (...events: TestEvent[]): TurnFrame[] =>
  [{ event: PRODUCT_EVENTS.sessionStarted, session_id: null }, ...events].map((data, at) => ({
    seq: at + 1,
    method: 'custom:service',
    timestamp: 1_700_000_000_000,
    data,
  })) as unknown[] as TurnFrame[];
const words = (text: string, id = 'm1'): TestEvent => ({
  event: PRODUCT_EVENTS.contentDelta,
  delta: text,
  message_id: id,
});
const thought = (text: string, id = 'm1'): TestEvent => ({
  event: PRODUCT_EVENTS.reasoningDelta,
  delta: text,
  message_id: id,
});
const restarted = (from: number): TestEvent => ({ event: PRODUCT_EVENTS.stepRestarted, from_seq: from });
const tool = (status: string): TestEvent => ({
  event: PRODUCT_EVENTS.toolExecution,
  tool_call_id: 'c',
  name: 'search',
  status,
  result: 'x',
});
const END: TestEvent[] = [
  {
    event: PRODUCT_EVENTS.responseCompleted,
    finish_reason: 'stop',
    token_usage: { prompt_tokens: 5, completion_tokens: 2 },
  },
  { event: PRODUCT_EVENTS.streamEnded, status: 'COMPLETED' },
];

function project(delivery: 'streamed' | 'buffered', ...texts: TestEvent[]) {
  const projection = new AppendOnlyProjection(about, delivery);
  const events = framesOf(...texts)
    .flatMap((frame) => (projection.isOver ? [] : projection.read(frame)))
    .map((event) => eventData(event) as Event);
  const added = (type: string): string =>
    events.map((event) => (event.type === type ? (event.delta ?? '') : '')).join('');
  const last = events.at(-1);
  return {
    text: added('response.output_text.delta'),
    thoughts: added('response.reasoning_summary_text.delta'),
    numbers: events.map((event) => event.sequence_number),
    last,
    output: last?.response?.output.map((item) => [
      item.type,
      item.status,
      (item.content ?? []).map(({ text }) => text).join(''),
    ]),
  };
}

describe('a retried step, for clients that append deltas', () => {
  it.each([
    ['at once', [words('Hello you', 'm2')]],
    ['bit by bit', [words('H', 'm2'), words('el', 'm2'), words('lo', 'm2'), words(' you', 'm2')]],
    ['after a second crash', [words('Hel', 'm2'), restarted(5), words('Hello', 'm3'), words(' you', 'm3')]],
  ])('goes on with the same item in the same words, told once: %s', (_how, again) => {
    const { text, output, numbers } = project('streamed', words('Hel'), words('lo'), restarted(2), ...again, ...END);
    expect(text).toBe('Hello you');
    expect(output).toEqual([['message', 'completed', 'Hello you']]);
    expect(numbers).toEqual(numbers.map((_, at) => at));
  });

  it('keeps its first reasoning', () => {
    const { text, thoughts, output } = project(
      'streamed',
      thought('Hm'),
      words('Hel'),
      restarted(2),
      thought('Well', 'm2'),
      words('Hello', 'm2'),
      ...END,
    );
    expect([thoughts, text]).toEqual(['Hm', 'Hello']);
    expect(output?.map(([type]) => type)).toEqual(['reasoning', 'message']);
  });

  it('keeps earlier output, and gives the next step a new item', () => {
    const { text, output } = project(
      'streamed',
      words('One.'),
      tool('started'),
      tool('succeeded'),
      words('Tw', 'm2'),
      restarted(5),
      words('Two', 'm3'),
      words('.', 'm3'),
      tool('started'),
      words('Three', 'm4'),
      ...END,
    );
    expect(text).toBe('One.Two.Three');
    expect(output?.filter(([type]) => type === 'message').map(([, , events]) => events)).toEqual([
      'One.',
      'Two.',
      'Three',
    ]);
  });

  it.each([
    ['with other words', [words('Good', 'm2'), words('bye', 'm2')]],
    ['with fewer words', [words('He', 'm2')]],
    ['with fewer words before a tool', [words('He', 'm2'), tool('started')]],
  ])('ends the stream with an error of the protocol where it goes on %s', (_how, again) => {
    const { text, last, numbers } = project('streamed', words('Hel'), words('lo'), restarted(2), ...again, ...END);
    expect(text).toBe('Hello');
    expect(last).toMatchObject({ type: 'error', code: 'RUNTIME_UNAVAILABLE', error: { code: 'RUNTIME_UNAVAILABLE' } });
    expect(numbers).toEqual(numbers.map((_, at) => at));
  });

  it('does not appear in a replay', () => {
    const { text, output } = project(
      'buffered',
      words('Hel'),
      restarted(2),
      words('Good', 'm2'),
      words('bye', 'm2'),
      ...END,
    );
    expect(text).toBe('Goodbye');
    expect(output).toEqual([['message', 'completed', 'Goodbye']]);
  });
});

it('delays JSON until it matches its schema', () => {
  const projection = new AppendOnlyProjection(about, 'streamed');
  const started = { event: PRODUCT_EVENTS.sessionStarted, session_id: null, structured: true };
  const events = [started, words('{"a'), restarted(2), words('{}', 'm2')];
  const frames = framesOf(...events).slice(1);
  expect(frames.flatMap((frame) => projection.read(frame))).toEqual([]);
});

it('reports failures and interrupted streams as errors that clients throw', () => {
  const { last } = project(
    'streamed',
    words('Hel'),
    { event: PRODUCT_EVENTS.errorOccurred, code: 'X', message: 'no' },
    {
      event: PRODUCT_EVENTS.streamEnded,
      status: 'FAILED',
    },
  );
  expect(last).toMatchObject({ type: 'response.failed', error: { code: 'X', message: 'no' } });
  const cut = new AppendOnlyProjection(about, 'streamed').cutOff({ code: 'Y', message: 'gone' });
  expect(cut.map((event) => eventData(event))).toMatchObject([
    { type: 'error', sequence_number: 0, error: { code: 'Y' } },
  ]);
});
