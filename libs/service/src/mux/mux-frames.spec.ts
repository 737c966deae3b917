import { FrameKind, FrameReader, MAX_PAYLOAD, frameHeader, headPrefix, splitHead } from './mux-frames';

const frame = (call: number, text: string): Buffer =>
  Buffer.concat([frameHeader(FrameKind.bytes, call, Buffer.byteLength(text)), Buffer.from(text)]);

const readIn = (bytes: Buffer, size: number): [number, string][] => {
  const reader = new FrameReader();
  const found: [number, string][] = [];
  for (let at = 0; at < bytes.length; at += size)
    reader.push(bytes.subarray(at, at + size), ({ call, payload }) => found.push([call, payload.toString()]));
  return found;
};

describe('frames of a road', () => {
  const bytes = Buffer.concat([frame(1, 'one'), frame(2, ''), frame(4_000_000_000, 'x'.repeat(1000)), frame(3, 'end')]);

  it.each([1, 2, 8, 9, 10, 13, 500, 10_000])('are the same in pieces of %i bytes', (size) => {
    expect(readIn(bytes, size)).toEqual([
      [1, 'one'],
      [2, ''],
      [4_000_000_000, 'x'.repeat(1000)],
      [3, 'end'],
    ]);
  });

  it('are no larger than agreed', () => {
    const header = frameHeader(FrameKind.bytes, 1, MAX_PAYLOAD + 1);
    expect(() => new FrameReader().push(header, () => undefined)).toThrow('a frame of');
  });

  it('hold a head and what belongs to it', () => {
    const payload = Buffer.concat([headPrefix('{"é":1}'), Buffer.from('rest')]);
    const { head, bytes: rest } = splitHead(payload);
    expect([head.toString(), rest.toString()]).toEqual(['{"é":1}', 'rest']);
    expect(() => splitHead(headPrefix('head').subarray(0, 6))).toThrow('shorter than its head');
    expect(() => splitHead(Buffer.from('abc'))).toThrow('without its head');
  });
});
