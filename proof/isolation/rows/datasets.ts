import { setTimeout as sleep } from 'node:timers/promises';
import type { Neighbour, Scene } from '../neighbour';

/** How often an attacker looks whether its connection still stands. */
const HELD_LOOK_MS = 100;

const text = (bytes: number, from = 'x'): string => from.repeat(Math.ceil(bytes / from.length)).slice(0, bytes);

const dataset = ({ hostile }: Scene, fields: object[]): Promise<string> =>
  hostile.make('/api/datasets', { name: 'Attack', schema: { fields } });

async function fill(scene: Scene, id: string, batches: number, records: object[]): Promise<void> {
  for (let batch = 0; batch < batches; batch += 1)
    await scene.hostile.make(`/api/datasets/${id}/data/insert`, { records });
}

/** Records whose page is larger than any message. */
export const largeReplies: Neighbour = {
  name: 'large-replies',
  bound: 'message over the bus',
  prepare: async (scene) => {
    const id = await dataset(scene, [{ name: 'body', type: 'text' }]);
    const records = Array.from({ length: 9 }, () => ({ body: text(900_000) }));
    await fill(scene, id, 3, records);
    const body = { limit: 1_000 };
    return {
      run: () =>
        scene.hostile.lanes(scene.size(3, 12), () => scene.hostile.ask(`/api/datasets/${id}/data/query`, { body })),
    };
  },
};

/** Several answers of two megabytes on each connection, of which only the first bytes are read. */
export const unreadAnswers: Neighbour = {
  name: 'unread-answers',
  bound: 'answers that a client does not read',
  refusals: [429],
  prepare: async (scene) => {
    const id = await dataset(scene, [{ name: 'body', type: 'text' }]);
    await fill(
      scene,
      id,
      3,
      Array.from({ length: 9 }, () => ({ body: text(900_000) })),
    );
    const body = JSON.stringify({ limit: 1_000 });
    const request = (): string =>
      [
        `POST /api/datasets/${id}/data/query HTTP/1.1`,
        'host: attack',
        `authorization: Bearer ${scene.hostile.key}`,
        'content-type: application/json',
        `content-length: ${body.length}`,
        '',
        body,
      ].join('\r\n');
    return {
      run: () =>
        scene.hostile.lanes(scene.size(40, 160), async () => {
          const socket = await scene.hostile.socket(Array.from({ length: 6 }, request).join(''));
          const first = { isRefused: false };
          socket.once('data', (chunk: Buffer) => {
            first.isRefused = !chunk.toString('latin1').startsWith('HTTP/1.1 200');
            socket.pause();
          });
          while (!socket.destroyed && !first.isRefused && !scene.signal.aborted) await sleep(HELD_LOOK_MS);
          socket.destroy();
        }),
    };
  },
};

/** Records of a few bytes, which the defaults of their fields make as large as a batch may be, and larger. */
export const largeDefaults: Neighbour = {
  name: 'large-defaults',
  bound: 'records with the defaults of their fields',
  refusals: [413],
  prepare: async (scene) => {
    const fields = Array.from({ length: 20 }, (_, n) => ({ name: `d${n}`, type: 'text', default: text(4_000) }));
    const id = await dataset(scene, [{ name: 'n', type: 'integer' }, ...fields]);
    const records = Array.from({ length: 1_000 }, (_, n) => ({ n }));
    const insert = (count: number): ReturnType<typeof scene.hostile.ask> =>
      scene.hostile.ask(`/api/datasets/${id}/data/insert`, { body: { records: records.slice(0, count) } });
    return {
      run: () =>
        scene.hostile.lanes(scene.size(2, 8), (caller) => insert(caller % 2 === 0 ? 1_000 : scene.size(12, 120))),
    };
  },
};

export const heavyQueries: Neighbour = {
  name: 'heavy-queries',
  bound: 'database pool',
  prepare: async (scene) => {
    const id = await dataset(scene, [
      { name: 'a', type: 'text' },
      { name: 'b', type: 'text' },
    ]);
    const records = Array.from({ length: 1_000 }, (_, n) => ({ a: text(400, `w${n} `), b: text(400, `v${n} `) }));
    await fill(scene, id, scene.size(2, 20), records);
    const unlikely = Array.from({ length: 200 }, (_, n) => ({ a: { contains: `nothing${n}` } }));
    const body = { filter: { or: unlikely }, sort: [{ field: 'b', direction: 'asc' }] };
    return {
      run: () =>
        scene.hostile.lanes(scene.size(20, 60), () => scene.hostile.ask(`/api/datasets/${id}/data/query`, { body })),
    };
  },
};

