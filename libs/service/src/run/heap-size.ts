import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** By how many percent the heap may grow beyond what lives before it is cleaned. */
const GROWTH_PERCENT = 40;
const SETTLED_MS = 1_000;

/**
 * By itself V8 lets a heap of forty megabytes grow to four times that before it looks for garbage: fine for one process
 * on a machine, not for nine. Cleaning more often costs a service under full load no time that could be measured.
 */
export function keepHeapSmall(): void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`);
}

let dropping: NodeJS.Timeout | undefined;

/**
 * Half of a young heap is what loading left behind. Once it is gone, V8 knows what lives, and measures growth by that.
 * If several services of a process start, it is done once, after the last.
 */
export function dropStartUp(): void {
  clearTimeout(dropping);
  dropping = setTimeout(collectGarbage, SETTLED_MS).unref();
}

export function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}
