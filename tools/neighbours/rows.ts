import type { Neighbour } from './neighbour';
import {
  embeddingQueue,
  heavyQueries,
  importQueue,
  largeReplies,
  longLines,
  manyColumns,
  refusedStreams,
  vectorSearches,
  watchedWrites,
} from './rows/datasets';
import {
  anonymousBodies,
  bodiesOfASpace,
  connections,
  declaredTooLarge,
  openStreams,
  signIns,
  slowSenders,
} from './rows/doors';
import { fanOut, heavyLane, largeLists, outbox } from './rows/events';
import { detachedTurns, endlessTools, frames, modelConnections, slowReaders, tokenizing, waits } from './rows/turns';
import { growingTemplates, waitingJobs, waitingSteps } from './rows/work';

/** In the order of the table of budgets in docs/fairness.md. */
export const NEIGHBOURS: readonly Neighbour[] = [
  anonymousBodies,
  bodiesOfASpace,
  declaredTooLarge,
  connections,
  slowSenders,
  openStreams,
  waits,
  signIns,
  largeReplies,
  largeLists,
  fanOut,
  outbox,
  heavyLane,
  frames,
  slowReaders,
  refusedStreams,
  detachedTurns,
  waitingSteps,
  waitingJobs,
  embeddingQueue,
  importQueue,
  heavyQueries,
  vectorSearches,
  tokenizing,
  modelConnections,
  endlessTools,
  manyColumns,
  longLines,
  growingTemplates,
  watchedWrites,
];
