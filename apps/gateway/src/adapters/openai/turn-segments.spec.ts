import type { TestEvent } from '../../turn-events/event-data';
import { isFrame, PRODUCT_EVENTS, type TurnFrame } from '@switchyard/contracts';
import { ToolAnswers } from './tool-answers';
import { Reached } from '../../turn-events/turn-segments';

const framesOf = (...events: TestEvent[]): TurnFrame[] =>
  events.map((data, at) => ({ seq: at + 1, method: 'custom:service', timestamp: 0, data })) as unknown[] as TurnFrame[];
const run = (id: string, status: string, more: object = {}): TestEvent => ({
  event: PRODUCT_EVENTS.toolExecution,
  tool_call_id: id,
  name: 'pay',
  source: 'local',
  status,
  ...more,
});
const call = (id: string): TestEvent => ({
  event: PRODUCT_EVENTS.localToolCall,
  call_id: id,
  name: 'pay',
  arguments: {},
});
const ended = (status: string): TestEvent => ({ event: PRODUCT_EVENTS.streamEnded, status });

/** Two calls of the host's beside one of the platform, then a question, then the end. */
const BOTH = [run('c1', 'started'), run('c2', 'started'), run('p', 'started'), call('c1'), call('c2')];
const TURN = framesOf(
  ...BOTH,
  run('p', 'succeeded', { result: 'of the platform' }),
  run('c2', 'succeeded', { result: 'two' }),
  run('c1', 'failed', { error: { code: 'LOCAL_TOOL_TIMEOUT' } }),
  { event: PRODUCT_EVENTS.agentInputRequired, interaction: { id: 'i' } },
  ended('WAITING_INPUT'),
  run('q', 'succeeded', { name: 'ask_user', source: 'builtin', result: { selected: [] } }),
  ended('COMPLETED'),
);

function read<T extends { isOver: boolean; read(frame: TurnFrame): unknown }>(projection: T, frames: TurnFrame[]): T {
  for (const frame of frames) if (!projection.isOver) projection.read(frame);
  return projection;
}
const isReached = (segment: number, frames: TurnFrame[], afterQuestion = false): boolean =>
  read(new Reached(segment, afterQuestion), frames).isOver;

describe('a segment of a turn', () => {
  it('exists when it has begun, or begins when the tools of its client are done', () => {
    expect([1, 2, 3, 4].map((segment) => isReached(segment, TURN))).toEqual([true, true, true, false]);
    const sent = BOTH.length + 1;
    expect(isReached(2, TURN.slice(0, sent - 1))).toBe(false);
    expect(isReached(2, TURN.slice(0, sent))).toBe(true);
    // A question may never be answered.
    const request = TURN.findIndex((frame) => isFrame(frame, 'streamEnded')) + 1;
    expect(isReached(3, TURN.slice(0, request))).toBe(false);
    expect(isReached(3, TURN.slice(0, request + 1))).toBe(true);
    // Unless it is known that it was: the turn runs, and has said nothing since.
    expect(isReached(3, TURN.slice(0, request), true)).toBe(true);
    expect(isReached(4, TURN, true)).toBe(false);
  });

  it('continues after the answers of its client only', () => {
    const second = read(new ToolAnswers(2, true), TURN);
    expect([second.reached.isOver, second.given]).toEqual([
      true,
      [
        { callId: 'c1', result: undefined },
        { callId: 'c2', result: 'two' },
      ],
    ]);
    expect(read(new ToolAnswers(3, true), TURN).given).toEqual([{ interactionId: 'i' }]);
    expect(read(new ToolAnswers(4, true), TURN).reached.isOver).toBe(false);
  });
});
