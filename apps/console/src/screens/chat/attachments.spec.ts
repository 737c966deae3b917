/// <reference types="jest" />
import { filesOf, kindOf, picturesOf, refusalOf } from './attachments';

const file = (name: string, type: string, size = 10) => ({ name, type, size });

describe('a file that is attached', () => {
  it.each([
    [file('a.png', 'image/png'), 'image'],
    [file('a.svg', 'image/svg+xml'), 'text'],
    [file('a.mp3', 'audio/mpeg'), 'audio'],
    [file('a.csv', 'text/csv'), 'text'],
    [file('a.ndjson', ''), 'text'],
    [file('a.pdf', 'application/pdf'), null],
    [file('a', ''), null],
  ])('is taken by its type or name: %j', (given, kind) => {
    expect(kindOf(given)).toBe(kind);
  });

  it('is refused before it is read where the API would refuse it', () => {
    expect(refusalOf(file('a.pdf', 'application/pdf'))).toMatch(/images, audio or text/u);
    expect(refusalOf(file('a.txt', 'text/plain', 200_001))).toMatch(/200 kB/u);
    expect(refusalOf(file('a.txt', 'text/plain', 0))).toMatch(/empty/u);
    const head = 'data:image/png;base64,'.length;
    const most = Math.floor((8 * 1024 * 1024 - head) / 4) * 3;
    expect(refusalOf(file('a.png', 'image/png', most))).toBeNull();
    expect(refusalOf(file('a.png', 'image/png', most + 1))).toMatch(/6\.2 MB/u);
  });
});

it('is told from its message by its name', () => {
  const items = [
    { type: 'image_url' as const, image_url: { url: 'data:x' } },
    { type: 'audio' as const },
    { type: 'file' as const, file_info: { name: 'a.csv' } },
    { type: 'file' as const, file_info: { filename: 'b.csv' } },
    { type: 'file' as const, file_info: {} },
  ];
  expect(picturesOf(items)).toEqual(['data:x']);
  expect(filesOf(items)).toEqual(['Attached audio', 'a.csv', 'b.csv', 'Attached file']);
});
