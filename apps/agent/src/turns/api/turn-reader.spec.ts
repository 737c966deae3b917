import type { Bus, FrameLog, ReplicaLiveness } from '@switchyard/messaging';
import {
  type Ctx,
  productFrame,
  seqOfFrame,
  serviceCtx,
  TurnFrameWriter,
  type TurnRecord,
} from '@switchyard/contracts';
import type { AgentsService } from '../../agents/agents.service';
import type { FrameRetention } from '../frames/frame-retention';
import { FrameUsage } from '../frames/frame-usage';
import type { ActiveTurns } from '../run/active-turns';
import { resultOf } from '../../domain/read-stored-turn';
import { TurnReader } from './turn-reader';

const ctx: Ctx = { ...serviceCtx('agent'), spaceId: 's', userId: 'u' };
const turn = { id: 't', key: 'k', agentId: 'a', userId: 'u', sessionId: null, status: 'COMPLETED', epoch: 1 };
const record = { ...turn, owner: 'gone', startedAt: '2026-01-01T00:00:00.000Z', result: null } as TurnRecord;

/** Removes what it keeps after so many reads. */
class ForgetfulLog {
  readonly written: string[] = [];
  private reads = 0;

  constructor(
    private readonly frames: string[],
    private readonly maxReads: number,
  ) {}

  lastSeq(): Promise<number> {
    return Promise.resolve(this.frames.length);
  }

  wasRecreatedSince(): Promise<boolean> {
    return Promise.resolve(false);
  }

  async *read(_: string, after: number | null): AsyncGenerator<string[]> {
    this.reads += 1;
    const left = this.reads > this.maxReads ? [] : this.frames.slice(after ?? 0);
    if (left.length > 0) yield await Promise.resolve(left);
  }

  async *follow(_: string, after: number): AsyncGenerator<string[]> {
    const fresh = this.written.filter((frame) => seqOfFrame(frame) > after);
    if (fresh.length > 0) yield await Promise.resolve(fresh);
  }

  append(_: object, __: number, frames: string): { bytes: number; messages: number } {
    this.written.push(...frames.split('\n'));
    return { bytes: 1, messages: 1 };
  }
}

function readerOf(log: ForgetfulLog, stored = record): TurnReader {
  const space = { id: 's', usedAt: 0, unchecked: 0, storedBytes: 0, isOver: false };
  return new TurnReader(
    { call: () => Promise.resolve(stored) } as unknown as Bus,
    log as unknown as FrameLog,
    { find: () => undefined, running: () => undefined } as unknown as ActiveTurns,
    { findDead: (owners: string[]) => Promise.resolve(owners) } as unknown as ReplicaLiveness,
    { get: () => Promise.resolve({ name: 'Guide' }) } as unknown as AgentsService,
    { count: () => new FrameUsage('k', space, 1_000, false) } as unknown as FrameRetention,
  );
}

async function read(log: ForgetfulLog, stored = record, after = 0): Promise<string[]> {
  const received: string[] = [];
  for await (const frames of readerOf(log, stored).frames(ctx, stored, after, new AbortController().signal))
    received.push(...frames.split('\n'));
  return received;
}

const writer = new TurnFrameWriter(0);
const [first = '', ...rest] = [
  ...['one', 'two', 'red', 'sun', 'day'].map((text) => productFrame('turnPersistPending', { turn_id: text })),
  productFrame('streamEnded', { status: 'COMPLETED' }),
].map((body) => writer.write(body, 0));
const whole = [first, ...rest];

