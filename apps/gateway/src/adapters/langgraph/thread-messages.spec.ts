import type { MessageView, Page } from '@switchyard/contracts';
import { newestOf } from './thread-messages';

/** A transcript of so many messages of so many characters each, in pages of what one page may weigh. */
function transcript(count: number, chars: number, each: number): { read: typeof read; request: () => number } {
  const all: MessageView[] = Array.from({ length: count }, (_, seq) => ({ seq, content: 'x'.repeat(chars) }) as never);
  let request = 0;
  const read = (cursor: string | null): Promise<Page<MessageView>> => {
    request += 1;
    const end = cursor === null ? count : Number(cursor);
    const start = Math.max(0, end - each);
    return Promise.resolve({ items: all.slice(start, end), nextCursor: start > 0 ? String(start) : null });
  };
  return { read, request: () => request };
}

const seqs = (messages: readonly MessageView[]): number[] => messages.map(({ seq }) => seq);

describe('the newest messages', () => {
  it('are all of them, oldest first', async () => {
    expect(seqs(await newestOf(transcript(250, 1, 100).read))).toEqual(Array.from({ length: 250 }, (_, n) => n));
    expect(await newestOf(transcript(0, 1, 100).read)).toEqual([]);
  });

  it('are those that fit, and no more pages are read', async () => {
    const long = transcript(5_000, 1, 100);
    const newest = seqs(await newestOf(long.read));
    expect([newest.length, newest[0], newest.at(-1), long.request()]).toEqual([1_000, 4_000, 4_999, 10]);
    // Also where a page reaches over them.
    expect(await newestOf(transcript(5_000, 1, 300).read)).toHaveLength(1_000);
    // Each is a page by itself.
    const heavy = transcript(1_000, 2 * 1024 * 1024, 1);
    expect(seqs(await newestOf(heavy.read))).toEqual([997, 998, 999]);
    expect(heavy.request()).toBe(4);
  });

  it('include the newest one, even if it is larger than the limit', async () => {
    expect(seqs(await newestOf(transcript(3, 9 * 1024 * 1024, 1).read))).toEqual([2]);
  });
});
