import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { AppError } from '@switchyard/kernel';
import type { Ctx } from '@switchyard/contracts';
import type { Bus, StreamReader } from '@switchyard/messaging';
import { Metrics, type Workers } from '@switchyard/service';
import type { FastifyReply } from 'fastify';
import { ActiveResponses } from '../auth/active-responses';
import type { Principals } from '../auth/principals';
import type { GatewayConfig } from '../gateway.config';
import { UnreadResponses } from '../limits/unread-responses';
import type { Projection } from './protocol-projection';
import { FrameFollower } from './frame-follower';
import { TurnStreamer } from './turn-streamer';

const unused = { request: {} } as Bus & FastifyReply;
const bus = { onDown: () => undefined } as unknown as Bus;
const workers = { every: () => undefined, whileNeeded: () => () => undefined } as unknown as Workers;
const principals = { verifiedAt: () => Date.now() } as never as Principals;
const unread = new UnreadResponses({} as GatewayConfig, new Metrics('gateway'));
const WAITS = { WAITS_PER_CREDENTIAL: 2, WAITS_PER_SPACE: 3, WAITS_PER_PROCESS: 4 };
const LIMITS = { STREAMS_PER_CREDENTIAL: 1, ...WAITS } as GatewayConfig;
const openStreams = (): ActiveResponses =>
  new ActiveResponses(LIMITS, bus, principals, workers, new Metrics('gateway'));
const ctx = { credentialType: 'api_key', credentialId: 'key', userId: 'ann', spaceId: 'space' } as Ctx;

describe('a credential that is revoked while its stream is being opened', () => {
  it('is refused with the first frame at hand, and the stream is left', async () => {
    const streams = openStreams();
    let opened: (reader: StreamReader<string>) => void = () => undefined;
    const open = (): Promise<StreamReader<string>> => new Promise((resolve) => (opened = resolve));
    const sent = new TurnStreamer(unused, streams, principals, unread).send(ctx, unused, {
      agentId: 'a',
      turnId: 't',
      after: 0,
      open,
    });
    streams.end(() => true);
    const cancel = jest.fn();
    opened({ more: () => Promise.resolve(true), takeReady: () => ['{"seq":1}'], cancel } as never);
    await expect(sent).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    expect(cancel).toHaveBeenCalled();
    expect(streams.size).toBe(0);
  });
});

describe('a stream that ends before its first frame', () => {
  const sendAfter = (after: number): { sent: Promise<void>; streams: ActiveResponses; received: () => string } => {
    const streams = openStreams();
    const { reply, received } = listeningReply();
    const reader = { more: () => Promise.resolve(false), cancel: () => undefined } as never as StreamReader<string>;
    const source = { agentId: 'a', turnId: 't', after, open: () => Promise.resolve(reader) };
    return { sent: new TurnStreamer(unused, streams, principals, unread).send(ctx, reply, source), streams, received };
  };

  it('is refused, so that it can be asked for again: a turn has a first frame always', async () => {
    const { sent, streams, received } = sendAfter(0);
    await expect(sent).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 1 });
    expect([received(), streams.size]).toEqual(['', 0]);
  });

  it('is empty for a reader who has all of it', async () => {
    const { sent, received } = sendAfter(7);
    await sent;
    expect(received()).toBe('');
  });
});

/** A response for event streams, with its written output. */
function listeningReply(): { reply: FastifyReply; received: () => string } {
  const raw = new (class extends PassThrough {
    writeHead = (): void => undefined;
    flushHeaders = (): void => undefined;
  })();
  const reply = { raw, request: {}, header: () => reply, getHeaders: () => ({}), hijack: () => undefined };
  let text = '';
  raw.on('data', (chunk: Buffer) => (text += chunk.toString()));
  return { reply: reply as unknown as FastifyReply, received: () => text };
}

