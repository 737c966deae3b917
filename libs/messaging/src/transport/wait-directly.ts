import type { WaitOutside } from './trials';

/** For work that is no trial: nothing else waits for it. */
export const directly: WaitOutside = (wait) => wait();
