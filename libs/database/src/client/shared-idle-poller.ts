import { IDLE_INTERVAL_MS, type IdlePoller, coalesced } from '@switchyard/concurrency';
import type { Rows, Statement } from './pipelined-batch';

interface Watcher {
  signs: readonly Statement[];
  wake: () => void;
}

interface FoundSigns {
  found: readonly number[];
}

/** Each loop looks for itself once in so long, for work that its probes miss. */
const OWN_LOOK_MS = 60_000;
/** Without a result by then every loop polls itself, so that one slow probe does not delay the others. */
const ANSWER_WITHIN_MS = 2_000;

const keyOf = ({ name, sql }: Statement): string => name ?? sql;

/**
 * One statement for all probes: each one of its own would cost the server more than what it looks for. Gives the places
 * of those that find a row.
 */
export function probeOf(signs: readonly Statement[]): Statement {
  const params: unknown[] = [];
  const parts = signs.map((sign, at) => {
    const first = params.length;
    params.push(...sign.params);
    const sql = sign.sql.replace(/\$(\d+)/g, (_, number: string) => `$${first + Number(number)}`);
    return `case when exists (${sql}) then ${at} end`;
  });
  return {
    // The probes of a process only become more.
    name: `idle-loops-${signs.length}`,
    params,
    // With the values of its parameters it would be planned at each poll.
    hasOnePlan: true,
    sql: `select array_remove(array[${parts.join(', ')}]::int[], null) as found`,
  };
}

/**
 * Polls for all idle loops of a process: every five seconds, one transaction in one round trip. Does nothing while no
 * loop is idle.
 */
export class SharedIdlePoller {
  private readonly watchers = new Set<Watcher>();
  /** All probes, also those of busy loops: the same statement each time, which is planned once. */
  private readonly signs = new Map<string, Statement>();
  private timer: NodeJS.Timeout | undefined;
  private isStopped = false;
  /** Loops whose own look is due. */
  private dueLooks = 0;

  constructor(
    private readonly ask: (probe: Statement) => Promise<Rows>,
    private readonly onFailure: (error: unknown) => void,
  ) {}

  /**
   * Wakes an idle loop when one of its probes finds a row, or could not run, and once a minute: one loop after the other,
   * because each of two that look at once needs a database connection. A probe may find a row without work, but
   * must find one if there is work. Loops with the same work share probes.
   */
  for(...signs: readonly Statement[]): IdlePoller {
    for (const sign of signs) this.signs.set(keyOf(sign), sign);
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
    const found = watching.some(({ signs }) => signs.length > 0) ? await this.find() : new Set();
    this.timer = this.watchers.size > 0 ? this.next() : undefined;
    for (const { signs, wake } of watching) if (signs.some((sign) => found.has(keyOf(sign)))) wake();
    this.dueLooks += (this.watchers.size * IDLE_INTERVAL_MS) / OWN_LOOK_MS;
    // Those come first that have waited longest.
    for (const { wake } of this.watchers) {
      if (this.dueLooks < 1) return;
      this.dueLooks -= 1;
      wake();
    }
  }

  /** Probes that found a row; all of them if they could not run. */
  private async find(): Promise<ReadonlySet<string>> {
    const keys = [...this.signs.keys()];
    try {
      const [row] = await withDeadline(this.ask(probeOf([...this.signs.values()])));
      const { found } = row as unknown as FoundSigns;
      return new Set(keys.filter((_, at) => found.includes(at)));
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