describe('a credential that is revoked while its stream is open', () => {
  it('ends the stream with a comment: the next numbers belong to the frames of the turn, which goes on', async () => {
    const streams = openStreams();
    let cancel = (): void => undefined;
    const waits = new Promise<boolean>((resolve) => (cancel = () => resolve(false)));
    const more = jest.fn().mockResolvedValueOnce(true).mockReturnValue(waits);
    const reader = { more, takeReady: () => ['{"seq":1}'], cancel } as never as StreamReader<string>;
    const { reply, received } = listeningReply();
    const open = (): Promise<StreamReader<string>> => Promise.resolve(reader);
    const sent = new TurnStreamer(unused, streams, principals, unread).send(ctx, reply, {
      agentId: 'a',
      turnId: 't',
      after: 0,
      open,
    });
    while (more.mock.calls.length < 2) await new Promise(setImmediate);
    streams.end(() => true);
    await sent;
    const last = ': UNAUTHORIZED The credential of this request is no longer valid.\n\n';
    expect(received()).toBe(`id: 1\ndata: {"seq":1}\n\n${last}`);
    expect(streams.size).toBe(0);
  });
});

describe('a stream whose agent was lost', () => {
  it('is not attached again when its credential has become void meanwhile', async () => {
    const isLost = jest.fn().mockResolvedValueOnce(true).mockRejectedValue(new Error('the agent is gone'));
    const reader = { more: isLost, takeReady: () => ['{"seq":1}'], cancel: () => undefined } as never;
    const { reply, received } = listeningReply();
    const stream = jest.fn();
    const revoked = { verifyAgain: () => Promise.reject(new AppError('UNAUTHORIZED', 'revoked')) };
    const sender = new TurnStreamer({ stream } as never, openStreams(), revoked as never, unread);
    await sender.send(ctx, reply, { agentId: 'a', turnId: 't', after: 0, open: () => Promise.resolve(reader) });
    expect(received()).toBe('id: 1\ndata: {"seq":1}\n\n');
    expect(stream).not.toHaveBeenCalled();
  });
});

/** Says each frame, and complete is its answer after the third. */
const counting = (): Projection => {
  let read = 0;
  return {
    get isOver() {
      return read === 3;
    },
    read: ({ seq }) => {
      read += 1;
      return [{ data: { seq } }];
    },
    cutOff: ({ code }) => [{ data: { cut: code } }],
  };
};
const frame = (seq: number): string =>
  JSON.stringify({ type: 'event', method: 'lifecycle', params: { timestamp: 1, data: {} }, seq });
const withFrames = (count: number, then: () => Promise<boolean>): StreamReader<string> => {
  let sent = 0;
  return {
    more: () => (sent === count ? then() : Promise.resolve(true)),
    takeReady: () => [frame((sent += 1))],
    cancel: () => undefined,
  } as never;
};
const isLost = (): Promise<boolean> => Promise.reject(new Error('the agent is gone'));
const refusing = { verifyAgain: () => Promise.reject(new AppError('NOT_FOUND', 'deleted')) } as never;
const source = { agentId: 'a', turnId: 't', after: 0 };

