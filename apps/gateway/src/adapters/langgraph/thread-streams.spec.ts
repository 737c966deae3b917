import { PassThrough } from 'node:stream';
import { type Ctx, PRODUCT_EVENTS, type TurnOfSession } from '@switchyard/contracts';
import { AppError } from '@switchyard/kernel';
import type { Bus } from '@switchyard/messaging';
import { Metrics, PayerCache } from '@switchyard/service';
import type { FastifyReply } from 'fastify';
import type { ActiveResponses } from '../../auth/active-responses';
import type { Principals } from '../../auth/principals';
import { UnreadResponses } from '../../limits/unread-responses';
import { ThreadChanges } from './thread-change-signals';
import { ThreadStreams } from './thread-streams';
import { ThreadMessages } from './thread-messages';

const ctx = { spaceId: 'space', scopes: ['agents:call'] } as never as Ctx;
const TURN = {
  id: 't',
  agentId: 'a',
  sessionId: 's',
  status: 'RUNNING',
  epoch: 1,
  startedAt: '2026-01-01T00:00:00.000Z',
} as TurnOfSession;

const frame = (seq: number, method: string, data: object): string =>
  JSON.stringify({ type: 'event', method, params: { timestamp: 1, data }, seq });
const STARTED = frame(1, 'lifecycle', { event: 'started' });
const ENDED = frame(2, 'custom:service', { event: PRODUCT_EVENTS.streamEnded, status: 'COMPLETED' });

type StreamResult = AppError | string[];

interface StreamOptions {
  channel?: string;
  scopes?: string[];
  /** May refuse. */
  readTranscript?: () => void;
  /** Nothing is said to change, and the reader leaves when it has heard the end. */
  leavesAtEnd?: boolean;
}

/** A thread with one turn, whose agent gives these answers in turn: refusals, or frames until its end. */
async function sent(
  answers: StreamResult[],
  { channel = 'lifecycle', scopes = ['agents:call'], readTranscript, leavesAtEnd = false }: StreamOptions = {},
): Promise<{ subscription: string; request: number[]; receivedBeforeTranscript: string | null; looks: number }> {
  const request: number[] = [];
  let looks = 0;
  let receivedBeforeTranscript: string | null = null;
  const bus = {
    signal: () => undefined,
    call: async ({ subject }: { subject: string }) => {
      if (subject === 'session.newest-messages') {
        await new Promise(setImmediate);
        receivedBeforeTranscript ??= subscription;
        readTranscript?.();
        return { items: [], nextCursor: null };
      }
      looks += 1;
      if (answers.length === 0) throw new AppError('FORBIDDEN', 'no more');
      // Another holder each time: there may be more to be had.
      return { items: [{ ...TURN, epoch: request.length }] };
    },
    stream: (_contract: unknown, _ctx: Ctx, { after }: { after: number }) => {
      request.push(after);
      const answer = answers.shift() ?? new AppError('FORBIDDEN', 'no more');
      if (answer instanceof AppError) return Promise.reject(answer);
      const batches = [answer];
      return Promise.resolve({
        more: () => Promise.resolve(batches.length > 0),
        takeReady: () => batches.shift() ?? [],
        cancel: () => undefined,
      });
    },
  } as never as Bus;
  const changes = new ThreadChanges(bus);
  const raw = new (class extends PassThrough {
    writeHead = (): void => undefined;
    flushHeaders = (): void => undefined;
  })();
  let subscription = '';
  raw.on('data', (chunk: Buffer) => {
    subscription += chunk.toString();
    if (leavesAtEnd && subscription.includes('"completed"'))
      setImmediate(() => setImmediate(() => threads.onModuleDestroy()));
  });
  const reply = { raw, request: {}, getHeaders: () => ({}), hijack: () => undefined } as never as FastifyReply;
  const streams = { enter: () => () => undefined } as never as ActiveResponses;
  const threads = new ThreadStreams(
    bus,
    streams,
    {} as Principals,
    new UnreadResponses({} as never, new Metrics('gateway')),
    changes,
    new ThreadMessages(bus, new PayerCache(), new Metrics('gateway')),
  );
  const isSubscribed = (each: string): boolean => each === 'lifecycle' || each === channel;
  const delivery = threads.send({ ...ctx, scopes }, reply, { sessionId: 's', since: null, isSubscribed });
  const late = setTimeout(() => {
    threads.onModuleDestroy();
  }, 4_000);
  const nudge = setInterval(() => {
    if (!leavesAtEnd) changes.subscription({ spaceId: 'space', sessionId: 's' });
  }, 5);
  try {
    await delivery;
  } finally {
    clearInterval(nudge);
    clearTimeout(late);
  }
  return { subscription, request, receivedBeforeTranscript, looks };
}

