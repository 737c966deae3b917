import { IDLE_INTERVAL_MS, type IdlePoller, coalesced } from '@switchyard/concurrency';
import type { Rows, Statement } from './one-trip';

interface Watcher {
  signs: readonly Statement[];
  wake: () => void;
}

/** Without an answer by then each loop looks itself: what one of them waits for is not to hold up the others. */
const ANSWER_WITHIN_MS = 2_000;

const keyOf = ({ name, sql }: Statement): string => name ?? sql;

/**
 * Looks for all idle loops of a process at once: every five seconds, in one transaction and one round trip, instead of
 * one or more for each of them. Nothing is looked for while no loop is idle.
 */
export class Lookouts {
  private readonly watchers = new Set<Watcher>();
  private timer: NodeJS.Timeout | undefined;
  private isStopped = false;

  constructor(
    private readonly ask: (signs: readonly Statement[]) => Promise<Rows[]>,
    private readonly onFailure: (error: unknown) => void,
  ) {}

  /**
   * Wakes an idle loop when one of the `signs` has a row, or when they could not be looked for. A sign may be there
   * although there is no work; where there is work, one must be there. Loops with the same work share their signs.
   */
  for(...signs: readonly Statement[]): IdlePoller {
    return {
      watch: (wake) => {
        const watcher = { signs, wake };
        this.watchers.add(watcher);
        this.timer ??= this.next();
        return () => {
          this.watchers.delete(watcher);
        };
      },
    };
  }

  stop(): void {
    this.isStopped = true;
    clearTimeout(this.timer);
    this.watchers.clear();
  }

  private next(): NodeJS.Timeout {
    return setTimeout(() => void this.look(), coalesced(IDLE_INTERVAL_MS)).unref();
  }

  private async look(): Promise<void> {
    const watching = [...this.watchers];
    const found = await this.find(watching);
    this.timer = this.watchers.size > 0 ? this.next() : undefined;
    for (const { signs, wake } of watching) if (signs.some((sign) => found.has(keyOf(sign)))) wake();
  }

  /** Which of the signs are there: all of them, for all we know, when that cannot be found out. */
  private async find(watching: readonly Watcher[]): Promise<ReadonlySet<string>> {
    const signs = new Map(watching.flatMap((watcher) => watcher.signs.map((sign) => [keyOf(sign), sign])));
    if (signs.size === 0) return new Set();
    const keys = [...signs.keys()];
    try {
      const rows = await withDeadline(this.ask([...signs.values()]));
      return new Set(keys.filter((_, at) => (rows[at]?.length ?? 0) > 0));
    } catch (error) {
      if (!this.isStopped) this.onFailure(error);
      return new Set(keys);
    }
  }
}

async function withDeadline<T>(answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new Error(`no answer within ${ANSWER_WITHIN_MS} ms`));
    }, ANSWER_WITHIN_MS).unref();
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
