import { Ticks } from '@switchyard/concurrency';
import { Client, type Pool } from 'pg';
import { Stillness } from './stillness';

/** A connection of the pool, as far as the watch looks into it. */
export interface Line {
  /** Of the server's process at the other end. */
  processID: number | null;
  _getActiveQuery(): object | null;
  connection: { stream: { destroy(): void } };
}

/**
 * What the server says of the sessions that it was asked about: those that are busy, that it is not there, or null
 * when what it says proves nothing.
 */
export type Report = { busy: ReadonlySet<number> } | 'unreachable' | null;

const ROUND_MS = 1000;
/** Most statements are over before anybody asks after them. */
const SUSPECT_AFTER_MS = 3000;
/** A server that takes no connection for so long is not there for anybody. */
const CONNECT_WITHIN_MS = 4000;
const ANSWER_WITHIN_MS = 2000;
/** After we ourselves stood still for so long, time-outs prove nothing: answers wait unread. */
const STILL_MS = 1000;

const UNREACHABLE = /timeout|ECONNREFUSED|ECONNRESET|ENOENT|ENOTFOUND|EHOSTUNREACH|Connection terminated/;

/**
 * Tells a statement that takes long from a line that is dead. Silence looks the same on both, so the server is asked
 * on another line: whoever waits for a session that is idle, or gone, waits in vain.
 */
export class LineWatch {
  private readonly rounds = new Ticks(ROUND_MS, () => {
    void this.round();
    return true;
  });
  /** How many lines are in use: only these wait for answers. */
  private taken = 0;
  private isAsking = false;
  private readonly since = new WeakMap<object, number>();
  private suspects = new Set<object>();

  constructor(
    private readonly lines: () => readonly Line[],
    private readonly ask: (sessions: readonly number[]) => Promise<Report>,
    private readonly onLost: (waitedMs: number) => void,
    private readonly now = (): number => performance.now(),
  ) {}

  /** Looks at the pool's lines as long as one of them is in use. */
  follow(pool: Pick<Pool, 'on'>): void {
    pool.on('acquire', () => {
      this.taken += 1;
      this.rounds.begin();
    });
    pool.on('release', () => {
      this.taken -= 1;
      if (this.taken === 0) this.rounds.rest();
    });
  }

  stop(): void {
    this.rounds.stop();
  }

  /** Never throws. A line is given up when the server cannot be reached, or has twice said that it does nothing for it. */
  async round(): Promise<void> {
    if (this.isAsking) return;
    const waiting = this.waiting();
    if (waiting.length === 0) {
      this.suspects.clear();
      return;
    }
    this.isAsking = true;
    const report = await this.ask(waiting.map(({ session }) => session)).finally(() => {
      this.isAsking = false;
    });
    const suspects = new Set<object>();
    for (const { line, query, session, since } of waiting) {
      // Its answer has come in the meantime.
      if (line._getActiveQuery() !== query || report === null) continue;
      if (report !== 'unreachable' && report.busy.has(session)) continue;
      if (report === 'unreachable' || this.suspects.has(query)) {
        this.onLost(this.now() - since);
        line.connection.stream.destroy();
      } else suspects.add(query);
    }
    this.suspects = suspects;
  }

  private waiting(): { line: Line; query: object; session: number; since: number }[] {
    const now = this.now();
    return this.lines().flatMap((line) => {
      const query = line._getActiveQuery();
      const session = line.processID;
      if (query === null || session === null) return [];
      const since = this.since.get(query) ?? now;
      this.since.set(query, since);
      return now - since >= SUSPECT_AFTER_MS ? [{ line, query, session, since }] : [];
    });
  }
}

export const linesOf = (pool: Pool): readonly Line[] => (pool as unknown as { _clients: readonly Line[] })._clients;

/** Over a line of its own each time: one that is kept might be dead as well. */
export async function askAfter(url: string, name: string, sessions: readonly number[]): Promise<Report> {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_WITHIN_MS,
    query_timeout: ANSWER_WITHIN_MS,
    application_name: name,
  });
  client.on('error', () => undefined);
  const stillness = new Stillness();
  try {
    await client.connect();
    const { rows } = await client.query<{ self: number; busy: number[] }>(
      `select pg_backend_pid() as self,
              array(select pid from pg_stat_activity where pid = any($1::int[]) and state not like 'idle%') as busy`,
      [sessions],
    );
    const { self, busy } = rows[0] ?? { self: null, busy: [] };
    // Behind a pooler, a session's number is the pooler's own, and nothing can be said of it.
    return self === (client as unknown as Line).processID ? { busy: new Set(busy) } : null;
  } catch (error) {
    if (!(error instanceof Error) || !UNREACHABLE.test(error.message)) return null;
    return error.message.includes('timeout') && stillness.longestMs() > STILL_MS ? null : 'unreachable';
  } finally {
    stillness.end();
    void client.end().catch(() => undefined);
  }
}