const NOT_FOUND = new AppError('NOT_FOUND', 'gone');
const events = (subscription: string): string[] =>
  [...subscription.matchAll(/^id: (\d+)$/gmu)].map(([, id]) => id ?? '');

describe('the stream of a thread', () => {
  it('ends with the reason if another attempt would be refused too', async () => {
    expect((await sent([new AppError('FORBIDDEN', 'closed')])).subscription).toContain(': FORBIDDEN closed');
  });

  it('waits if a service is unavailable for a while', async () => {
    const unavailable = new AppError('SERVICE_UNAVAILABLE', 'away');
    const { subscription } = await sent([unavailable, new AppError('RATE_LIMITED', 'busy'), [STARTED], NOT_FOUND]);
    expect(events(subscription)).toHaveLength(1);
  });

  it('continues without duplicates after its turn was unavailable for a while', async () => {
    const { subscription, request } = await sent([[STARTED], NOT_FOUND, [ENDED]]);
    const ids = events(subscription);
    expect(request.slice(0, 3)).toEqual([0, 1, 1]);
    expect([ids.length, new Set(ids).size]).toEqual([2, 2]);
  });

  it('reports a gap if frames are missing', async () => {
    const { subscription } = await sent([[STARTED], new AppError('STREAM_EXPIRED', 'gone'), [ENDED]]);
    expect([events(subscription).length, subscription.includes(': STREAM_EXPIRED')]).toEqual([1, true]);
  });

  it('requests the turns of its thread once if no later turn begins', async () => {
    const { subscription, looks } = await sent([[STARTED, ENDED]], { leavesAtEnd: true });
    expect([events(subscription).length, looks]).toEqual([2, 1]);
  });

  it('sends earlier output before it reads the transcript for later turns', async () => {
    const all = { channel: 'values', scopes: ['agents:call', 'sessions:read'] };
    const { receivedBeforeTranscript } = await sent([[STARTED, ENDED]], all);
    expect(events(receivedBeforeTranscript ?? '')).toHaveLength(1);
  });

  it('ends if the transcript is unavailable for long', async () => {
    const start = Date.now();
    const now = jest.spyOn(Date, 'now').mockReturnValue(start);
    let tries = 0;
    const readTranscript = (): void => {
      tries += 1;
      now.mockReturnValue(start + tries * 40_000);
      throw new AppError('SERVICE_UNAVAILABLE', 'away');
    };
    try {
      const all = { channel: 'values', scopes: ['agents:call', 'sessions:read'], readTranscript };
      const { subscription } = await sent([[STARTED, ENDED]], all);
      expect(events(subscription)).toHaveLength(1);
      expect(subscription).toContain(': SERVICE_UNAVAILABLE The messages of the thread cannot be read.');
      expect(tries).toBe(2);
    } finally {
      now.mockRestore();
    }
  });

  it('ends with an error of the gateway, not as if the agent had failed', async () => {
    await expect(sent([['{"seq":1'], [ENDED]])).rejects.toBeInstanceOf(SyntaxError);
  });
});
