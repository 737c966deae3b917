import { Ticks } from '@switchyard/concurrency';
import type { Pool } from 'pg';
import { ClockPauseDetector } from './clock-pause-detector';
import { type SecondPassword, loginClient } from './servers/two-passwords';

/** The parts of a pool connection that are used here. */
export interface WatchedConnection {
  /** PID of its server process. */
  processID: number | null;
  /** Undefined on a new connection that has not sent any query yet. */
  _getActiveQuery(): object | null | undefined;
  connection: { stream: { destroy(): void } };
}

/** The server's report on some sessions: the busy ones, unreachable, or null if inconclusive. */
export type Report = { busy: ReadonlySet<number> } | 'unreachable' | null;

const ROUND_MS = 1000;
/** Statements that take less are not checked. */
const SUSPECT_AFTER_MS = 3000;
/** A server that accepts no connection within this time is unreachable. */
const CONNECT_WITHIN_MS = 4000;
const ANSWER_WITHIN_MS = 2000;
/** After this process itself stalled for this long, time-outs prove nothing: replies wait unread. */
const STILL_MS = 1000;

const UNREACHABLE = /timeout|ECONNREFUSED|ECONNRESET|ENOENT|ENOTFOUND|EHOSTUNREACH|Connection terminated/;

/**
 * Distinguishes slow statements from dead connections: asks the server over another connection whether the session is
 * still busy. If it is idle or missing, no reply will come.
 */
export class ConnectionWatchdog {
  private readonly rounds = new Ticks(ROUND_MS, () => {
    void this.round();
    return true;
  });
  /** Connections in use: only these are checked. */
  private taken = 0;
  private isAsking = false;
  private readonly since = new WeakMap<object, number>();
  private suspects = new Set<object>();

  constructor(
    private readonly lines: () => readonly WatchedConnection[],
    private readonly ask: (sessions: readonly number[]) => Promise<Report>,
    private readonly onBroken: (waitedMs: number) => void,
    private readonly now = (): number => performance.now(),
  ) {}

  /** Checks the pool's connections while any is in use. */
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

  /** Never throws. Closes a connection if the server is unreachable, or has twice reported it idle. */
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
      // The reply has arrived meanwhile.
      if (line._getActiveQuery() !== query || report === null) continue;
      if (report !== 'unreachable' && report.busy.has(session)) continue;
      if (report === 'unreachable' || this.suspects.has(query)) {
        this.onBroken(this.now() - since);
        line.connection.stream.destroy();
      } else suspects.add(query);
    }
    this.suspects = suspects;
  }

  private waiting(): { line: WatchedConnection; query: object; session: number; since: number }[] {
    const now = this.now();
    return this.lines().flatMap((line) => {
      const query = line._getActiveQuery();
      const session = line.processID;
      if (!query || session === null) return [];
      const since = this.since.get(query) ?? now;
      this.since.set(query, since);
      return now - since >= SUSPECT_AFTER_MS ? [{ line, query, session, since }] : [];
    });
  }
}

export const linesOf = (pool: Pool): readonly WatchedConnection[] =>
  (pool as unknown as { _clients: readonly WatchedConnection[] })._clients;

/** Over a new connection each time, as an existing one might be dead too. */
export async function askAfter(
  url: string,
  name: string,
  sessions: readonly number[],
  second: SecondPassword | null = null,
): Promise<Report> {
  const client = new (loginClient(second))({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_WITHIN_MS,
    query_timeout: ANSWER_WITHIN_MS,
    application_name: name,
  });
  client.on('error', () => undefined);
  const pauses = new ClockPauseDetector();
  try {
    await client.connect();
    const { rows } = await client.query<{ self: number; busy: number[] }>(
      `select pg_backend_pid() as self,
              array(select pid from pg_stat_activity where pid = any($1::int[]) and state not like 'idle%') as busy`,
      [sessions],
    );
    const { self, busy } = rows[0] ?? { self: null, busy: [] };
    // Behind a pooler, a PID is the pooler's, which proves nothing.
    return self === (client as unknown as WatchedConnection).processID ? { busy: new Set(busy) } : null;
  } catch (error) {
    if (!(error instanceof Error) || !UNREACHABLE.test(error.message)) return null;
    return error.message.includes('timeout') && pauses.longestMs() > STILL_MS ? null : 'unreachable';
  } finally {
    pauses.end();
    void client.end().catch(() => undefined);
  }
}
