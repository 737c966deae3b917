import { setTimeout as sleep } from 'node:timers/promises';
import type { ProcessHandle } from '@switchyard/testing';

/** The most trials that one process of a service has counted: the count ends with its process. */
export function mostTrials(service: ProcessHandle): { end: () => Promise<number> } {
  const ending = new AbortController();
  const sampling = (async () => {
    let most = 0;
    while (!ending.signal.aborted) {
      const count = await service.metric('switchyard_trials_total').catch(() => 0);
      most = Math.max(most, count);
      await sleep(100);
    }
    return most;
  })();
  return {
    end: () => {
      ending.abort();
      return sampling;
    },
  };
}