describe('an answer in another protocol that breaks off before it is complete', () => {
  const whole = [1, 2, 3].map((seq) => `data: {"seq":${seq}}\n\n`);
  const cut = (code: string): string => `data: {"cut":"${code}"}\n\n`;
  const send = (
    reader: StreamReader<string>,
  ): { sender: TurnStreamer; sent: Promise<void>; received: () => string } => {
    const { reply, received } = listeningReply();
    const sender = new TurnStreamer({} as never, openStreams(), refusing, unread);
    const open = (): Promise<StreamReader<string>> => Promise.resolve(reader);
    return { sender, sent: sender.send(ctx, reply, { ...source, open, projection: counting() }), received };
  };

  it.each([
    ['whose agent is lost', () => withFrames(1, isLost)],
    ['whose frames end early', () => withFrames(1, () => Promise.resolve(false))],
  ])('says so in a stream %s', async (_name, reader) => {
    const { sent, received } = send(reader());
    await sent;
    expect(received()).toBe(`${whole[0]}${cut('SERVICE_UNAVAILABLE')}`);
  });

  it('says so in a stream whose gateway stops', async () => {
    const { sender, sent, received } = send(withFrames(1, () => new Promise(() => undefined)));
    while (received() === '') await new Promise(setImmediate);
    sender.onModuleDestroy();
    expect(received()).toBe(`${whole[0]}${cut('SERVICE_UNAVAILABLE')}`);
    void sent;
  });

  it('says nothing of it where the answer is complete', async () => {
    const { sent, received } = send(withFrames(3, isLost));
    await sent;
    expect(received()).toBe(whole.join(''));
  });

  it.each([
    ['SERVICE_UNAVAILABLE', 'is lost', () => withFrames(1, isLost)],
    ['SERVICE_UNAVAILABLE', 'breaks off', () => withFrames(1, () => Promise.resolve(false))],
  ])('is refused with %s where nothing is streamed and its agent %s', async (code, _name, reader) => {
    const follower = new FrameFollower({} as never, openStreams(), refusing);
    const following = { ...source, open: () => Promise.resolve(reader()), projection: counting() };
    await expect(follower.follow(ctx, following)).rejects.toMatchObject({ code });
  });

  it('tells how far it was read, for one who reads on', async () => {
    const follower = new FrameFollower({} as never, openStreams(), refusing);
    const read = (reader: StreamReader<string>, after: number): Promise<number> =>
      follower.follow(ctx, { ...source, after, open: () => Promise.resolve(reader), projection: counting() });
    expect(await read(withFrames(3, isLost), 0)).toBe(3);
    const over: Projection = { isOver: true, read: () => [] };
    const nothing = { ...source, after: 7, open: () => Promise.resolve(withFrames(0, isLost)), projection: over };
    expect(await follower.follow(ctx, nothing)).toBe(7);
  });

  it('fails with what its telling failed with, and looks for no other agent', async () => {
    const follower = new FrameFollower({} as never, openStreams(), refusing);
    const projection: Projection = {
      isOver: false,
      read: () => {
        throw new TypeError('unknown frame');
      },
    };
    const following = { ...source, open: () => Promise.resolve(withFrames(1, isLost)), projection };
    await expect(follower.follow(ctx, following)).rejects.toThrow('unknown frame');
  });
});

describe('the places of streams', () => {
  it('are given back once, however often a stream is left', () => {
    const streams = openStreams();
    const enter = (): (() => void) => streams.enter(ctx, () => undefined);
    const leave = enter();
    expect(enter).toThrow(expect.objectContaining({ code: 'RATE_LIMITED' }));
    leave();
    leave();
    const leaveAgain = enter();
    leave();
    expect(enter).toThrow(expect.objectContaining({ code: 'RATE_LIMITED' }));
    leaveAgain();
    expect(streams.size).toBe(0);
  });
});

describe('answers that are waited for without a stream', () => {
  const quiet: Projection = { isOver: false, read: () => [] };
  const silentUntil = (signal: AbortSignal): Promise<StreamReader<string>> => {
    const aborter = once(signal, 'abort').then(() => false);
    return Promise.resolve({ more: () => aborter, takeReady: () => [], cancel: () => undefined } as never);
  };

  const waitIn = (follower: FrameFollower, of: Partial<Ctx>, until: AbortController): Promise<number> =>
    follower.follow({ ...ctx, ...of }, { ...source, open: silentUntil, projection: quiet, until: until.signal });

  it('are bounded for a credential, for its Space and for the process, apart from its streams', async () => {
    const follower = new FrameFollower({} as never, openStreams(), refusing);
    const leaving = new AbortController();
    const wait = (credentialId: string, spaceId = 'space'): Promise<number> =>
      waitIn(follower, { credentialId, spaceId }, leaving);
    /** A request over the limit waits unless it is refused at once. */
    const soon = (waits: Promise<number>): Promise<unknown> => Promise.race([waits, new Promise(setImmediate)]);
    const waiting = [wait('one'), wait('one')];
    await expect(soon(wait('one'))).rejects.toMatchObject({ code: 'RATE_LIMITED', retryAfterSeconds: 1 });
    waiting.push(wait('two'));
    // A Space leaves slots for others, however many credentials it has.
    await expect(soon(wait('three'))).rejects.toMatchObject({
      code: 'RATE_LIMITED',
      message: expect.stringContaining('A Space may') as string,
    });
    waiting.push(wait('four', 'other'));
    await expect(soon(wait('five', 'other'))).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      retryAfterSeconds: 1,
    });
    leaving.abort();
    await Promise.all(waiting);
    // Each has given its place back.
    const remaining = new AbortController();
    const again = ['one', 'one', 'two'].map((credentialId) => waitIn(follower, { credentialId }, remaining));
    remaining.abort();
    await Promise.all(again);
  });
});
