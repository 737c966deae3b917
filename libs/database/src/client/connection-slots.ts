import { FairSemaphore, tooManyWaitFor } from '@switchyard/concurrency';
import type { DatabaseOptions } from '../options';

const POOL_WAIT_MS = 5_000;
const SPACE_SHARE_PERCENT = 50;
/** More could not be served in time, even with statements of a few milliseconds. */
const WAITING_PER_CONNECTION = 500;

/**
 * A Space over its share leaves a quarter of the pool free, so that other Spaces need not wait for its slow statements.
 */
export const connectionSlots = (options: DatabaseOptions): FairSemaphore =>
  new FairSemaphore({
    slots: options.poolSize,
    share: Math.max(1, Math.floor((options.poolSize * (options.spaceSharePercent ?? SPACE_SHARE_PERCENT)) / 100)),
    reserve: Math.floor(options.poolSize / 4),
    waitMs: options.poolWaitMs ?? POOL_WAIT_MS,
    waiting: { all: options.poolSize * WAITING_PER_CONNECTION, each: (options.poolSize * WAITING_PER_CONNECTION) / 2 },
    refusal: tooManyWaitFor('the database'),
  });
