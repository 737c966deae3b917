// Protocol events are read in order.
/* oxlint-disable typescript/no-explicit-any */
import { PRODUCT_EVENTS, type TurnFrame } from '@switchyard/contracts';
import { type TestEvent, eventData } from '../../turn-events/event-data';
import { AgUiProjection, type RunContext } from './ag-ui-projection';

const TURN = '0190a0b0-0000-7000-8000-00000000000a';
const QUESTION_ID = '0190a0b0-0000-7000-8000-00000000000c';
const USER = { id: 'u1', role: 'user', content: 'hi' };

function framesOf(...events: TestEvent[]): TurnFrame[] {
  const all: TestEvent[] = [{ event: PRODUCT_EVENTS.sessionStarted, session_id: TURN }, ...events];
  return all.map((data, at) => ({
    seq: at + 1,
    method: data.event.startsWith('message-') ? 'messages' : 'custom:service',
    timestamp: 1_700_000_000_000,
    data,
  })) as unknown[] as TurnFrame[];
}
const START: TestEvent = { event: 'message-start' };
const delta = (text: string, id = 'm1'): TestEvent => ({
  event: PRODUCT_EVENTS.contentDelta,
  delta: text,
  message_id: id,
});
const end = (status = 'COMPLETED'): TestEvent => ({ event: PRODUCT_EVENTS.streamEnded, status });

const project = (frames: TurnFrame[], from: RunContext['from'] = { segment: 1 }, messages: any[] = [USER]): any[] => {
  const projection = new AgUiProjection({ threadId: 't', runId: 'r', turnId: TURN, from, messages });
  return frames.flatMap((frame) => (projection.isOver ? [] : projection.read(frame))).map(eventData);
};
const types = (events: any[]): string[] => events.map(({ type }) => type);

/** As a client adds up what it is told: a message that it has already is added to. */
function messagesAfter(events: any[], before: any[] = [USER]): { id: string; content?: string }[] {
  let messages: any[] = before.map((message) => ({ ...message }));
  for (const event of events) {
    const role = { TEXT_MESSAGE_START: 'assistant', REASONING_MESSAGE_START: 'reasoning' }[event.type as string];
    const existing = messages.find(({ id }) => id === event.messageId);
    if (role && !existing) messages.push({ id: event.messageId, role, content: '' });
    if (existing && event.delta !== undefined) existing.content = `${String(existing.content)}${String(event.delta)}`;
    if (event.type === 'TOOL_CALL_START')
      messages.push({ id: event.toolCallId, role: 'assistant', toolCalls: [event] });
    if (event.type === 'MESSAGES_SNAPSHOT') {
      const sent = new Map<string, any>(event.messages.map((message: any) => [message.id, { ...message }]));
      const hasThoughts = event.messages.some((message: any) => message.role === 'reasoning');
      messages = messages
        .filter(({ id, role: has }) => sent.has(id) || (has === 'reasoning' && !hasThoughts))
        .map((message) => sent.get(message.id) ?? message);
      messages.push(...[...sent.values()].filter(({ id }) => !messages.some((message) => message.id === id)));
    }
  }
  return messages;
}

describe('a retried step', () => {
  const restarted = framesOf(
    START,
    delta('Hel'),
    delta('lo'),
    { event: PRODUCT_EVENTS.stepRestarted, from_seq: 3 },
    START,
    delta('Good'),
    delta('bye'),
    end(),
  );

  it('ends and withdraws its first output before the second one begins under another id', () => {
    const events = project(restarted);
    expect(types(events)).toEqual([
      'RUN_STARTED',
      'STEP_STARTED',
      'TEXT_MESSAGE_START',
      'TEXT_MESSAGE_CONTENT',
      'TEXT_MESSAGE_CONTENT',
      'TEXT_MESSAGE_END',
      'STEP_FINISHED',
      'MESSAGES_SNAPSHOT',
      'STEP_STARTED',
      'TEXT_MESSAGE_START',
      'TEXT_MESSAGE_CONTENT',
      'TEXT_MESSAGE_CONTENT',
      'TEXT_MESSAGE_END',
      'STEP_FINISHED',
      'RUN_FINISHED',
    ]);
    const ids = events.filter(({ type }) => type === 'TEXT_MESSAGE_START').map(({ messageId }) => messageId);
    expect(new Set(ids).size).toBe(2);
    expect(messagesAfter(events)).toEqual([USER, { id: ids[1], role: 'assistant', content: 'Goodbye' }]);
  });

  it('withdraws its reasoning, and keeps that of earlier steps', () => {
    const think = (text: string, id: string): TestEvent => ({
      event: PRODUCT_EVENTS.reasoningDelta,
      delta: text,
      message_id: id,
    });
    const again: TestEvent[] = [
      delta('no', 'm2'),
      { event: PRODUCT_EVENTS.stepRestarted, from_seq: 3 },
      START,
      delta('yes', 'm3'),
      end(),
    ];
    const shown = (events: any[]): any[] =>
      messagesAfter(events)
        .map(({ content }) => content)
        .filter((words) => words !== '');
    expect(shown(project(framesOf(START, think('Hm', 'm2'), ...again)))).toEqual(['hi', 'yes']);
    const later = framesOf(think('A', 'm1'), think('B', 'm2'), ...again);
    expect(shown(project(later))).toEqual(['hi', 'A', 'yes']);
  });

  it('withdraws a complete answer that had to be repaired', () => {
    const repaired = framesOf(
      START,
      delta('no JSON'),
      { event: 'message-finish', usage: { inputTokens: 1, outputTokens: 1 } },
      { event: PRODUCT_EVENTS.stepRestarted, from_seq: 2 },
      START,
      delta('{}', 'm2'),
      { event: 'message-finish', usage: { inputTokens: 1, outputTokens: 1 } },
      end(),
    );
    const events = project(repaired);
    expect(messagesAfter(events)).toEqual([USER, { id: 'm2', role: 'assistant', content: '{}' }]);
    expect(types(events).filter((type) => type === 'MESSAGES_SNAPSHOT')).toHaveLength(1);
  });

  it('keeps earlier output and tool calls', () => {
    const run = (status: string): TestEvent => ({
      event: PRODUCT_EVENTS.toolExecution,
      tool_call_id: 'c1',
      name: 'read',
      source: 'mcp',
      status,
      arguments: { a: 1 },
      ...(status === 'started' ? {} : { result: 'cold' }),
    });
    const events = project(
      framesOf(
        delta('Wait.'),
        run('started'),
        delta('It', 'm2'),
        { event: PRODUCT_EVENTS.stepRestarted, from_seq: 4 },
        run('started'),
        run('succeeded'),
        run('succeeded'),
        delta('Cold', 'm2'),
        end(),
      ),
    );
    expect(types(events).filter((type) => type.startsWith('TOOL_CALL'))).toEqual([
      'TOOL_CALL_START',
      'TOOL_CALL_ARGS',
      'TOOL_CALL_END',
      'TOOL_CALL_RESULT',
    ]);
    const [snapshot] = events.filter(({ type }) => type === 'MESSAGES_SNAPSHOT');
    expect(snapshot.messages).toMatchObject([
      USER,
      { id: 'm1', content: 'Wait.' },
      { role: 'assistant', toolCalls: [{ function: { name: 'read', arguments: '{"a":1}' } }] },
    ]);
    expect(snapshot.messages).toHaveLength(3);
    expect(messagesAfter(events).at(-1)).toMatchObject({ id: 'm2_2', content: 'Cold' });
  });
});

