// Protocol events are read in order.
/* oxlint-disable typescript/no-explicit-any */
import { PRODUCT_EVENTS, type TurnFrame } from '@switchyard/contracts';
import { type TestEvent, eventData } from '../../turn-events/event-data';
import { LangGraphProjection, type RunContext } from './langgraph-projection';

const TURN = '0190a0b0-0000-7000-8000-00000000000a';

const METHODS: [RegExp, TurnFrame['method']][] = [
  [/^(started|running)$/, 'lifecycle'],
  [/^(message|content-block)-/, 'messages'],
  [/^tool-(started|finished)$/, 'tools'],
];

function framesOf(...events: TestEvent[]): TurnFrame[] {
  const all: TestEvent[] = [{ event: 'started', graph_name: 'A' }, { event: PRODUCT_EVENTS.sessionStarted }, ...events];
  return all.map((data, at) => ({
    seq: at + 1,
    method: METHODS.find(([pattern]) => pattern.test(data.event))?.[1] ?? 'custom:service',
    timestamp: 1_700_000_000_000,
    data,
  })) as unknown[] as TurnFrame[];
}
const start = (id = 'm1'): TestEvent => ({ event: 'message-start', id, metadata: { model: 'sim' } });
const delta = (text: string, id = 'm1'): TestEvent => ({
  event: PRODUCT_EVENTS.contentDelta,
  delta: text,
  message_id: id,
});
const finish = (): TestEvent => ({
  event: 'message-finish',
  usage: { input_tokens: 3, output_tokens: 2, total_tokens: 5 },
});
const end = (status = 'COMPLETED'): TestEvent => ({ event: PRODUCT_EVENTS.streamEnded, status });
const running: TestEvent = { event: 'running', graph_name: 'A' };

const project = (frames: TurnFrame[], about: Partial<RunContext> = {}): any[] => {
  const projection = new LangGraphProjection({
    threadId: 't',
    turnId: TURN,
    firstEventOffset: 100,
    lastReceived: 0,
    isSubscribed: (channel) => !channel.startsWith('custom'),
    ...about,
  });
  return frames.flatMap((frame) => projection.read(frame)).map(eventData);
};
const outputOf = (events: any[]): string[] =>
  events.map(({ method, params }) => (params.data.event ? `${method} ${params.data.event}` : method));
const snapshots = (events: any[]): any[] =>
  events.filter(({ method }) => method === 'values').map(({ params }) => params.data.messages);

/** As a client shows it: message by message, without those that ended with an error. */
function shown(events: any[]): Record<string, string> {
  const texts = new Map<string, string>();
  let id = '';
  for (const { method, params } of events) {
    if (method !== 'messages') continue;
    const { data } = params;
    if (data.event === 'message-start') texts.set((id = data.id), '');
    if (data.event === 'content-block-delta') texts.set(id, `${texts.get(id) ?? ''}${String(data.delta.text)}`);
    if (data.event === 'error') texts.delete(id);
  }
  return Object.fromEntries(texts);
}

