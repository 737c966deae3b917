import type { FrameLog, StoredSize } from '@switchyard/messaging';
import { PRODUCT_EVENTS, productFrame, seqOfFrame, TurnFrameWriter } from '@switchyard/contracts';
import type { FinalFrames } from '../../domain/final-frames';
import { FrameUsage } from './frame-usage';
import { TurnFeed } from './turn-feed';

/** Takes frames as the log does, and stores at once. */
class MemoryLog {
  readonly frames: string[] = [];
  dropped = false;
  readonly reissued: number[] = [];
  unsentFrom: number | null = null;
  firstPending: number | null = null;

  append(_: object, firstSeq: number, frames: string): StoredSize {
    expect(firstSeq).toBe(this.frames.length + 1);
    this.frames.push(...frames.split('\n'));
    return { bytes: frames.length, messages: 1 };
  }

  isStored(): boolean {
    return true;
  }

  firstUnsent(): number | null {
    return this.unsentFrom;
  }

  firstUnconfirmed(): number | null {
    return this.firstPending;
  }

  reissue(_: string, epoch: number): void {
    this.reissued.push(epoch);
  }

  drop(): void {
    this.dropped = true;
    this.unsentFrom = null;
  }

  async *read(_: string, after: number): AsyncGenerator<string[]> {
    yield await Promise.resolve(this.frames.slice(after));
  }
}

const frameOf = (text: string) => productFrame('turnPersistPending', { turn_id: text });

function aFeed(
  log = new MemoryLog(),
  base = 0,
  earlier: FinalFrames | null = null,
): { feed: TurnFeed; log: MemoryLog; marked: TurnFeed[] } {
  const marked: TurnFeed[] = [];
  const space = { id: 's', usedAt: 0, unchecked: 0, storedBytes: 0, isOver: false };
  const use = new FrameUsage('k', space, 1_000_000, true);
  const feed = new TurnFeed('k', 1, log as unknown as FrameLog, base, (dirty) => marked.push(dirty), use, earlier);
  return { feed, log, marked };
}

async function readAll(feed: TurnFeed, after: number): Promise<number[]> {
  const seqs: number[] = [];
  for await (const batch of feed.read(after, new AbortController().signal))
    seqs.push(...batch.split('\n').map(seqOfFrame));
  return seqs;
}

