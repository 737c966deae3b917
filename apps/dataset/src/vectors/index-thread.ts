import { parentPort } from 'node:worker_threads';
import type { IndexReply, IndexRequest, Numbered } from './index-messages';
import { type Scored, VectorIndex } from './vector-index';

/** The thread that holds the vectors: building a graph takes seconds, and must not hold up the service. */
const indexes = new Map<string, VectorIndex>();
const growing = new Set<string>();
/** Vectors taken into graphs between two looks at the mailbox: some 20 ms. */
const SLICE = 32;
const WASTE = 0.4;

function answer(request: IndexRequest): Scored[] {
  const index = indexes.get(request.index);
  switch (request.kind) {
    case 'put': {
      const target = index?.dimensions === request.dimensions ? index : new VectorIndex(request.dimensions);
      indexes.set(request.index, target);
      request.ids.forEach((id, i) => {
        const start = i * request.dimensions;
        target.put(id, request.revisions[i] ?? 0, request.vectors.subarray(start, start + request.dimensions));
      });
      startGrowing(request.index);
      return [];
    }
    case 'remove':
      for (const id of request.ids) index?.remove(id);
      return [];
    case 'search':
      return index?.dimensions === request.query.length ? index.search(request.query, request.count) : [];
    case 'searchAmong':
      return index?.dimensions === request.query.length
        ? index.searchAmong(request.query, request.ids, request.count)
        : [];
    case 'drop':
      indexes.delete(request.index);
      return [];
  }
}

function startGrowing(name: string): void {
  if (growing.has(name)) return;
  growing.add(name);
  setImmediate(() => {
    grow(name);
  });
}

function grow(name: string): void {
  const index = indexes.get(name);
  if (index === undefined) {
    growing.delete(name);
    return;
  }
  if (index.waste > WASTE && index.size > 1000) indexes.set(name, index.compacted());
  if (indexes.get(name)?.grow(SLICE) === true)
    setImmediate(() => {
      grow(name);
    });
  else growing.delete(name);
}

parentPort?.on('message', ({ number, request }: Numbered) => {
  const reply: IndexReply = { number, hits: [], bytes: 0 };
  try {
    reply.hits = answer(request);
    reply.bytes = indexes.get(request.index)?.bytes ?? 0;
  } catch (error) {
    reply.error = error instanceof Error ? error.message : String(error);
  }
  parentPort?.postMessage(reply);
});
