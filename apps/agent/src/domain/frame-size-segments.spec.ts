import { FrameSizeSegments } from './frame-size-segments';

const of = (messages: number): FrameSizeSegments => {
  const segments = new FrameSizeSegments(1000);
  for (let at = 0; at < messages; at += 1) segments.add({ bytes: 500, messages: 1 });
  return segments;
};

describe('the segments of a turn’s frames', () => {
  it('are cut off oldest first, as many as the excess needs', () => {
    expect(of(10).cut(0)).toEqual({ bytes: 5000, messages: 10 });
    expect(of(10).cut(1)).toEqual({ bytes: 4000, messages: 8 });
    expect(of(10).cut(2001)).toEqual({ bytes: 2000, messages: 4 });
  });

  it('keep the last one, which is still written to', () => {
    expect(of(9).cut(1_000_000)).toEqual({ bytes: 500, messages: 1 });
    expect(of(1).cut(1_000_000)).toEqual({ bytes: 500, messages: 1 });
  });

  it('count on after a cut', () => {
    const segments = of(4);
    segments.cut(1);
    segments.add({ bytes: 300, messages: 2 });
    expect(segments.cut(0)).toEqual({ bytes: 1300, messages: 4 });
  });
});
