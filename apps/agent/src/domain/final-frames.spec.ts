import { productFrame, TurnFrameWriter } from '@switchyard/contracts';
import { FINAL_FRAMES_CHARS, finalFramesAfter, isFromFirst, newestFrames } from './final-frames';

const writer = new TurnFrameWriter(6);
const frames = ['a', 'b', 'c'].map((text) => writer.write(productFrame('turnPersistPending', { turn_id: text }), 1));
const final = { firstSeq: 7, lastSeq: 9, text: frames.join('\n') };

describe('the frames that are stored with a turn', () => {
  it.each([
    ['all, where the log ends before them', 6, frames],
    ['the rest, where the log has some', 7, frames.slice(1)],
    ['none, where it has all', 9, []],
    ['none, where it has more', 12, []],
    ['unusable, where some between are in neither', 5, null],
  ])('are %s', (_, last, expected) => {
    expect(finalFramesAfter(final, last)).toEqual(expected);
  });

  it('are unusable with other numbers', () => {
    expect(finalFramesAfter({ ...final, firstSeq: 8 }, 7)).toBeNull();
  });

  it('are all of the turn, if they begin with the first', () => {
    const of = (firstSeq: number, lastSeq: number) => isFromFirst({ firstSeq, lastSeq, text: '' });
    expect([of(1, 3), of(2, 3), of(1, 0), isFromFirst(undefined)]).toEqual([true, false, false, false]);
  });

  it('are the newest whole frames, as many as are allowed', () => {
    expect(newestFrames(frames, 9)).toEqual(final);
    expect(newestFrames([], 9)).toEqual({ firstSeq: 10, lastSeq: 9, text: '' });
    const long = 'x'.repeat(FINAL_FRAMES_CHARS - 2);
    expect(newestFrames(['y', long, 'z'], 9)).toEqual({ firstSeq: 8, lastSeq: 9, text: `${long}\nz` });
    expect(newestFrames(['y', `${long}x`, 'z'], 9)).toEqual({ firstSeq: 9, lastSeq: 9, text: 'z' });
    expect(newestFrames(['y', `${long}xyz`], 9)).toEqual({ firstSeq: 10, lastSeq: 9, text: '' });
  });
});
