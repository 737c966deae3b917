import { FrameWindow } from './frame-window';

const MIB = 1024 * 1024;

describe('the window of frames', () => {
  it('is full after 2,048 frames, and free again when one is confirmed', () => {
    const window = new FrameWindow();
    const paced: number[] = [];
    for (let n = 0; n < 2048; n += 1) {
      expect(window.isFullFor(10)).toBe(false);
      const { number, isPace } = window.add(10);
      if (isPace) paced.push(number);
    }
    expect([window.isFullFor(10), paced]).toEqual([true, [256, 512, 768, 1024, 1280, 1536, 1792, 2048]]);
    expect([window.confirm(255), window.isFullFor(10)]).toEqual([false, true]);
    expect([window.confirm(512), window.isFullFor(10)]).toEqual([true, false]);
    expect([window.confirm(256), window.confirm(512)]).toEqual([false, false]);
  });

  it('is full after 4 MiB, and asks to be confirmed after each', () => {
    const window = new FrameWindow();
    const half = MIB / 2;
    const paces = Array.from({ length: 8 }, () => window.add(half).isPace);
    expect(paces).toEqual([false, true, false, true, false, true, false, true]);
    expect(window.isFullFor(1)).toBe(true);
    expect([window.confirm(2), window.isFullFor(half), window.isFullFor(MIB + 1)]).toEqual([true, false, true]);
  });

  it('lets one frame through that is larger than itself', () => {
    expect(new FrameWindow().isFullFor(5 * MIB)).toBe(false);
  });
});
