import { until } from '@switchyard/testing';
import { FrameLog } from '../../src/frames/frame-log';
import { NatsProcess } from './nats-process';
import { type Peer, makeKeys, startPeer } from './peer';
import { ensureStreams } from '../../src/durable/topology';

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

const write = async (log: FrameLog, key: string, epoch: number, said: string[], from: number): Promise<void> => {
  log.append(key, epoch, from, said);
  await until(() => log.isStored(key));
};

const all = async (log: FrameLog, key: string, after: number): Promise<string[]> => {
  const found: string[] = [];
  for await (const some of log.read(key, after, new AbortController().signal)) found.push(...some);
  return found;
};

describe('the frames of a turn that another holder has taken over', () => {
  it('are its own: what the earlier one still had on its way is read by nobody', async () => {
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
    const told = [...frames(1, 5, 'first'), ...frames(6, 8, 'second')];
    expect(await all(first, key, 0)).toEqual(told);
    expect(await all(second, key, 6)).toEqual(told.slice(6));
    await until(() => followed.length >= told.length);
    expect(followed).toEqual(told);
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
    expect(await first.wasLostSince(new Date(Date.now() - 3_600_000).toISOString())).toBe(true);
    expect(await first.wasLostSince(new Date(Date.now() + 1000).toISOString())).toBe(false);
  });
});
