import { until } from '@switchyard/testing';
import { joinFrames } from '../../src/turn-frame-log/frame-batch';
import { FrameLog } from '../../src/turn-frame-log/frame-log';
import { FramePublisher } from '../../src/turn-frame-log/frame-publisher';
import { NatsProcess } from './nats-process';
import { type Peer, makeKeys, startPeer } from './peer';
import { ensureStreams } from '../../src/transport/stream-and-consumer-definitions';

const keys = makeKeys(['agent']);
let nats: NatsProcess;
let peers: Peer[];
let first: FrameLog;
let second: FrameLog;

beforeAll(async () => {
  nats = await NatsProcess.start();
  peers = await Promise.all([1, 2].map(() => startPeer({ service: 'agent', natsUrl: nats.url, keys })));
  const [one, two] = peers.map(({ link }) => link);
  if (!one || !two) throw new Error('there are two peers');
  await ensureStreams(await one.nc.jetstreamManager(), one.options.log);
  first = new FrameLog(one);
  second = new FrameLog(two);
});

afterAll(async () => {
  for (const log of [first, second]) log.stop();
  await Promise.all(peers.map((peer) => peer.stop()));
  await nats.remove();
});

const frames = (from: number, to: number, who: string): string[] =>
  Array.from({ length: to - from + 1 }, (_, at) => `{"who":"${who}","seq":${from + at}}`);

const write = async (log: FrameLog, key: string, epoch: number, texts: string[], from: number): Promise<void> => {
  log.append({ spaceId: 'a', key, epoch }, from, joinFrames(texts));
  await until(() => log.isStored(key));
};

const all = async (log: FrameLog, key: string, after: number): Promise<string[]> => {
  const found: string[] = [];
  for await (const some of log.read(key, after, new AbortController().signal)) found.push(...some);
  return found;
};

describe('the frames of a turn that another holder has taken over', () => {
  it('are its own: messages to the earlier one are not read', async () => {
    const key = 'turn-1';
    const stop = new AbortController();
    const followed: string[] = [];
    const following = (async () => {
      for await (const some of second.follow(key, 0, stop.signal)) followed.push(...some);
    })();
    await write(first, key, 1, frames(1, 5, 'first'), 1);
    expect(await second.lastSeq(key, 1)).toBe(5);
    expect(await second.fence(key, 2)).toBe(5);
    expect(await second.lastSeq(key, 2)).toBe(5);
    await write(first, key, 1, frames(6, 9, 'late'), 6);
    await write(second, key, 2, frames(6, 7, 'second'), 6);
    await write(first, key, 1, frames(8, 9, 'late'), 8);
    expect(await second.lastSeq(key, 2)).toBe(7);
    await write(second, key, 2, frames(8, 8, 'second'), 8);
    const expected = [...frames(1, 5, 'first'), ...frames(6, 8, 'second')];
    expect(await all(first, key, 0)).toEqual(expected);
    expect(await all(second, key, 6)).toEqual(expected.slice(6));
    await until(() => followed.length >= expected.length);
    expect(followed).toEqual(expected);
    stop.abort();
    await following;
  });

  it('begin where its last one counted, also without any, and a fence is no frame', async () => {
    expect(await first.fence('turn-2', 2)).toBe(0);
    await expect(all(first, 'turn-2', 0)).rejects.toMatchObject({ code: 'STREAM_EXPIRED' });
    await write(first, 'turn-2', 2, frames(1, 2, 'first'), 1);
    expect(await all(second, 'turn-2', 0)).toHaveLength(2);
  });

  it('are known to be lost when their log was made anew', async () => {
    expect(await first.wasRecreatedSince(new Date(Date.now() - 3_600_000).toISOString())).toBe(true);
    expect(await first.wasRecreatedSince(new Date(Date.now() + 1000).toISOString())).toBe(false);
  });
});