describe('a retried step', () => {
  const restarted = framesOf(
    start(),
    delta('Hel'),
    delta('lo'),
    { event: PRODUCT_EVENTS.stepRestarted, from_seq: 3 },
    running,
    start(),
    delta('Good'),
    delta('bye'),
    finish(),
    end(),
  );

  it('ends and withdraws its first output before the second one begins under another id', () => {
    const events = project(restarted);
    expect(outputOf(events)).toEqual([
      'lifecycle started',
      'values',
      'messages message-start',
      'messages content-block-start',
      'messages content-block-delta',
      'messages content-block-delta',
      'messages error',
      'values',
      'lifecycle running',
      'messages message-start',
      'messages content-block-start',
      'messages content-block-delta',
      'messages content-block-delta',
      'messages content-block-finish',
      'messages message-finish',
      'values',
      'lifecycle completed',
    ]);
    expect(shown(events)).toEqual({ m1_2: 'Goodbye' });
    const [, taken, last] = snapshots(events);
    expect(taken).toEqual([]);
    expect(last).toMatchObject([{ type: 'ai', id: 'm1_2', content: 'Goodbye' }]);
  });

  it('keeps earlier output and tool calls', () => {
    const call = { type: 'tool_call', id: 'c1', name: 'read', args: { a: 1 } };
    const events = project(
      framesOf(
        start(),
        delta('Wait.'),
        { event: 'content-block-start', content: { type: 'tool_call_chunk', id: 'c1', name: 'read', args: null } },
        { event: 'content-block-finish', content: call },
        finish(),
        { event: 'tool-started', tool_call_id: 'c1', tool_name: 'read', input: { a: 1 } },
        start('m2'),
        delta('It', 'm2'),
        { event: PRODUCT_EVENTS.stepRestarted, from_seq: 9 },
        running,
        { event: 'tool-started', tool_call_id: 'c1', tool_name: 'read', input: { a: 1 } },
        { event: 'tool-finished', tool_call_id: 'c1', output: 'cold' },
        { event: PRODUCT_EVENTS.toolExecution, tool_call_id: 'c1', name: 'read', status: 'succeeded', result: 'cold' },
        start('m3'),
        delta('Cold', 'm3'),
        finish(),
        end(),
      ),
    );
    expect(outputOf(events).filter((events) => events.startsWith('tools'))).toEqual([
      'tools tool-started',
      'tools tool-finished',
    ]);
    expect(shown(events)).toEqual({ m1: 'Wait.', m3: 'Cold' });
    expect(snapshots(events).at(-1)).toMatchObject([
      { id: 'm1', content: 'Wait.', tool_calls: [call] },
      { type: 'tool', tool_call_id: 'c1', content: 'cold' },
      { id: 'm3', content: 'Cold', usage_metadata: { total_tokens: 5 } },
    ]);
  });
});

describe('a run', () => {
  const interaction = { id: TURN, purpose: 'question', prompt: 'Which?' };
  const paused = framesOf(
    { event: PRODUCT_EVENTS.reasoningDelta, delta: 'hm', message_id: 'm1' },
    delta('Well.'),
    finish(),
    { event: PRODUCT_EVENTS.localToolCall, call_id: 'c1', name: 'pay', arguments: { n: 1 } },
    {
      event: PRODUCT_EVENTS.toolExecution,
      tool_call_id: 'c1',
      name: 'pay',
      source: 'local',
      status: 'succeeded',
      result: 'ok',
    },
    { event: PRODUCT_EVENTS.agentInputRequired, interaction },
    end('WAITING_INPUT'),
    running,
    delta('A it is.', 'm2'),
    finish(),
    end(),
  );

  it('is interrupted if the turn waits for its client, and continues', () => {
    const events = project(paused);
    const sent = events.filter(({ method }) => method.startsWith('input') || method === 'lifecycle');
    expect(outputOf(sent)).toEqual([
      'lifecycle started',
      'input.requested',
      'lifecycle interrupted',
      'input.answered',
      'lifecycle running',
      'input.requested',
      'lifecycle interrupted',
      'input.answered',
      'lifecycle running',
      'lifecycle completed',
    ]);
    expect(sent[1].params.data.payload).toEqual({ type: 'tool', toolCall: { id: 'c1', name: 'pay', args: { n: 1 } } });
    expect(sent[5].params.data).toEqual({ interrupt_id: TURN, payload: interaction });
    expect(sent[7].params.data).toEqual({ interrupt_ids: [TURN] });
  });

  it('has the same event numbers for every reader, from any start', () => {
    const whole = project(paused, { isSubscribed: () => true });
    expect(whole.map(({ seq }) => seq)).toEqual(whole.map((_, at) => 101 + at));
    expect(project(paused, { isSubscribed: () => true, lastReceived: 110 })).toEqual(whole.slice(10));
    const some = project(paused, { isSubscribed: (channel) => channel === 'messages' });
    expect(some).toEqual(whole.filter(({ method }) => method === 'messages'));
  });

  it('reports cancellation, and the reason of a failure', () => {
    expect(outputOf(project(framesOf(start(), delta('a'), end('CANCELLED')))).at(-1)).toBe('lifecycle interrupted');
    const failed = project(framesOf({ event: PRODUCT_EVENTS.errorOccurred, code: 'X', message: 'y' }, end('FAILED')));
    expect(failed.at(-1).params.data).toEqual({ event: 'failed', graph_name: 'A', error: 'X: y' });
  });
});
