import { type Ctx, serviceCtx } from '@switchyard/contracts';
import { newId } from '@switchyard/kernel';
import { Metrics, type Payers, type SpaceUseCounter } from '@switchyard/service';
import type { AgentConfig } from '../../agent.config';
import { TurnSlots } from './turn-slots';

jest.useFakeTimers();

const config = {
  TURNS_HELD_PER_PROCESS: 100,
  TURNS_PER_PROCESS: 100,
  TURN_SPACE_SHARE_PERCENT: 50,
} as unknown as AgentConfig;

function setUp() {
  const payers = { know: () => undefined, of: (spaceId: string) => spaceId } as unknown as Payers;
  const use = { add: () => undefined } as unknown as SpaceUseCounter;
  const slots = new TurnSlots(config, payers, use, new Metrics('agent'));
  const ctx: Ctx = { ...serviceCtx('agent'), spaceId: newId() };
  /** A fresh turn: whether it may begin by now. */
  const fresh = () => {
    const turn = { hasBegun: false };
    void slots.take(ctx).then(() => (turn.hasBegun = true));
    return turn;
  };
  return { slots, fresh };
}

describe('a fresh turn beside one that was lost', () => {
  it('begins at once where none was lost', async () => {
    const { fresh } = setUp();
    const turn = fresh();
    await jest.advanceTimersByTimeAsync(0);
    expect(turn.hasBegun).toBe(true);
  });

  it('waits for two seconds', async () => {
    const { slots, fresh } = setUp();
    slots.beginAlone();
    const turn = fresh();
    await jest.advanceTimersByTimeAsync(1_900);
    expect(turn.hasBegun).toBe(false);
    await jest.advanceTimersByTimeAsync(200);
    expect(turn.hasBegun).toBe(true);
  });

  it('waits for five seconds at most, however many of them follow each other', async () => {
    const { slots, fresh } = setUp();
    slots.beginAlone();
    const turn = fresh();
    for (let second = 0; second < 4; second += 1) {
      await jest.advanceTimersByTimeAsync(1_000);
      slots.beginAlone();
      expect(turn.hasBegun).toBe(false);
    }
    await jest.advanceTimersByTimeAsync(1_100);
    expect(turn.hasBegun).toBe(true);
  });
});
