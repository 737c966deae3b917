import { type FrameBody, REASONING_MAX } from '@switchyard/contracts';
import fc from 'fast-check';
import { newestFrames } from '../../domain/final-frames';
import { advance } from '../../domain/turn-reducer';
import { newTurnState, type TurnFacts } from '../../domain/turn-state';
import type { Update } from '../../domain/turn-update';
import type { TurnFeed } from '../frames/turn-feed';
import type { TurnSpec } from './turn-spec';
import { TurnExecution } from './turn-execution';

const FACTS: TurnFacts = {
  turnId: 't',
  sessionId: 's',
  agentId: 'a',
  agentName: 'Guide',
  kind: 'chat',
  maxSteps: 5,
  askMode: false,
  canAsk: true,
  hasKnowledge: false,
  structured: false,
};
const CALLED: Update = { type: 'model-called', messageId: 'm' };
const FINISHED: Update = {
  type: 'model-finished',
  toolCalls: [],
  usage: { promptTokens: 1, completionTokens: 1, cost: 0 },
  finishReason: 'stop',
  model: 'm',
};

function anExecution() {
  const frames: FrameBody[] = [];
  const feed = {
    seq: 0,
    emit: (bodies: readonly FrameBody[]) => frames.push(...bodies),
    unconfirmed: () => newestFrames([], 0),
  } as unknown as TurnFeed;
  const turn = new TurnExecution({ facts: FACTS, key: 'k', epoch: 1 } as TurnSpec, feed, newTurnState('m'));
  turn.apply(CALLED);
  return { turn, frames };
}

/** The reference: one update for each delta. */
function oneByOne(updates: readonly Update[]) {
  const frames: FrameBody[] = [];
  let state = newTurnState('m');
  for (const update of [CALLED, ...updates]) {
    const step = advance(FACTS, state, update);
    state = step.state;
    frames.push(...step.frames);
  }
  return { state, frames };
}

const word = fc.record({
  type: fc.constantFrom('delta', 'reasoning'),
  text: fc.oneof(fc.string({ unit: 'grapheme' }), fc.constant('x'.repeat(REASONING_MAX - 3))),
});

describe('what a model says in a stretch of a turn', () => {
  it('gives the same state and frames as one update for each delta, whenever the state is read', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(word, fc.boolean()), { maxLength: 12 }), (words) => {
        const { turn, frames } = anExecution();
        const updates: Update[] = [];
        for (const [{ type, text }, isLookedAt] of words) {
          turn.appendDelta(type, text);
          updates.push({ type, text });
          if (isLookedAt) expect(turn.state).toEqual(oneByOne(updates).state);
        }
        turn.apply(FINISHED);
        expect({ state: turn.state, frames }).toEqual(oneByOne([...updates, FINISHED]));
      }),
    );
  });

  it('is in a checkpoint, and in what an interruption leaves', () => {
    const { turn } = anExecution();
    for (const text of ['It ', 'is ', 'so']) turn.appendDelta('delta', text);
    expect(turn.checkpoint().state.open?.text).toBe('It is so');
    turn.appendDelta('delta', ' far');
    turn.charge({ promptTokens: 1, completionTokens: 2, cost: 3 });
    expect([turn.state.open?.text, turn.state.usage.cost]).toEqual(['It is so far', 3]);
    turn.appendDelta('delta', '.');
    expect(turn.interrupt({ type: 'cancelled' })).toBe(true);
    expect(turn.state.steps).toMatchObject([{ text: 'It is so far.' }]);
    turn.appendDelta('delta', 'late');
    expect(turn.state.steps).toMatchObject([{ text: 'It is so far.' }]);
  });
});
