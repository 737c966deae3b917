import { lastKnown } from './last-known';

describe('the last frame that readers of a turn may have heard', () => {
  const own = (seq: number, epoch: number): { seq: number; epoch: number } => ({ seq, epoch });

  it.each([
    ['is what the log has', { stored: 7, saved: 9, epoch: 2 }, 7],
    [
      'is what this process said last, and the log has not stored yet',
      { stored: 7, saved: 9, epoch: 2, own: own(9, 1) },
      9,
    ],
    [
      'is what this process said last, where the log has lost all',
      { stored: 0, saved: 5, epoch: 2, own: own(9, 1) },
      9,
    ],
    ['is at least the checkpoint, where the log has lost all', { stored: 0, saved: 9, epoch: 2, own: own(5, 1) }, 9],
    [
      'is the log alone, where another process went on with the turn',
      { stored: 7, saved: 9, epoch: 3, own: own(9, 1) },
      7,
    ],
    ['is unknown where the log has nothing', { stored: 0, saved: 9, epoch: 2 }, null],
    [
      'is unknown where it has nothing of what another process said',
      { stored: 0, saved: 9, epoch: 3, own: own(5, 1) },
      null,
    ],
  ])('%s', (_, known, last) => {
    expect(lastKnown(known)).toBe(last);
  });
});
