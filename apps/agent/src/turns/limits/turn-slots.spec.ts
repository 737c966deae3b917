import { type Ctx, serviceCtx } from '@switchyard/contracts';
import { newId, sleep } from '@switchyard/kernel';
import { Metrics, type PayerCache, type SpaceUseCounter } from '@switchyard/service';
import type { AgentConfig } from '../../agent.config';
import { TurnSlots } from './turn-slots';

jest.useFakeTimers();

const config = {
  TURNS_HELD_PER_PROCESS: 100,
  TURNS_PER_PROCESS: 100,
  TURN_SPACE_SHARE_PERCENT: 50,
} as unknown as AgentConfig;

function setUp() {
  const payerCache = { know: () => undefined, of: (spaceId: string) => spaceId } as unknown as PayerCache;
  const use = { add: () => undefined } as unknown as SpaceUseCounter;
  const slots = new TurnSlots(config, payerCache, use, new Metrics('agent'));
  const ctx: Ctx = { ...serviceCtx('agent'), spaceId: newId() };
  /** A fresh turn: whether it may begin by now. */
  const fresh = () => {
    const turn = { hasBegun: false };
    void slots.take(ctx).then(() => (turn.hasBegun = true));
    return turn;
  };
  /** Claims a turn that was lost, or nothing. */
  const claim = (hasSuspect = true) => slots.claim(() => Promise.resolve(hasSuspect), Boolean);
  return { slots, fresh, claim, ctx };
}

describe('a fresh turn beside one that was lost', () => {
  it('begins at once where none was lost', async () => {
    const { fresh } = setUp();
    const turn = fresh();
    await jest.advanceTimersByTimeAsync(0);
    expect(turn.hasBegun).toBe(true);
  });

  it('waits for two seconds', async () => {
    const { fresh, claim } = setUp();
    await claim();
    const turn = fresh();
    await jest.advanceTimersByTimeAsync(1_900);
    expect(turn.hasBegun).toBe(false);
    await jest.advanceTimersByTimeAsync(200);
    expect(turn.hasBegun).toBe(true);
  });

  it('waits for five seconds at most, however many of them follow each other', async () => {
    const { fresh, claim } = setUp();
    await claim();
    const turn = fresh();
    for (let second = 0; second < 4; second += 1) {
      await jest.advanceTimersByTimeAsync(1_000);
      await claim();
      expect(turn.hasBegun).toBe(false);
    }
    await jest.advanceTimersByTimeAsync(1_100);
    expect(turn.hasBegun).toBe(true);
  });

  it('waits while a claim is under way, and begins if that brings none', async () => {
    const { slots, fresh } = setUp();
    for (const brings of [() => false, () => Promise.reject(new Error('no answer'))]) {
      const claimed = slots.claim(() => sleep(1_500).then(brings), Boolean).catch(() => false);
      const turn = fresh();
      await jest.advanceTimersByTimeAsync(1_400);
      expect(turn.hasBegun).toBe(false);
      await jest.advanceTimersByTimeAsync(200);
      await claimed;
      expect(turn.hasBegun).toBe(true);
    }
  });

  it('waits as long if a later claim brings none', async () => {
    const { fresh, claim } = setUp();
    await claim();
    await claim(false);
    const turn = fresh();
    await jest.advanceTimersByTimeAsync(1_900);
    expect(turn.hasBegun).toBe(false);
  });

  it('waits again before it is opened if one was claimed meanwhile, and five seconds in all', async () => {
    const { slots, claim, ctx } = setUp();
    await claim();
    const taking = slots.take(ctx);
    await jest.advanceTimersByTimeAsync(2_100);
    const slot = await taking;
    expect(slot.mayBegin()).toBeUndefined();
    const opening = { isOver: false };
    await claim();
    void slot.mayBegin()?.then(() => (opening.isOver = true));
    await jest.advanceTimersByTimeAsync(1_800);
    expect(opening.isOver).toBe(false);
    await claim();
    await jest.advanceTimersByTimeAsync(1_300);
    expect(opening.isOver).toBe(true);
  });
});