export const embeddingQueue: Neighbour = {
  name: 'embedding-queue',
  bound: 'embedding queue',
  prepare: async (scene) => {
    const id = await dataset(scene, [{ name: 'body', type: 'text', vector: true }]);
    const records = Array.from({ length: 500 }, (_, n) => ({ body: text(500, `word${n} `) }));
    return {
      run: () =>
        scene.hostile.lanes(scene.size(2, 4), () =>
          scene.hostile.ask(`/api/datasets/${id}/data/insert`, { body: { records } }),
        ),
    };
  },
};

/** Searches by meaning, as many at a time as there are callers. */
export const vectorSearches: Neighbour = {
  name: 'vector-searches',
  bound: 'vectors in memory',
  prepare: async (scene) => {
    const id = await dataset(scene, [{ name: 'body', type: 'text', vector: true }]);
    const records = Array.from({ length: 500 }, (_, n) => ({ body: text(100, `word${n} `) }));
    await fill(scene, id, scene.size(1, 10), records);
    const body = { query: 'word7', topK: 20 };
    return {
      run: () =>
        scene.hostile.lanes(scene.size(10, 40), () => scene.hostile.ask(`/api/datasets/${id}/data/search`, { body })),
    };
  },
};

const upload = (scene: Scene, id: string, type: string, body: Buffer): Promise<unknown> =>
  scene.hostile.ask(`/api/datasets/${id}/import`, { body, headers: { 'content-type': type } });

export const importQueue: Neighbour = {
  name: 'import-queue',
  bound: 'import queue',
  prepare: async (scene) => {
    const id = await dataset(scene, [{ name: 'a', type: 'string' }]);
    const lines = `${JSON.stringify({ a: 'some text of a record' })}\n`.repeat(scene.size(5_000, 60_000));
    return {
      run: () =>
        scene.hostile.lanes(scene.size(4, 8), () => upload(scene, id, 'application/x-ndjson', Buffer.from(lines))),
    };
  },
};

export const manyColumns: Neighbour = {
  name: 'csv-of-many-columns',
  bound: 'columns of a CSV',
  refusals: [400, 413],
  prepare: async (scene) => {
    const id = await dataset(scene, [{ name: 'a', type: 'string' }]);
    const names = Array.from({ length: 1_000_000 }, (_, n) => `c${n}`).join(',');
    const file = Buffer.from(`${names}\n1\n`);
    return { run: () => scene.hostile.lanes(scene.size(2, 4), () => upload(scene, id, 'text/csv', file)) };
  },
};

export const longLines: Neighbour = {
  name: 'ndjson-of-one-line',
  bound: 'length of a line',
  refusals: [400, 413],
  prepare: async (scene) => {
    const id = await dataset(scene, [{ name: 'a', type: 'text' }]);
    const file = Buffer.from(`{"a":"${text(scene.size(8, 60) * 1024 * 1024)}`);
    return { run: () => scene.hostile.lanes(scene.size(2, 4), () => upload(scene, id, 'application/x-ndjson', file)) };
  },
};

export const watchedWrites: Neighbour = {
  name: 'watched-writes',
  bound: 'rows of a watched write',
  prepare: async (scene) => {
    const { hostile } = scene;
    const id = await dataset(scene, [
      { name: 'body', type: 'text' },
      { name: 'n', type: 'integer' },
    ]);
    const records = Array.from({ length: 500 }, (_, n) => ({ body: text(8_000), n }));
    await fill(scene, id, scene.size(2, 20), records);
    const emitOn = { dataset: id, operations: ['update'] };
    const events = [{ name: 'changed', schema: {}, emitOn }];
    const manifest = { identifier: `watch-${scene.space.id.slice(-12)}`, name: 'Watch', version: '1.0.0', events };
    const made = await hostile.ask('/api/applications', { body: { manifest }, parse: true });
    if (made.status !== 201) throw new Error(`could not install the watcher: ${made.status}`);
    let n = 0;
    return {
      run: () =>
        hostile.lanes(scene.size(2, 4), () => {
          n += 1;
          return hostile.ask(`/api/datasets/${id}/data/update`, { body: { all: true, set: { n } } });
        }),
    };
  },
};

/** Unread exports, more of them than a credential may have open. */
export const refusedStreams: Neighbour = {
  name: 'refused-streams',
  bound: 'open streams of a credential: a refused one leaves no producer behind',
  refusals: [429],
  prepare: async (scene) => {
    const id = await dataset(scene, [{ name: 'body', type: 'text' }]);
    const records = Array.from({ length: 100 }, () => ({ body: text(50_000) }));
    await fill(scene, id, scene.size(1, 4), records);
    const { credential } = await scene.space.key();
    const line = `GET /api/datasets/${id}/export HTTP/1.1\r\nhost: attack\r\nauthorization: Bearer ${credential}\r\n\r\n`;
    return {
      run: () =>
        scene.hostile.lanes(scene.size(60, 80), async () => {
          const socket = await scene.hostile.socket(line);
          socket.once('data', () => socket.pause());
          await scene.hostile.hold();
        }),
    };
  },
};
