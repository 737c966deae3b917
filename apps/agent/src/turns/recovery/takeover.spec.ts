import { productFrame, TurnFrameWriter } from '@switchyard/contracts';
import type { Checkpoint } from '../../domain/final-frames';
import { newTurnState } from '../../domain/turn-state';
import { hasAllFrames, lastSeenSeq, startAfter } from './takeover';

describe('the last frame that readers of a turn may have', () => {
  const own = (seq: number, epoch: number): { seq: number; epoch: number } => ({ seq, epoch });

  it.each([
    ['is what the log has', { stored: 7, saved: 9, epoch: 2 }, 7],
    [
      'is the last one of this process, and the log has not stored yet',
      { stored: 7, saved: 9, epoch: 2, own: own(9, 1) },
      9,
    ],
    [
      'is the last one of this process, where the log has lost all',
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
    ['is unknown where it has nothing of another process', { stored: 0, saved: 9, epoch: 3, own: own(5, 1) }, null],
  ])('%s', (_, positions, last) => {
    expect(lastSeenSeq(positions)).toBe(last);
  });
});

describe('the frames of a turn that is taken over', () => {
  const writer = new TurnFrameWriter(6);
  const frames = ['a', 'b', 'c'].map((text) => writer.write(productFrame('turnPersistPending', { turn_id: text }), 1));
  const state = newTurnState('m');
  const saved: Checkpoint = { state, seq: 9, finalFrames: { firstSeq: 7, lastSeq: 9, text: frames.join('\n') } };
  // Its four last frames are written after it is stored.
  const paused: Checkpoint = { ...saved, state: { ...state, phase: 'waiting' }, seq: 13 };
  const earlier = ({ state: standing, seq }: Checkpoint): Checkpoint => ({ state: standing, seq });

  it.each([
    ['go on behind the log, where nothing was stored', 5, null, { base: 5, repeated: [], isCut: false }],
    ['go on behind the log, where it has those of the checkpoint', 9, saved, { base: 9, repeated: [], isCut: false }],
    ['go on with the lost frames', 7, saved, { base: 7, repeated: frames.slice(1), isCut: false }],
    ['go on with the lost frames of a pause', 7, paused, { base: 7, repeated: frames.slice(1), isCut: false }],
    ['go on without those of before, where more was lost', 5, saved, { base: 9, repeated: [], isCut: true }],
    ['go on without those that an earlier version lost', 5, earlier(saved), { base: 9, repeated: [], isCut: true }],
    ['go on behind a pause of an earlier version', 9, earlier(paused), { base: 9, repeated: [], isCut: false }],
    ['go on without those before such a pause', 8, earlier(paused), { base: 13, repeated: [], isCut: true }],
  ])('%s', (_, base, checkpoint, start) => {
    expect(startAfter(base, checkpoint)).toEqual(start);
  });

  it('can all be written again, if the checkpoint has the first one and its turn did not pause', () => {
    const finalFrames = { firstSeq: 1, lastSeq: 3, text: '' };
    const all = [{ ...saved, finalFrames }, { ...paused, finalFrames }, saved, earlier(saved), null].map(hasAllFrames);
    expect(all).toEqual([true, false, false, false, false]);
  });
});