describe('the frames of a turn that are removed', () => {
  const large = (from: number): string[] => [
    `{"text":"${'x'.repeat(2_500_000)}","seq":${from}}`,
    `{"text":"","seq":${from + 1}}`,
  ];
  const storedBytes = async (): Promise<number> => {
    const manager = await peers[0]?.link.nc.jetstreamManager();
    return (await manager?.streams.info('FRAMES'))?.state.bytes ?? 0;
  };

  it('are counted as the stream counts them', async () => {
    const before = await storedBytes();
    const sizes = [
      first.append({ spaceId: 'a', key: 'counted', epoch: 1 }, 1, joinFrames(frames(1, 5, 'first'))),
      first.append({ spaceId: 'a', key: 'counted', epoch: 1 }, 6, joinFrames(frames(6, 6, 'first'))),
      first.append({ spaceId: 'a', key: 'counted', epoch: 1 }, 7, joinFrames(large(7))),
    ];
    await until(() => first.isStored('counted'));
    expect(sizes.map(({ messages }) => messages)).toEqual([1, 1, 3]);
    const counted = sizes.reduce((sum, { bytes }) => sum + bytes, 0);
    expect(Math.abs(counted - ((await storedBytes()) - before))).toBeLessThan(100);
  });

  it('are gone for its readers, and those of another turn stay', async () => {
    await write(first, 'removed', 1, frames(1, 5, 'first'), 1);
    await write(first, 'neighbour', 1, frames(1, 5, 'first'), 1);
    await second.remove('removed');
    await expect(all(first, 'removed', 0)).rejects.toMatchObject({ code: 'STREAM_EXPIRED' });
    expect(await first.lastSeq('removed', 1)).toBe(0);
    expect(await all(first, 'neighbour', 0)).toEqual(frames(1, 5, 'first'));
  });

  it('are its oldest where the newest are kept: the gap is told to readers of old and of new frames', async () => {
    const key = 'cut';
    await write(first, key, 1, large(1), 1);
    for (let at = 3; at <= 8; at += 1) await write(first, key, 1, frames(at, at, 'first'), at);
    // Only the last chunk of the large batch remains, which cannot be read.
    await first.remove(key, 7);
    expect(await all(second, key, 2)).toEqual(frames(3, 8, 'first'));
    expect(await second.lastSeq(key, 1)).toBe(8);
    await first.remove(key, 2);
    expect(await all(second, key, 6)).toEqual(frames(7, 8, 'first'));
    await expect(all(second, key, 5)).rejects.toMatchObject({ code: 'STREAM_EXPIRED' });
    const remaining: string[] = [];
    for await (const some of second.read(key, null, new AbortController().signal)) remaining.push(...some);
    expect(remaining).toEqual(frames(7, 8, 'first'));
    const following = async (): Promise<void> => {
      for await (const some of second.follow(key, 5, new AbortController().signal)) remaining.push(...some);
    };
    await expect(following()).rejects.toMatchObject({ code: 'STREAM_EXPIRED' });
    expect(remaining).toEqual(frames(7, 8, 'first'));
  });
});

describe('a reader of frames that cannot come any more', () => {
  const requests = (): number => peers[1]?.link.nc.stats().outMsgs ?? 0;

  it('is told so when they are removed before it has read them, and does not ask without end', async () => {
    const key = 'removed-while-read';
    for (let at = 1; at <= 150; at += 1)
      first.append({ spaceId: 'a', key, epoch: 1 }, at, joinFrames(frames(at, at, 'first')));
    await until(() => first.isStored(key));
    const reading = second.read(key, 0, new AbortController().signal);
    const remaining = [...((await reading.next()).value ?? [])];
    await first.remove(key);
    const before = requests();
    const readOn = async (): Promise<void> => {
      for await (const some of reading) remaining.push(...some);
    };
    await expect(readOn()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(remaining).toEqual(frames(1, remaining.length, 'first'));
    await expect(all(second, key, remaining.length)).resolves.toEqual([]);
    // Two requests, the removal of the consumer, and one more read.
    expect(requests() - before).toBeLessThan(10);
  });

  it('is told so when its server has forgotten it, and does not ask without end', async () => {
    await write(first, 'forgotten', 1, frames(1, 2, 'first'), 1);
    const reading = second.follow('forgotten', 0, new AbortController().signal);
    expect((await reading.next()).value).toEqual(frames(1, 2, 'first'));
    const next = reading.next().then(
      () => null,
      (error: unknown) => error,
    );
    await nats.kill();
    const before = requests();
    await nats.start();
    expect(await next).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(requests() - before).toBeLessThan(100);
    await until(async () => (await all(second, 'forgotten', 0)).length === 2);
  });
});

describe('frames that JetStream does not take', () => {
  it('are given up where there are too many, and none of another Space', () => {
    const [peer] = peers;
    if (!peer) throw new Error('there are two peers');
    const publisher = new FramePublisher(peer.link, 100);
    // No stream has these subjects, so nothing is acknowledged.
    const publish = (spaceId: string, turn: string): unknown =>
      publisher.publish(
        { spaceId, subject: `nowhere.${turn}`, messageId: turn, epoch: 1, firstSeq: turn.length },
        Buffer.alloc(10),
      );
    const turns = Array.from({ length: 20 }, (_, at) => `loud-${at}`);
    for (const turn of ['quiet-1', 'quiet-2']) publish('quiet', turn);
    for (const turn of turns) publish('loud', turn);
    const pending = ['quiet-1', 'quiet-2', ...turns].filter((turn) => publisher.isPending(`nowhere.${turn}`));
    expect(pending).toEqual(['quiet-1', 'quiet-2', ...turns.slice(-8)]);
    expect(['quiet-1', 'loud-1', 'loud-19'].map((turn) => publisher.firstPending(`nowhere.${turn}`))).toEqual([
      'quiet-1'.length,
      null,
      'loud-19'.length,
    ]);
    expect(publisher.usage).toEqual({ used: 100, limit: 100, refused: 12 });
    // One log line for all messages dropped together.
    const texts = jest.spyOn(peer.link.options.log, 'error').mockImplementation();
    publisher.stop();
    expect(texts.mock.calls).toEqual([
      [{ messages: 12, bytes: 120, spaces: 1, spaceIds: ['loud'] }, expect.any(String)],
    ]);
    texts.mockRestore();
  });
});
