import {
  type ContextStatus,
  PRODUCT_EVENTS,
  productFrame,
  TurnFrameWriter,
  type TurnRecord,
  type TurnResult,
} from '@switchyard/contracts';
import { endsTurn, missingFrames, resultOf } from './read-stored-turn';
import { PAUSE_FRAMES } from './turn-reducer';

const USAGE = { promptTokens: 3, completionTokens: 2, totalTokens: 5, cost: 0.1 };

const turn = (more: Partial<TurnRecord>): TurnRecord => ({
  id: 't',
  key: 'k',
  agentId: 'a',
  userId: 'u',
  sessionId: 's',
  status: 'COMPLETED',
  startedAt: '2026-01-01T00:00:00.000Z',
  finishedAt: '2026-01-01T00:00:01.000Z',
  error: null,
  epoch: 1,
  owner: 'gone',
  cancelRequested: false,
  finishReason: 'stop',
  usage: USAGE,
  result: null,
  interaction: null,
  ...more,
});

const framesOf = (record: TurnRecord): unknown[] =>
  missingFrames(record, 'Guide', null).map(({ data }) => (data as { event?: string }).event);

describe('the last frames of a turn whose holder cannot say them', () => {
  it.each([
    [{ status: 'COMPLETED' }, [PRODUCT_EVENTS.responseCompleted, 'completed', PRODUCT_EVENTS.streamEnded]],
    [
      { status: 'FAILED', error: { code: 'X', message: 'y' } },
      [PRODUCT_EVENTS.errorOccurred, 'failed', PRODUCT_EVENTS.streamEnded],
    ],
    [{ status: 'CANCELLED' }, ['interrupted', PRODUCT_EVENTS.streamEnded]],
    [
      { status: 'WAITING_INPUT', interaction: { id: 'i' } as TurnRecord['interaction'] },
      [undefined, PRODUCT_EVENTS.agentInputRequired, 'interrupted', PRODUCT_EVENTS.streamEnded],
    ],
  ] as [Partial<TurnRecord>, unknown[]][])('are those of its kind: %j', (more, events) => {
    expect(framesOf(turn(more))).toEqual(events);
  });

  it('name the agent, tell how full the window is, and carry the result of an execution', () => {
    const remaining = { ...resultOf(turn({})), answer: 'yes' };
    const [completed, lifecycle] = missingFrames(turn({ result: { ...remaining, kind: 'execute' } }), 'Guide', null);
    expect(completed?.data).toMatchObject({ result: { answer: 'yes', agent_id: 'a' }, tokens_used: 5 });
    expect(lifecycle?.data).toMatchObject({ graphName: 'Guide' });
    const context = { usedTokens: 7, remainingTokens: 93, maxTokens: 100, estimated: true } as ContextStatus;
    const [usage, chatted] = missingFrames(turn({ result: { ...remaining, kind: 'chat' } }), 'Guide', context);
    expect(usage?.data).toMatchObject({
      event: PRODUCT_EVENTS.contextUsage,
      used_tokens: 7,
      remaining_tokens: 93,
      max_tokens: 100,
    });
    expect(chatted?.data).not.toHaveProperty('result');
  });
});

describe('the last frame of a turn', () => {
  const result = (lastSeq: number): TurnResult => {
    const finalFrames = { firstSeq: lastSeq + 1, lastSeq, text: '' };
    return { ...resultOf(turn({})), ...{ refused: [finalFrames] } };
  };
  /** Paused with this frame as the last one before the pause. */
  const paused = (lastSeq: number): TurnRecord =>
    turn({
      status: 'WAITING_INPUT',
      interaction: { id: 'i' } as TurnRecord['interaction'],
      result: result(lastSeq),
    });
  /** The last frame of a stream that has as many before it as this. */
  const endOf = (record: TurnRecord, seq: number): string => {
    const writer = new TurnFrameWriter(seq);
    return (
      missingFrames(record, 'Guide', null)
        .map((frame) => writer.write(frame, 1))
        .at(-1) ?? ''
    );
  };

  it.each([
    ['ends a turn that has ended', turn({}), endOf(turn({}), 5), true],
    ['ends a turn that has ended since it was read', paused(5), endOf(turn({ status: 'FAILED' }), 9), true],
    ['ends the pause that is stored', paused(5), endOf(paused(5), 5), true],
    ['is that of an earlier pause, where the turn has ended', turn({ result: result(5) }), endOf(paused(5), 5), false],
    ['is that of the pause before this one', paused(12), endOf(paused(5), 5), false],
    ['is the end of a pause that an earlier version stored', { ...paused(5), result: null }, endOf(paused(5), 5), true],
    [
      'is another one',
      turn({}),
      new TurnFrameWriter(5).write(productFrame('turnPersistPending', { turn_id: 't' }), 1),
      false,
    ],
  ])('%s', (_, record, frame, isEnd) => {
    expect(endsTurn(record, frame)).toBe(isEnd);
  });

  it('is one of as many as a checkpoint counts for a pause', () => {
    expect(missingFrames(paused(5), 'Guide', null)).toHaveLength(PAUSE_FRAMES);
  });
});

describe('the result of a turn', () => {
  it('is what its holder left, as the turn stands now', () => {
    const remaining = { ...resultOf(turn({})), answer: 'half', status: 'WAITING_INPUT' } as TurnResult;
    const cancelled = { ...remaining, status: 'CANCELLED' };
    expect(resultOf(turn({ result: { ...remaining, kind: 'chat' }, status: 'CANCELLED' }))).toEqual(cancelled);
    expect(resultOf(turn({ result: remaining, status: 'CANCELLED' }))).toEqual(cancelled);
    // Of this version, and of the one before.
    for (const refused of [['m1'], [{ firstSeq: 1, lastSeq: 0, text: '' }]]) {
      const more = { steps: [], refused, begun: [] };
      expect(resultOf(turn({ result: { ...remaining, ...more }, status: 'CANCELLED' }))).toEqual(cancelled);
    }
    expect(resultOf(turn({ usage: null }))).toMatchObject({
      tokens_used: 0,
      token_usage: { total_tokens: 0, cost: 0 },
    });
  });
});
