import { Readable } from 'node:stream';
import type { ImportFormat } from '@switchyard/contracts';
import { importParts } from './import-file-reader';

const values = async (format: ImportFormat, ...pieces: Buffer[]): Promise<unknown[]> => {
  const file = Readable.from(pieces, { objectMode: false });
  const lines: unknown[] = [];
  for await (const part of importParts(file, format)) lines.push(...part.map(({ value }) => value));
  return lines;
};
const refusal = (path: string) =>
  expect.objectContaining({ code: 'VALIDATION_ERROR', details: [expect.objectContaining({ path })] });
const bytesOf = (text: string): Buffer[] => [...Buffer.from(text)].map((byte) => Buffer.from([byte]));

describe('lines of a file', () => {
  it('are read whole, however their characters are cut', async () => {
    const row = { name: 'é東\u{1f600}' };
    expect(await values('ndjson', ...bytesOf(`\ufeff${JSON.stringify(row)}\n\n{"name":"b"}`))).toEqual([
      row,
      { name: 'b' },
    ]);
    expect(await values('csv', ...bytesOf(`\ufeffname\n${row.name}\n`))).toEqual([row]);
  });

  it.each<[ImportFormat, string, string, string]>([
    ['ndjson', '{"a":1}\n{"a":2}\n{"a":"', '"}\n', 'line 3'],
    ['csv', 'a,b\n1,2\n3,', '\n5,6\n', 'line 3'],
    ['csv', 'a', ',b\n1,2\n', 'line 1'],
  ])('of %s that are not UTF-8 are refused by their number', async (format, before, after, path) => {
    for (const bad of [[0xff], [0xc3, 0x28], [0xed, 0xa0, 0x80]]) {
      const whole = Buffer.concat([Buffer.from(before), Buffer.from(bad), Buffer.from(after)]);
      await expect(values(format, whole)).rejects.toEqual(refusal(path));
      const pieces = [...whole].map((byte) => Buffer.from([byte]));
      await expect(values(format, ...pieces)).rejects.toEqual(refusal(path));
    }
    await expect(values(format, Buffer.from(before), Buffer.from([0xe6, 0x9d]))).rejects.toEqual(refusal(path));
  });

  it('are read in slices when they are large, and refused for the number of their values before those are built', async () => {
    const large = (values: number): Buffer => Buffer.from(`{"a":[${Array(values).fill('1').join(',')}]}`);
    const [read] = await values('ndjson', large(150_000));
    expect((read as { a: number[] }).a).toHaveLength(150_000);
    const parse = jest.spyOn(JSON, 'parse');
    await expect(values('ndjson', Buffer.from('1\n'), large(3_000_000))).rejects.toEqual(refusal('line 2'));
    const longest = Math.max(...parse.mock.calls.map(([text]) => text.length));
    parse.mockRestore();
    expect(longest).toBeLessThan(512 * 1024);
    await expect(values('ndjson', Buffer.from(`{"a":"${'x'.repeat(300_000)}"`))).rejects.toThrow('is not valid JSON');
  });

  it('are read in linear time, however many pieces a line comes in', async () => {
    const pieces = Array.from({ length: 20_000 }, () => Buffer.from('x'.repeat(400)));
    const [value] = await values('ndjson', Buffer.from('{"a":"'), ...pieces, Buffer.from('"}\n'));
    expect((value as { a: string }).a).toHaveLength(8_000_000);
  });

  it.each<[ImportFormat, string, string]>([
    ['csv', Array.from({ length: 100_000 }, (_, at) => `c${at}`).join(','), 'line 1'],
    ['csv', `a\n1\n${'2,'.repeat(500_000)}`, 'line 3'],
    ['csv', `a\n"1\n${'x'.repeat(9 * 1024 * 1024)}`, 'line 2'],
    ['ndjson', `1\n${'x'.repeat(16 * 1024 * 1024)}`, 'line 2'],
  ])('of %s with too much in one are refused before it is built', async (format, text, path) => {
    const chunks = text.match(/[^]{1,65536}/g) ?? [];
    await expect(values(format, ...chunks.map((chunk) => Buffer.from(chunk)))).rejects.toEqual(refusal(path));
  });

  it.each<[ImportFormat, string]>([
    ['ndjson', '\n'.repeat(500_000)],
    ['ndjson', '1\n'.repeat(100_000)],
    ['csv', `a\n${'1\n'.repeat(150_000)}`],
    ['csv', `a\n${'\n'.repeat(150_000)}`],
  ])('of %s let others run while they are read', async (format, text) => {
    let turns = 0;
    const look = setInterval(() => (turns += 1), 0);
    await values(format, Buffer.from(text));
    clearInterval(look);
    // Read in one go it would be one or two.
    expect(turns).toBeGreaterThan(2);
  });

  it('say how much of the file is kept', async () => {
    const file = Readable.from([Buffer.from('{"a":"'), Buffer.from('x'.repeat(1000)), Buffer.from('"}\n')]);
    const retained: number[] = [];
    for await (const _ of importParts(file, 'ndjson', (bytes) => retained.push(bytes)));
    expect(retained).toEqual([6, 1006, expect.any(Number)]);
  });

  it('never hold a column that a record cannot have', async () => {
    await expect(values('csv', Buffer.from('a,__proto__\n1,2\n'))).rejects.toEqual(refusal('line 1.__proto__'));
  });

  it.each<[ImportFormat, string]>([
    ['ndjson', 'no JSON\n'],
    ['csv', 'a\n1,2\n3,4\n5,6\n'],
  ])('of %s leave the file open when one is bad', async (format, bad) => {
    const file = new Readable({ read: () => undefined });
    file.push(bad);
    const reading = (async () => {
      for await (const _ of importParts(file, format));
    })();
    await expect(reading).rejects.toEqual(expect.objectContaining({ code: 'VALIDATION_ERROR' }));
    expect(file.destroyed).toBe(false);
    const ended = new Promise((resolve) => file.once('end', resolve));
    file.resume();
    file.push('more');
    file.push(null);
    await ended;
  });
});
