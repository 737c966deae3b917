import { Readable } from 'node:stream';
import type { ImportFormat } from '@switchyard/contracts';
import { importParts } from './import-lines';

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