describe('a reader of a turn that has ended', () => {
  it('hears all that is kept, and nothing is said anew', async () => {
    const log = new ForgetfulLog(whole, Infinity);
    expect(await read(log)).toEqual(whole);
    expect(log.written).toEqual([]);
  });

  it('hears that it broke off where not all came that is stored, and not that it ended', async () => {
    const log = new ForgetfulLog(whole.slice(0, 3), Infinity);
    jest.spyOn(log, 'lastSeq').mockResolvedValue(whole.length);
    await expect(read(log)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(log.written).toEqual([]);
  });

  it('has its end said where its holder died before it', async () => {
    const log = new ForgetfulLog(whole.slice(0, -1), Infinity);
    expect((await read(log)).slice(0, 5)).toEqual(whole.slice(0, -1));
    expect(log.written.join()).toContain('"stream-ended"');
  });

  const stored = (frames: string[], firstSeq: number): TurnRecord => ({
    ...record,
    result: {
      ...resultOf(record),
      ...{ refused: [{ firstSeq, lastSeq: firstSeq + frames.length - 1, text: frames.join('\n') }] },
    },
  });

  it.each([
    ['after the log', 4],
    ['from before its end', 2],
  ])('gets the frames that are stored with the turn, in the same text: %s', async (_, firstSeq) => {
    const before = whole.slice(0, -1);
    const log = new ForgetfulLog(before.slice(0, 3), Infinity);
    const received = await read(log, stored(before.slice(firstSeq - 1), firstSeq));
    expect(received.slice(0, 5)).toEqual(before);
    expect(received.at(-1)).toContain('"stream-ended"');
    expect(received.map(seqOfFrame)).toEqual(received.map((__, at) => at + 1));
  });

  it('gets all frames that are stored with the turn, if the log has none, unless they are too old', async () => {
    const before = whole.slice(0, -1);
    const recent = { ...stored(before, 1), startedAt: new Date().toISOString() };
    const received = await read(new ForgetfulLog([], Infinity), recent);
    expect(received.slice(0, 5)).toEqual(before);
    expect(received.at(-1)).toContain('"stream-ended"');
    await expect(read(new ForgetfulLog([], Infinity), stored(before, 1))).rejects.toMatchObject({
      code: 'STREAM_EXPIRED',
    });
    const recreated = new ForgetfulLog([], Infinity);
    jest.spyOn(recreated, 'wasRecreatedSince').mockResolvedValue(true);
    await expect(read(recreated, recent)).rejects.toMatchObject({ code: 'STREAM_EXPIRED' });
    const later = { ...stored(before.slice(1), 2), startedAt: recent.startedAt };
    await expect(read(new ForgetfulLog([], Infinity), later)).rejects.toMatchObject({ code: 'STREAM_EXPIRED' });
  });

  it('gets STREAM_EXPIRED where an earlier version stored the end without its frames', async () => {
    const log = new ForgetfulLog(whole.slice(0, 3), Infinity);
    const earlier = { ...record, result: { ...resultOf(record), ...{ steps: [], refused: ['m'], begun: [] } } };
    await expect(read(log, earlier)).rejects.toMatchObject({ code: 'STREAM_EXPIRED' });
    expect(log.written).toEqual([]);
  });

  it('gets STREAM_EXPIRED where more was lost than is stored with the turn', async () => {
    const log = new ForgetfulLog(whole.slice(0, 3), Infinity);
    await expect(read(log, stored(whole.slice(4, 5), 5))).rejects.toMatchObject({ code: 'STREAM_EXPIRED' });
    expect(log.written).toEqual([]);
  });

  it('gets the end where it has frames that the log lost, and STREAM_EXPIRED where it has more than there are', async () => {
    const before = whole.slice(0, -1);
    const from = async (after: number): Promise<number[]> => {
      const log = new ForgetfulLog(before.slice(0, 3), Infinity);
      return (await read(log, stored(before.slice(3), 4), after)).map(seqOfFrame);
    };
    expect((await from(5))[0]).toBe(6);
    await expect(from(50)).rejects.toMatchObject({ code: 'STREAM_EXPIRED' });
  });

  it('does not have it said anew when it was removed in the middle', async () => {
    const ended = new ForgetfulLog(whole, 1);
    expect(await read(ended)).toEqual(whole);
    expect(ended.written).toEqual([]);
    const broken = new ForgetfulLog(whole.slice(0, -1), 1);
    await expect(read(broken)).rejects.toMatchObject({ code: 'STREAM_EXPIRED' });
    expect(broken.written).toEqual([]);
  });
});
