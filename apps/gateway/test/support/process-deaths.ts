import type { ProcessHandle } from '@switchyard/testing';

/** How often a service ended and was started again since then. */
export function countDeaths(service: Pick<ProcessHandle, 'pid'>): { deaths: () => number; end: () => void } {
  const pids = new Set<number>();
  const look = (): void => {
    const { pid } = service;
    if (pid !== null) pids.add(pid);
  };
  look();
  const timer = setInterval(look, 20).unref();
  return {
    deaths: () => pids.size - 1,
    end: () => {
      clearInterval(timer);
    },
  };
}