describe('the feed of a turn', () => {
  it('numbers frames without a gap and sends those that have gathered together', () => {
    const { feed, log, marked } = aFeed();
    feed.emit([frameOf('a'), frameOf('b')]);
    feed.delta(PRODUCT_EVENTS.contentDelta, 'c', 'm');
    expect([marked.length, log.frames.length]).toEqual([2, 0]);
    feed.flush();
    expect(log.frames.map(seqOfFrame)).toEqual([1, 2, 3]);
  });

  it('gives every reader what follows its own position, until the stretch ends', async () => {
    const { feed } = aFeed();
    feed.emit([frameOf('a'), frameOf('b')]);
    feed.flush();
    const early = readAll(feed, 0);
    const late = readAll(feed, 2);
    await Promise.resolve();
    feed.emit([frameOf('c')]);
    feed.end();
    feed.flush();
    expect([await early, await late]).toEqual([[1, 2, 3], [3]]);
    expect(feed.isOver).toBe(true);
  });

  it('gives a reader in the middle of a batch the rest of it', async () => {
    const { feed } = aFeed();
    feed.emit(['a', 'b', 'c', 'd'].map(frameOf));
    feed.end();
    feed.flush();
    expect(await Promise.all([0, 1, 3, 4].map((after) => readAll(feed, after)))).toEqual([
      [1, 2, 3, 4],
      [2, 3, 4],
      [4],
      [],
    ]);
  });

  it('gives readers no frame that NATS has not got, and all of them later', async () => {
    const { feed, log } = aFeed();
    feed.emit([frameOf('a')]);
    feed.flush();
    const frames = feed.read(0, new AbortController().signal);
    expect(seqOfFrame((await frames.next()).value ?? '')).toBe(1);
    log.unsentFrom = 2;
    feed.emit([frameOf('b')]);
    feed.flush();
    feed.end();
    feed.flush();
    let received = '';
    const next = frames.next().then(({ value }) => (received = value ?? 'nothing'));
    await new Promise((resolve) => setImmediate(resolve));
    expect(received).toBe('');
    log.unsentFrom = null;
    feed.wake();
    await next;
    expect(seqOfFrame(received)).toBe(2);
    expect((await frames.next()).done).toBe(true);
  });

  it('lets a reader go who leaves while nothing is said', async () => {
    const { feed } = aFeed();
    const remaining = new AbortController();
    const frames = feed.read(0, remaining.signal);
    const next = frames.next();
    remaining.abort();
    expect((await next).done).toBe(true);
  });

  it('sends a reader to the log for what it keeps no more', async () => {
    const { feed, log } = aFeed();
    const long = 'x'.repeat(100_000);
    for (let at = 0; at < 5; at += 1) {
      feed.emit([frameOf(long)]);
      feed.flush();
    }
    const read = jest.spyOn(log, 'read');
    feed.end();
    feed.flush();
    expect(await readAll(feed, 0)).toEqual([1, 2, 3, 4, 5]);
    expect(read).toHaveBeenCalledTimes(1);
  });

  it('says nothing while another process may hold the turn, and all of it when none does', () => {
    const { feed, log, marked } = aFeed();
    feed.hush();
    feed.emit([frameOf('a')]);
    feed.flush();
    expect(log.frames).toEqual([]);
    feed.resume();
    marked.at(-1)?.flush();
    expect(log.frames.map(seqOfFrame)).toEqual([1]);
  });

  it('never sends what it held back when the turn is lost, and tells its readers to attach again', async () => {
    const { feed, log } = aFeed();
    feed.emit([frameOf('a')]);
    feed.flush();
    const reading = readAll(feed, 0);
    feed.emit([frameOf('b')]);
    feed.breakOff();
    feed.flush();
    await expect(reading).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect([log.frames.length, feed.isOver]).toEqual([1, true]);
    feed.discardUnsent();
    expect(log.dropped).toBe(true);
  });

  it('gives no reader a frame that was discarded before it was sent', async () => {
    const { feed, log } = aFeed();
    log.unsentFrom = log.firstPending = 1;
    for (const text of ['a', 'b']) {
      feed.emit([frameOf(text)]);
      feed.flush();
    }
    const next = feed.read(0, new AbortController().signal).next();
    feed.breakOff();
    feed.discardUnsent();
    await expect(next).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });

  it('has its frames written under the next epoch, unless another process had the turn in between', () => {
    const { feed, log } = aFeed();
    feed.adopt(2);
    feed.adopt(4);
    expect([log.reissued, feed.epoch]).toEqual([[2], 4]);
  });

  it('has the frames that are not confirmed: from the first pending batch of the log to what is not flushed', () => {
    const { feed, log } = aFeed();
    expect(feed.unconfirmed()).toEqual({ firstSeq: 1, lastSeq: 0, text: '' });
    for (const text of ['a', 'b', 'c']) {
      feed.emit([frameOf(text)]);
      feed.flush();
    }
    expect(feed.unconfirmed()).toEqual({ firstSeq: 4, lastSeq: 3, text: '' });
    feed.emit([frameOf('d')]);
    log.firstPending = 2;
    const final = feed.unconfirmed();
    feed.flush();
    expect(final).toEqual({ firstSeq: 2, lastSeq: 4, text: log.frames.slice(1).join('\n') });
  });

  it('has also those of the stretch before, while the log has not confirmed them', () => {
    const log = new MemoryLog();
    const writer = new TurnFrameWriter();
    const [first = '', second = ''] = ['a', 'b'].map((text) => writer.write(frameOf(text), 5));
    log.frames.push(first, second);
    const { feed } = aFeed(log, 2, { firstSeq: 2, lastSeq: 2, text: second });
    feed.emit([frameOf('c')]);
    feed.flush();
    log.firstPending = 2;
    expect(feed.unconfirmed()).toEqual({ firstSeq: 2, lastSeq: 3, text: log.frames.slice(1).join('\n') });
    log.firstPending = 3;
    expect(feed.unconfirmed()).toEqual({ firstSeq: 3, lastSeq: 3, text: log.frames[2] });
  });

  it('repeats frames of an earlier holder with the same text, and only with the next number', () => {
    const { feed, log } = aFeed();
    const writer = new TurnFrameWriter();
    const frames = ['a', 'b'].map((text) => writer.write(frameOf(text), 5));
    feed.repeat(frames);
    feed.emit([frameOf('c')]);
    feed.flush();
    expect(log.frames.slice(0, 2)).toEqual(frames);
    expect(log.frames.map(seqOfFrame)).toEqual([1, 2, 3]);
    expect(() => feed.repeat(frames)).toThrow('frame 4 is expected');
  });
});
