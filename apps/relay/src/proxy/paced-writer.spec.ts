import { Writable } from 'node:stream';
import { until } from '@switchyard/testing';
import { PacedWriter } from './paced-writer';

class Notes extends Writable {
  readonly notes: string[] = [];

  constructor(highWaterMark = 1024) {
    super({ highWaterMark });
  }

  override _write(chunk: Buffer, _: BufferEncoding, done: () => void): void {
    this.notes.push(chunk.toString());
    setImmediate(done);
  }
}

const bytes = (text: string): Uint8Array => Buffer.from(text);

describe('a paced writer', () => {
  let time = 0;
  const at = (ms: number): void => {
    time = ms;
  };

  it('writes what comes alone at once, and what rushes together', async () => {
    const out = new Notes();
    const writer = new PacedWriter(out, () => time);
    at(0);
    void writer.write(bytes('a'));
    at(5);
    void writer.write(bytes('b'));
    for (const text of ['c', 'd', 'e']) void writer.write(bytes(text));
    await until(() => out.notes.length > 2);
    expect(out.notes).toEqual(['a', 'b', 'cde']);
  });

  it('keeps nothing back at the end', () => {
    const out = new Notes();
    const writer = new PacedWriter(out, () => 0);
    void writer.write(bytes('a'));
    void writer.write(bytes('b'));
    void writer.flush();
    expect(out.writableLength).toBe(2);
  });

  it('waits for a slow reader, and holds no more than a little for it', async () => {
    const out = new Notes(4);
    const writer = new PacedWriter(out, () => 0);
    await writer.write(bytes('abcdef'));
    expect(out.writableLength).toBe(0);
    void writer.write(bytes('x'));
    await writer.write(bytes('y'.repeat(64 * 1024)));
    expect(out.notes.map((note) => note.length)).toEqual([6, 64 * 1024 + 1]);
  });
});
