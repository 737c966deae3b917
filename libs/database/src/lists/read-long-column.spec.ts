import { type ContentPart, readContent } from './read-long-column';

const SIZE = 1024 * 1024;
const value = Buffer.alloc(SIZE * 2 + 5, 'é');
const partOf = (offset: number, digest = 'a'): ContentPart => ({
  part: value.subarray(offset, offset + SIZE),
  bytes: value.length,
  digest,
});

async function read(part: (offset: number) => ContentPart | null): Promise<Buffer> {
  const frames: Uint8Array[] = [];
  const contents = readContent((offset) => Promise.resolve(part(offset)), new AbortController().signal);
  for await (const frame of contents) frames.push(frame);
  expect(Math.max(...frames.map(({ length }) => length))).toBeLessThan(SIZE / 2);
  return Buffer.concat(frames);
}

describe('reading a long value in parts', () => {
  it('gives all of it in small frames', async () => {
    expect((await read((offset) => partOf(offset))).equals(value)).toBe(true);
  });

  it('refuses a value that is not there', async () => {
    await expect(read(() => null)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('never joins parts of two values', async () => {
    const changed = read((offset) => partOf(offset, offset === 0 ? 'a' : 'b'));
    await expect(changed).rejects.toMatchObject({ code: 'CONFLICT' });
    const removed = read((offset) => (offset === 0 ? partOf(0) : null));
    await expect(removed).rejects.toMatchObject({ code: 'CONFLICT' });
  });
});
