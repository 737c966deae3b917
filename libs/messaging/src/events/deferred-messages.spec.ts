import { DeferredMessages } from './deferred-messages';

const parkedOf = (...seqs: number[]): { parked: DeferredMessages; clock: { at: number } } => {
  const clock = { at: 0 };
  const parked = new DeferredMessages(() => clock.at);
  for (const seq of seqs) parked.park('a', seq, `reply-${seq}`);
  return { parked, clock };
};
const upTo =
  (most: number) =>
  (_: string, expected: number): boolean =>
    expected < most;

describe('parked messages', () => {
  it('come back oldest first, no more of them than there is room for', () => {
    const { parked } = parkedOf(4, 2, 3);
    expect(parked.recall(upTo(2))).toEqual(['reply-2', 'reply-3']);
    expect(parked.recall(upTo(2))).toEqual([]);
    expect(parked.mayPass('a', 2)).toBe(true);
    expect(parked.recall(upTo(2))).toEqual(['reply-4']);
  });

  it('have what comes later of their Space behind them, and nothing of another', () => {
    const { parked } = parkedOf(2);
    expect([parked.mayPass('a', 3), parked.mayPass('b', 3), parked.mayPass('a', 1)]).toEqual([false, true, true]);
    parked.recall(upTo(1));
    expect([parked.mayPass('a', 3), parked.mayPass('a', 2), parked.mayPass('a', 3)]).toEqual([false, true, true]);
  });

  it('stand behind an earlier one that came back and found no room after all', () => {
    const { parked } = parkedOf(2, 3, 4);
    parked.recall(upTo(3));
    expect(parked.mayPass('a', 2)).toBe(true);
    parked.park('a', 2, 'reply-2 once more');
    expect(parked.mayPass('a', 3)).toBe(false);
    parked.park('a', 3, 'reply-3 once more');
    expect(parked.recall(upTo(2))).toEqual(['reply-2 once more']);
    expect([parked.mayPass('a', 2), parked.mayPass('a', 4)]).toEqual([true, false]);
  });

  it('stand behind an earlier one that was asked for once more after them', () => {
    const { parked } = parkedOf(2, 3);
    parked.recall(upTo(2));
    parked.mayPass('a', 2);
    parked.park('a', 2, 'reply-2 once more');
    parked.recall(upTo(2));
    expect(parked.mayPass('a', 3)).toBe(false);
    parked.park('a', 3, 'reply-3 once more');
    expect(parked.mayPass('a', 2)).toBe(true);
  });

  it('do not wait for one that was asked for with them and should come first', () => {
    const { parked } = parkedOf(2, 3);
    parked.recall(upTo(2));
    expect(parked.mayPass('a', 3)).toBe(true);
  });

  it('are not waited for when they went to another replica', () => {
    const { parked, clock } = parkedOf(2, 3);
    parked.recall(upTo(1));
    clock.at = 2000;
    expect(parked.mayPass('a', 4)).toBe(false);
    expect(parked.recall(upTo(1))).toEqual(['reply-3']);
    clock.at = 4000;
    expect(parked.mayPass('a', 4)).toBe(true);
  });

  it('are answered where they were delivered last', () => {
    const { parked } = parkedOf(2);
    expect(parked.mayPass('a', 2)).toBe(true);
    parked.park('a', 2, 'later');
    expect(parked.replies).toEqual(['later']);
  });
});
