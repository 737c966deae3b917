import type { Socket } from 'node:net';
import type { Hostile } from '../hostile';
import type { Neighbour } from '../neighbour';

const MIB = 1024 * 1024;
const DECLARED = 9 * MIB;
const CHUNK = Buffer.alloc(256 * 1024, 0x20);

const head = (path: string, key: string | null, bytes: number): string =>
  [
    `POST ${path} HTTP/1.1`,
    'host: attack',
    ...(key === null ? [] : [`authorization: Bearer ${key}`]),
    'content-type: application/json',
    `content-length: ${bytes}`,
    '',
    '',
  ].join('\r\n');

/** Sends most of a body, holds the rest back, and comes again when it is thrown out. */
async function halfBodies(hostile: Hostile, count: number, headOf: () => string): Promise<void> {
  const open = new Map<number, Socket>();
  await hostile.lanes(count, async (shard) => {
    const leased = open.get(shard);
    if (leased && !leased.destroyed) return;
    const socket = await hostile.socket(headOf());
    open.set(shard, socket);
    for (let sent = CHUNK.length; sent < DECLARED && !socket.destroyed; sent += CHUNK.length) socket.write(CHUNK);
  });
}

export const anonymousBodies: Neighbour = {
  name: 'anonymous-bodies',
  bound: 'body bytes in flight, anonymous and of an address',
  refusals: [0, 401, 413, 429],
  prepare: ({ hostile, size }) =>
    Promise.resolve({ run: () => halfBodies(hostile, size(40, 160), () => head('/api/agents', null, DECLARED)) }),
};

export const bodiesOfASpace: Neighbour = {
  name: 'bodies-of-a-space',
  bound: 'body bytes in flight of a Space',
  refusals: [0, 413, 429],
  prepare: ({ hostile, size }) =>
    Promise.resolve({
      run: () => halfBodies(hostile, size(20, 60), () => head('/api/agents', hostile.key, DECLARED)),
    }),
};

export const declaredTooLarge: Neighbour = {
  name: 'declared-too-large',
  bound: 'a body whose declared length is over the limit',
  refusals: [413],
  prepare: ({ hostile, size }) =>
    Promise.resolve({
      run: () => halfBodies(hostile, size(10, 40), () => head('/api/agents', hostile.key, 11 * MIB)),
    }),
};

export const connections: Neighbour = {
  name: 'connections',
  bound: 'connections of an address without a credential',
  refusals: [0, 429, 503],
  prepare: ({ hostile, size }) => {
    const open = new Map<number, Socket>();
    return Promise.resolve({
      run: () =>
        hostile.lanes(size(1_100, 1_500), async (shard) => {
          const leased = open.get(shard);
          if (!leased || leased.destroyed) open.set(shard, await hostile.socket('GET /health/live HTTP/1.1\r\nhost: '));
        }),
    });
  },
};

/** Good keys that open connections, ask once and keep them: beyond what one key, and in full what one Space, may hold. */
export const heldConnections: Neighbour = {
  name: 'held-connections',
  bound: 'connections of a credential and of a Space',
  refusals: [0, 429],
  prepare: ({ hostile, size }) => {
    const open = new Map<number, Socket>();
    const keys = Array.from({ length: size(1, 6) }, () => hostile.key);
    return Promise.resolve({
      run: () =>
        hostile.lanes(size(620, 2_400), async (shard) => {
          const leased = open.get(shard);
          if (leased && !leased.destroyed) return;
          const key = keys[shard % keys.length] ?? '';
          const lines = ['GET /api/auth/me HTTP/1.1', 'host: attack', `authorization: Bearer ${key}`, '', ''];
          open.set(shard, await hostile.socket(lines.join('\r\n')));
        }),
    });
  },
};

/** Heads of requests that come byte by byte, and bodies that stop. */
export const slowSenders: Neighbour = {
  name: 'slow-senders',
  bound: 'headers that do not end, bodies without progress',
  refusals: [0, 408],
  prepare: ({ hostile, size }) => {
    const open = new Map<number, Socket>();
    return Promise.resolve({
      run: () =>
        hostile.lanes(size(40, 180), async (shard) => {
          const leased = open.get(shard);
          if (leased && !leased.destroyed) {
            if (shard % 2 === 0) leased.write('x');
            return;
          }
          const begun =
            shard % 2 === 0 ? 'GET /api/agents HTTP/1.1\r\nx-slow: ' : head('/api/agents', hostile.key, 1_000);
          open.set(shard, await hostile.socket(begun));
        }),
    });
  },
};

/** One credential follows everything, as often as it can. */
export const openStreams: Neighbour = {
  name: 'open-streams',
  bound: 'open streams of a credential',
  refusals: [429],
  prepare: ({ hostile, size }) => {
    const { key } = hostile;
    const request = ['GET /api/activity/stream HTTP/1.1', 'host: attack', `authorization: Bearer ${key}`];
    const text = [...request, 'accept: text/event-stream', '', ''].join('\r\n');
    return Promise.resolve({
      run: () =>
        hostile.lanes(size(70, 150), async () => {
          await hostile.socket(text);
          await hostile.hold();
        }),
    });
  },
};

/** Each costs a core for as long as five hashes take, known address or not. */
export const signIns: Neighbour = {
  name: 'sign-ins',
  bound: 'password checks that run and that wait',
  refusals: [429, 503],
  prepare: ({ hostile, size }) =>
    Promise.resolve({
      run: () =>
        hostile.lanes(size(160, 600), async (shard) => {
          const body = { email: `nobody-${shard}@example.com`, password: 'not the right one' };
          await hostile.ask('/api/auth/login', { body, headers: { authorization: '' } });
        }),
    }),
};
