import { IDLE_INTERVAL_MS, type IdlePoller, coalesced } from '@switchyard/concurrency';
import type { Rows, Statement } from './pipelined-batch';

interface Watcher {
  signs: readonly Statement[];
  wake: () => void;
}

/** Without a result by then every loop polls itself, so that one slow probe does not delay the others. */
const ANSWER_WITHIN_MS = 2_000;

const keyOf = ({ name, sql }: Statement): string => name ?? sql;

/**
 * Polls for all idle loops of a process: every five seconds, one transaction in one round trip. Does nothing while no
 * loop is idle.
 */
export class SharedIdlePoller {
  private readonly watchers = new Set<Watcher>();
  private timer: NodeJS.Timeout | undefined;
  private isStopped = false;

  constructor(
    private readonly ask: (signs: readonly Statement[]) => Promise<Rows[]>,
    private readonly onFailure: (error: unknown) => void,
  ) {}

  /**
   * Wakes an idle loop when one of its probes finds a row, or could not run. A probe may find a row without work, but
   * must find one if there is work. Loops with the same work share probes.
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
    return setTimeout(() => void this.poll(), coalesced(IDLE_INTERVAL_MS)).unref();
  }

  private async poll(): Promise<void> {
    const watching = [...this.watchers];
    const found = await this.find(watching);
    this.timer = this.watchers.size > 0 ? this.next() : undefined;
    for (const { signs, wake } of watching) if (signs.some((sign) => found.has(keyOf(sign)))) wake();
  }

  /** Probes that found a row; all of them if they could not run. */
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
