import { parentPort } from 'node:worker_threads';
import type { IndexReply, IndexRequest, Numbered } from './index-messages';
import { nearestOf, type Scored, type Steps } from './nearest-vectors';
import { SpaceStepQueue } from './space-step-queue';
import { VectorIndex } from './vector-index';

/**
 * The thread that holds the vectors. Searches and the building of graphs go in steps of some milliseconds, and Spaces
 * take turns with both: a large index of one of them delays no other for longer than a step.
 */
const indexes = new Map<string, VectorIndex>();
const searches = new SpaceStepQueue<Search>();
const growing = new SpaceStepQueue<string>();
const isGrowing = new Set<string>();
let isRunning = false;
let steps = 0;

interface Search {
  number: number;
  request: IndexRequest;
  steps: Steps;
}

/** Vectors taken into a graph in one step: some 20 ms. */
const SLICE = 32;
/** Vectors copied in one step of getting rid of remains. */
const COPIED = 2048;
const WASTE = 0.4;
/** While searches wait, each so many of their steps a graph grows by one. */
const GROWS_EACH = 4;

const NOTHING: Scored[] = [];

function reply(number: number, request: IndexRequest, hits: Scored[], error?: unknown): void {
  const answer: IndexReply = { number, hits, bytes: indexes.get(request.index)?.bytes ?? null };
  if (error !== undefined) answer.error = error instanceof Error ? error.message : 'the vector thread failed';
  parentPort?.postMessage(answer);
}

function take(number: number, request: IndexRequest): void {
  const index = indexes.get(request.index);
  switch (request.kind) {
    case 'put': {
      const target = index?.dimensions === request.dimensions ? index : new VectorIndex(request.dimensions);
      indexes.set(request.index, target);
      request.ids.forEach((id, i) => {
        const start = i * request.dimensions;
        target.put(id, request.revisions[i] ?? 0, request.vectors.subarray(start, start + request.dimensions));
      });
      startGrowing(request);
      break;
    }
    case 'remove':
      for (const id of request.ids) index?.remove(id);
      break;
    case 'drop':
      indexes.delete(request.index);
      break;
    case 'compare':
      reply(number, request, nearestOf(request.ids, request.vectors, request.query, request.count));
      return;
    case 'search':
    case 'searchAmong':
      if (index?.dimensions !== request.query.length) break;
      searches.add(request.spaceId, {
        number,
        request,
        steps:
          request.kind === 'search'
            ? index.searching(request.query, request.count)
            : index.searchingAmong(request.query, request.ids, request.count),
      });
      run();
      return;
  }
  reply(number, request, NOTHING);
}

function startGrowing({ index, spaceId }: IndexRequest): void {
  if (isGrowing.has(index)) return;
  isGrowing.add(index);
  growing.add(spaceId, index);
  run();
}

/** One step of pending work, then the mailbox is read before the next. */
function run(): void {
  if (isRunning) return;
  isRunning = true;
  setImmediate(() => {
    isRunning = false;
    steps += 1;
    const hasSearched = searches.turn((search) => runStep(search));
    if (!hasSearched || steps % GROWS_EACH === 0) growing.turn((name) => grow(name));
    if (searches.size + growing.size > 0) run();
  });
}

function runStep({ number, request, steps: rest }: Search): boolean {
  try {
    const step = rest.next();
    if (step.done !== true) return true;
    reply(number, request, step.value);
  } catch (error) {
    reply(number, request, NOTHING, error);
  }
  return false;
}

/** Whether there is more to do for this index. */
function grow(name: string): boolean {
  const index = indexes.get(name);
  if (index !== undefined && index.waste > WASTE && index.size > 1000) {
    const compacted = index.compact(COPIED);
    if (compacted !== null) indexes.set(name, compacted);
    return true;
  }
  if (index?.grow(SLICE) === true) return true;
  isGrowing.delete(name);
  return false;
}

parentPort?.on('message', ({ number, request }: Numbered) => {
  try {
    take(number, request);
  } catch (error) {
    reply(number, request, NOTHING, error);
  }
});
