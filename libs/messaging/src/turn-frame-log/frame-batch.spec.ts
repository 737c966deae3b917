import { seqOfFrame } from '@switchyard/contracts';
import { framesAfter, joinFrames, unpackFrames } from './frame-batch';

const frame = (seq: number): string => `{"type":"event","params":{"data":{"delta":"a\\n\\"seq\\":9"}},"seq":${seq}}`;

describe('frames of one turn that travel together', () => {
  it('come back as they were', () => {
    const frames = [frame(7), frame(8)];
    expect(unpackFrames(Buffer.from(joinFrames(frames)))).toEqual(frames);
    expect(unpackFrames(Buffer.from(joinFrames(frames))).map(seqOfFrame)).toEqual([7, 8]);
  });

  it('are cut to what the reader has not seen', () => {
    const batch = { firstSeq: 7, frames: [frame(7), frame(8)] };
    expect(framesAfter(batch, 6)).toHaveLength(2);
    expect(framesAfter(batch, 7)?.map(seqOfFrame)).toEqual([8]);
    expect(framesAfter(batch, 9)).toEqual([]);
  });

  it('say when frames before them are missing', () => {
    expect(framesAfter({ firstSeq: 7, frames: [frame(7)] }, 5)).toBeNull();
  });
});
