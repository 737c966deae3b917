import { until } from '@switchyard/testing';
import { CoalescingWriter } from './coalescing-writer';

/** Takes a piece in each turn of the event loop. */
class Notes {
  readonly notes: string[] = [];
  readonly isClosed = false;
  private queue: Uint8Array[] = [];
  private waiting: (() => void)[] = [];

  constructor(private readonly most = 1024) {}

  get buffered(): number {
    return this.queue.reduce((sum, { byteLength }) => sum + byteLength, 0);
  }

  write(piece: Uint8Array): Promise<void> | undefined {
    if (this.queue.push(piece) === 1) setImmediate(this.take);
    return this.drained();
  }

  drained(): Promise<void> | undefined {
    return this.buffered < this.most ? undefined : new Promise((resolve) => this.waiting.push(resolve));
  }

  private readonly take = (): void => {
    const piece = this.queue.shift();
    if (!piece) return;
    this.notes.push(Buffer.from(piece).toString());
    if (this.queue.length > 0) setImmediate(this.take);
    else for (const go of this.waiting.splice(0)) go();
  };
}

const bytes = (text: string): Uint8Array => Buffer.from(text);

describe('a paced writer', () => {
  let time = 0;
  const at = (ms: number): void => {
    time = ms;
  };

  it('writes what comes alone at once, and what rushes together', async () => {
    const out = new Notes();
    const writer = new CoalescingWriter(out, () => time);
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
    const writer = new CoalescingWriter(out, () => 0);
    void writer.write(bytes('a'));
    void writer.write(bytes('b'));
    void writer.flush();
    expect(out.buffered).toBe(2);
  });

  it('waits for a slow reader, and holds no more than a little for it', async () => {
    const out = new Notes(4);
    const writer = new CoalescingWriter(out, () => 0);
    await writer.write(bytes('abcdef'));
    expect(out.buffered).toBe(0);
    void writer.write(bytes('x'));
    await writer.write(bytes('y'.repeat(64 * 1024)));
    expect(out.notes.map((note) => note.length)).toEqual([6, 64 * 1024 + 1]);
  });
});
