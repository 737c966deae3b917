import { LRUCache } from 'lru-cache';

/** How a request is sent: for the first time, after a loss, or after one that was not explained and then alone. */
export const Stage = { fresh: 0, suspect: 1, trial: 2 } as const;

/** Other requests in a process: none that may explain its end, some, or one that was to be alone as well. */
export const Others = { none: 0, some: 1, trial: 2 } as const;

export interface WorkInServer {
  work: string;
  /** See `Stage`. */
  stage: number;
  sentAt: number;
}

const SERVERS_MAX = 1_000;
const KEEP_MS = 600_000;

/**
 * Processes that ended a short while ago, each with the two requests that most likely ended it: one of them is another
 * than the one in question.
 */
export class EndedServers {
  private readonly servers = new LRUCache<string, WorkInServer[]>({ max: SERVERS_MAX, ttl: KEEP_MS });

  has(server: string): boolean {
    return this.servers.has(server);
  }

  add(server: string, works: readonly WorkInServer[]): void {
    const likely = [...(this.servers.get(server) ?? [])];
    for (const { work, stage, sentAt } of works) {
      const same = likely.findIndex((each) => each.work === work);
      const [before] = same < 0 ? [] : likely.splice(same, 1);
      likely.push({
        work,
        stage: Math.min(stage, before?.stage ?? stage),
        sentAt: Math.max(sentAt, before?.sentAt ?? sentAt),
      });
      likely.sort((one, other) => other.stage - one.stage || other.sentAt - one.sentAt);
      likely.length = Math.min(likely.length, 2);
    }
    this.servers.set(server, likely);
  }

  /** Whether other requests in the process may explain its end: repeats, or fresh ones that began later. */
  others(work: string, { server, sentAt }: { server: string; sentAt: number }): number {
    const other = this.servers.get(server)?.find((each) => each.work !== work);
    if (!other || (other.stage === Stage.fresh && other.sentAt <= sentAt)) return Others.none;
    return other.stage === Stage.trial ? Others.trial : Others.some;
  }
}
