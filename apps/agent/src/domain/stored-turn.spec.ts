import { type ContextStatus, TurnFrameWriter, type TurnRecord, type TurnResult } from '@switchyard/contracts';
import { HeardFrames } from './heard-frames';
import { isToldToEnd, missingFrames, PAUSE_FRAMES, resultOf } from './stored-turn';

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

const told = (record: TurnRecord): unknown[] =>
  missingFrames(record, 'Guide', null).map(({ data }) => (data as { event?: string }).event);

describe('the last frames of a turn whose holder cannot say them', () => {
  it.each([
    [{ status: 'COMPLETED' }, ['response-completed', 'completed', 'stream-ended']],
    [{ status: 'FAILED', error: { code: 'X', message: 'y' } }, ['error-occurred', 'failed', 'stream-ended']],
    [{ status: 'CANCELLED' }, ['interrupted', 'stream-ended']],
    [
      { status: 'WAITING_INPUT', interaction: { id: 'i' } as TurnRecord['interaction'] },
      [undefined, 'agent-input-required', 'interrupted', 'stream-ended'],
    ],
  ] as [Partial<TurnRecord>, unknown[]][])('are those of its kind: %j', (more, events) => {
    expect(told(turn(more))).toEqual(events);
  });

  it('name the agent, tell how full the window is, and carry the result of an execution', () => {
    const left = { ...resultOf(turn({})), answer: 'yes' };
    const [completed, lifecycle] = missingFrames(turn({ result: { ...left, kind: 'execute' } }), 'Guide', null);
    expect(completed?.data).toMatchObject({ result: { answer: 'yes', agent_id: 'a' }, tokens_used: 5 });
    expect(lifecycle?.data).toMatchObject({ graphName: 'Guide' });
    const context = { usedTokens: 7, remainingTokens: 93, maxTokens: 100, estimated: true } as ContextStatus;
    const [usage, chatted] = missingFrames(turn({ result: { ...left, kind: 'chat' } }), 'Guide', context);
    expect(usage?.data).toMatchObject({
      event: 'context-usage',
      used_tokens: 7,
      remaining_tokens: 93,
      max_tokens: 100,
    });
    expect(chatted?.data).not.toHaveProperty('result');
  });
});

describe('the end of a stream', () => {
  const paused = (id: string): TurnRecord =>
    turn({ status: 'WAITING_INPUT', interaction: { id } as TurnRecord['interaction'] });

  /** After what `records` say one after the other: the turn paused, went on, and so forth. */
  function heard(...records: TurnRecord[]): HeardFrames {
    const writer = new TurnFrameWriter();
    const told = new HeardFrames();
    const frames = records.flatMap((record) => missingFrames(record, 'Guide', null));
    for (const frame of frames) told.take(writer.write(frame, 1));
    return told;
  }

  it.each([
    ['is told where the turn has ended', turn({}), [paused('i'), turn({})], true],
    [
      'is told where the turn has ended since it was read',
      paused('i'),
      [paused('i'), turn({ status: 'FAILED' })],
      true,
    ],
    ['is told where the turn pauses', paused('i'), [paused('i')], true],
    ['is not told by an earlier pause of a turn that has ended', turn({}), [paused('i')], false],
    ['is not told by the pause before this one', paused('j'), [paused('i')], false],
    ['is told by this pause behind another one', paused('j'), [paused('i'), paused('j')], true],
    ['is not told where there is none', turn({}), [], false],
  ])('%s', (_, record, records, isTold) => {
    expect(isToldToEnd(record, heard(...records))).toBe(isTold);
  });

  it('of a pause is as long as a reader of the end alone looks back', () => {
    expect(missingFrames(paused('i'), 'Guide', null)).toHaveLength(PAUSE_FRAMES);
  });
});

describe('the result of a turn', () => {
  it('is what its holder left, as the turn stands now', () => {
    const left = { ...resultOf(turn({})), answer: 'half', status: 'WAITING_INPUT' } as TurnResult;
    const cancelled = { ...left, status: 'CANCELLED' };
    expect(resultOf(turn({ result: { ...left, kind: 'chat' }, status: 'CANCELLED' }))).toEqual(cancelled);
    expect(resultOf(turn({ result: left, status: 'CANCELLED' }))).toEqual(cancelled);
    expect(resultOf(turn({ usage: null }))).toMatchObject({
      tokens_used: 0,
      token_usage: { total_tokens: 0, cost: 0 },
    });
  });
});