describe('a run', () => {
  const interaction = { id: QUESTION_ID, purpose: 'question', prompt: 'Which?', options: [{ id: 'a', label: 'A' }] };
  const paused = framesOf(
    { event: PRODUCT_EVENTS.reasoningDelta, delta: 'hm', message_id: 'm1' },
    delta('Well.'),
    { event: PRODUCT_EVENTS.localToolCall, call_id: 'c1', name: 'pay', arguments: {} },
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
    delta('A it is.', 'm2'),
    end(),
  );

  it('ends if the turn waits for its client, and the next run continues from there', () => {
    const first = project(paused);
    expect(types(first).slice(1, 6)).toEqual([
      'REASONING_START',
      'REASONING_MESSAGE_START',
      'REASONING_MESSAGE_CONTENT',
      'REASONING_MESSAGE_END',
      'REASONING_END',
    ]);
    const call = first.find(({ type }) => type === 'TOOL_CALL_START');
    expect(first.at(-1).outcome).toEqual({ type: 'success', pendingToolCallIds: [call.toolCallId] });
    const second = project(paused, { segment: 2 });
    expect(types(second)).toEqual(['RUN_STARTED', 'RUN_FINISHED']);
    expect(second.at(-1).outcome).toMatchObject({
      type: 'interrupt',
      interrupts: [{ id: QUESTION_ID, reason: 'question', value: interaction, metadata: { interaction } }],
    });
    const third = project(paused, { interactionId: QUESTION_ID });
    expect(types(third)[0]).toBe('RUN_STARTED');
    expect(messagesAfter(third).at(-1)).toMatchObject({ id: 'm2', content: 'A it is.' });
    expect(third.at(-1).outcome).toEqual({ type: 'success' });
  });

  it('can be replayed from any event, and ends with the same messages', () => {
    const frames = framesOf(
      START,
      { event: PRODUCT_EVENTS.reasoningDelta, delta: 'hm ', message_id: 'm1' },
      { event: PRODUCT_EVENTS.reasoningDelta, delta: 'hm', message_id: 'm1' },
      delta('Hel'),
      delta('lo'),
      { event: PRODUCT_EVENTS.localToolCall, call_id: 'c1', name: 'pay', arguments: {} },
    );
    const whole = project(frames);
    const words = (messages: { id: string; content?: string }[]): unknown =>
      messages.map(({ id, content }) => [id, content]);
    for (const cut of whole.keys()) {
      const has = messagesAfter(whole.slice(0, cut + 1));
      const again = project(frames, { segment: 1 }, has);
      expect([cut, words(messagesAfter(again, has))]).toEqual([cut, words(messagesAfter(whole))]);
    }
  });

  it('reports cancellation, and the reason of a failure', () => {
    expect(project(framesOf(START, delta('a'), end('CANCELLED'))).at(-1).outcome).toEqual({ type: 'cancelled' });
    const failed = project(
      framesOf(START, delta('a'), { event: PRODUCT_EVENTS.errorOccurred, code: 'X', message: 'y' }, end('FAILED')),
    );
    expect(failed.at(-1)).toMatchObject({ type: 'RUN_ERROR', code: 'X', message: 'y' });
  });
});
