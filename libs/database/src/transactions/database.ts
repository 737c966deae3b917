import { type FairSemaphore } from '@switchyard/concurrency';
import { AppError, insideTransaction, isId, isTracing, traced } from '@switchyard/kernel';
import { Ctx, requireSpace } from '@switchyard/contracts';
import type { Pool, PoolClient, Submittable } from 'pg';
import type { DataSource, DataSourceOptions, QueryRunner } from 'typeorm';
import { statementSpan, transactionSpan } from '../client/database-spans';
import { connectionSlots } from '../client/connection-slots';
import { isUnavailable, isConnectionBroken, isReadOnly, translate } from '../client/errors';
import { type OnceOptions, answerOnce } from './idempotency';
import { ConnectionWatchdog, askAfter, linesOf } from '../client/connection-watchdog';
import { SharedIdlePoller } from '../client/shared-idle-poller';
import { DatabaseOptions, schemaOfService } from '../options';
import type { StoredRow } from './outbox-rows';
import { callerSql } from './caller-sql';
import { writeOutbox } from './write-outbox';
import { type Pipelined, beginWithFirst } from '../client/begin-with-first';
import { beginningOf } from '../client/generic-plans';
import { PipelinedBatch, type Rows, type Statement } from '../client/pipelined-batch';
import { typeParsers } from '../client/row-parsing';
import { type SpaceWrites, answersOf, buildPipeline, inSpace, shortTimeouts } from './tenant-batch';
import { TriggerNotices } from '../platform-events/trigger-notices';
import { firstServer } from '../client/servers/server-urls';
import { PrimaryServer } from '../client/servers/primary-server';
import { probeServer } from '../client/servers/probe-server';
import { loginClient, secondPasswordOf } from '../client/servers/two-passwords';
import { writingClient } from '../client/servers/connect-to-primary';
import { openSource } from '../tables/open-typeorm';
import { Tx } from './transaction';

/**
 * Prepared plans are made for the table's size at that moment. If all rows are reached by keys, a plan that scans or
 * hashes a table is only right while the table is empty, and stays in use when it has grown.
 */
const KEYED_PLANS = ' -c enable_seqscan=off -c enable_hashjoin=off -c enable_mergejoin=off';

/**
 * A plan with a disabled step counts as very expensive, so Postgres would JIT-compile it: a second of CPU time for a
 * look into an empty queue.
 */
const NO_JIT = ' -c jit=off';

const STATEMENT_TIMEOUT_MS = 15_000;
/**
 * Added to the server's statement time-out: a connection without a reply by then is dead, independent of the watchdog.
 */
const ANSWER_MARGIN_MS = 2_000;
const CONNECT_WITHIN_MS = 5_000;
/** Of connections above the minimum: longer than a round of idle loops, shorter than load balancers wait (240 s). */
const IDLE_CONNECTION_MS = 180_000;
/** Added to find the primary among several servers. */
const FIND_WITHIN_MS = 3_000;

/** Access to a service's database: every statement runs in a transaction bound to a Space. */
export class Database {
  private readonly settings: DataSourceOptions;
  private opened: DataSource | undefined;
  private readonly listeners: ((rows: StoredRow[]) => void)[] = [];
  private readonly triggerListeners: (() => void)[] = [];
  private readonly notices = new TriggerNotices();
  private readonly systemRole: string;
  private readonly watch: ConnectionWatchdog;
  private readonly servers: PrimaryServer;
  readonly idlePoller: SharedIdlePoller;
  /** The pool itself is first come, first served, so one Space could occupy all of it. */
  private readonly slots: FairSemaphore;

  constructor(private readonly options: DatabaseOptions) {
    this.slots = connectionSlots(options);
    this.idlePoller = new SharedIdlePoller(
      async (probe) => (await this.systemRead('look whether idle loops have work', [probe]))[0] ?? [],
      (error) => options.log.warn({ err: error }, 'the shared check for idle loops failed; each loop polls by itself'),
    );
    const statementTimeoutMs = options.statementTimeoutMs ?? STATEMENT_TIMEOUT_MS;
    const schema = schemaOfService(options.service);
    this.systemRole = systemRoleOf(options.url);
    const asking = `switchyard-${options.service}/${process.pid} watch`;
    const second = secondPasswordOf(options.secondPassword, () => {
      options.log.warn({}, 'Postgres refused the password that it accepted before, and accepted the other one');
    });
    this.servers = new PrimaryServer(
      options.url,
      asking,
      (url) => options.log.warn({ server: new URL(url).host }, 'the primary database server changed'),
      (url, name) => probeServer(url, name, second),
    );
    this.settings = {
      type: 'postgres',
      url: this.servers.last,
      schema,
      poolSize: options.poolSize,
      connectTimeoutMS: CONNECT_WITHIN_MS + (this.servers.areSeveral ? FIND_WITHIN_MS : 0),
      installExtensions: false,
      // Includes the PID, shown in pg_stat_activity.
      applicationName: `switchyard-${options.service}/${process.pid}`,
      poolErrorHandler: (error: unknown) => {
        this.servers.noteFailure();
        options.log.warn({ err: error }, 'lost a database connection');
      },
      extra: {
        Client: this.servers.areSeveral ? writingClient(this.servers, second) : loginClient(second),
        types: typeParsers,
        // Opening a connection costs an idle process more than a minute of its queries.
        min: Math.min(2, options.poolSize),
        idleTimeoutMillis: IDLE_CONNECTION_MS,
        keepAlive: true,
        // TCP keep-alive detects vanished peers on idle connections, the watchdog on busy ones.
        keepAliveInitialDelayMillis: 5000,
        query_timeout: statementTimeoutMs + ANSWER_MARGIN_MS,
        options: `-c search_path=${schema},public -c statement_timeout=${statementTimeoutMs} -c lock_timeout=5s -c idle_in_transaction_session_timeout=15s${NO_JIT}${options.isSearched ? '' : KEYED_PLANS}`,
      },
    };
    this.watch = new ConnectionWatchdog(
      () => linesOf(this.pool),
      (sessions) => askAfter(this.servers.last, asking, sessions, second),
      (waitedMs) => {
        this.servers.noteFailure();
        options.log.warn({ waitedMs }, 'closed a database connection that did not answer');
      },
    );
  }

  async connect(): Promise<void> {
    this.opened = await openSource(this.settings, this.options.tables ?? []);
    this.watch.follow(this.pool);
  }

  async close(): Promise<void> {
    this.watch.stop();
    this.idlePoller.stop();
    if (this.opened?.isInitialized) await this.opened.destroy();
  }

  async isReachable(): Promise<boolean> {
    try {
      await this.system('answer a health check', (tx) => tx.run('select 1'));
      return true;
    } catch {
      return false;
    }
  }

  get connections(): { total: number; idle: number; waiting: number } {
    const { totalCount, idleCount, waitingCount } = this.pool;
    return { total: totalCount, idle: idleCount, waiting: waitingCount + this.slots.waiting };
  }

  /** Connections in use, the limit, and callers refused after their wait. */
  get poolUse(): { used: number; limit: number; refused: number } {
    return { used: this.slots.used, limit: this.slots.slots, refused: this.slots.refused };
  }

  /** Metric: tables with the most dead rows. */
  deadRows(): Promise<{ table: string; rows: number }[]> {
    return this.system('measure dead rows', (tx) =>
      tx.query(
        `select relname as table, n_dead_tup as rows from pg_stat_user_tables
          where schemaname = current_schema() order by n_dead_tup desc limit 5`,
      ),
    );
  }

  /** Called with the rows to publish after a commit; with none if they are queued in the outbox. */
  onCommit(listener: (rows: StoredRow[]) => void): void {
    this.listeners.push(listener);
  }

  /** Called after a commit in which a trigger wrote to the outbox. */
  onTriggerWrote(listener: () => void): void {
    this.triggerListeners.push(listener);
  }

  private tellTriggers(client: PoolClient): void {
    if (this.notices.take(client)) for (const listener of this.triggerListeners) listener();
  }

  /** Runs in the Space of `ctx`, enforced by row-level security. */
  transaction<T>(ctx: Ctx, work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.begunInSpace(requireSpace(ctx), callerSql(ctx), work);
  }

  /**
   * Independent reads in the Space of `ctx`: one transaction, one round trip. For hot paths; throws the first failure.
   */
  async read(ctx: Ctx, reads: readonly Read[]): Promise<Record<string, unknown>[][]> {
    return this.writeInSpace(requireSpace(ctx), reads);
  }

  /**
   * Writes without events in the Space of `ctx`: one transaction, one round trip, all or nothing. Statements may only
   * depend on earlier ones inside the database.
   */
  write(ctx: Ctx, writes: readonly Read[]): Promise<Record<string, unknown>[][]> {
    return this.read(ctx, writes);
  }

  /** As `write`, for a service's own work in a Space. */
  async writeInSpace(spaceId: string, writes: readonly Read[]): Promise<Record<string, unknown>[][]> {
    if (!isId(spaceId)) throw new AppError('VALIDATION_ERROR', 'The Space id is not a UUID.');
    return this.pipeline(this.payerOf(spaceId), inSpace(spaceId), writes);
  }

  /**
   * Writes of several Spaces: one transaction, one round trip, all or nothing. Each Space's statements run in that
   * Space, as with `writeInSpace`, with short lock time-outs.
   */
  async writeInSpaces(parts: readonly SpaceWrites[]): Promise<Rows[][]> {
    if (!parts.every(({ spaceId }) => isId(spaceId)))
      throw new AppError('VALIDATION_ERROR', 'The Space id is not a UUID.');
    const spaceIds = new Set(parts.map(({ spaceId }) => spaceId));
    const [only = null] = spaceIds.size === 1 ? spaceIds : [];
    const batch = buildPipeline(parts);
    const owner = only === null ? null : this.payerOf(only);
    return answersOf(parts, batch, await this.pipeline(owner, shortTimeouts, batch.statements));
  }

  /** As `read`, over all Spaces. */
  systemRead(_reason: string, reads: readonly Read[]): Promise<Record<string, unknown>[][]> {
    return this.pipeline(null, asRole(this.systemRole), reads);
  }

  /** As `write`, over all Spaces: one round trip, so that locks are held as briefly as possible. */
  systemWrite(_reason: string, writes: readonly Read[]): Promise<Record<string, unknown>[][]> {
    return this.pipeline(null, asRole(this.systemRole), writes);
  }

  private pipeline(owner: string | null, role: Statement, statements: readonly Read[]): Promise<Rows[]> {
    const inTurn = (): Promise<Rows[]> =>
      this.slots.run(owner, () => this.retryOnOtherServer(() => this.pipelined(role, statements), isReadOnly));
    if (!isTracing()) return inTurn();
    const span = statementSpan(statements.map(({ sql }) => sql).join('; '));
    return span === null ? inTurn() : traced(span, inTurn);
  }

  private async pipelined(role: Statement, statements: readonly Read[]): Promise<Rows[]> {
    // Directly from the pool: a TypeORM query runner costs more than the read.
    const client = await this.retryOnOtherServer(
      () => this.pool.connect(),
      () => true,
    ).catch((error: unknown) => {
      throw translate(error);
    });
    // A broken connection rejects its query and also emits an error, which needs a listener.
    client.on('error', ignore);
    this.notices.follow(client);
    let isBroken = false;
    try {
      const batch = new PipelinedBatch([beginningOf(role, statements), ...statements]);
      client.query(batch as unknown as Submittable);
      const results = (await batch.result).slice(1);
      this.tellTriggers(client);
      return results;
    } catch (error) {
      this.notices.take(client);
      isBroken = isUnavailable(error);
      throw translate(error);
    } finally {
      client.release(isBroken);
      client.off('error', ignore);
    }
  }

  /** For a message: in its Space, or over all Spaces if it has none. */
  inSpace<T>(spaceId: string | null, work: (tx: Tx) => Promise<T>): Promise<T> {
    if (spaceId === null) return this.system('handle an event without a Space', work);
    return this.begunInSpace(spaceId, '', work);
  }

  private begunInSpace<T>(spaceId: string, caller: string, work: (tx: Tx) => Promise<T>): Promise<T> {
    if (!isId(spaceId)) return Promise.reject(new AppError('VALIDATION_ERROR', 'The Space id is not a UUID.'));
    const begin = `begin; select set_config('app.space_id', '${spaceId}', true)${caller}`;
    return this.run(this.payerOf(spaceId), begin, work);
  }

  /** Consistent reads in the Space of `ctx`: all see the same snapshot. Read only. */
  snapshot<T>(ctx: Ctx, work: (tx: Tx) => Promise<T>): Promise<T> {
    const spaceId = requireSpace(ctx);
    if (!isId(spaceId)) return Promise.reject(new AppError('VALIDATION_ERROR', 'The Space id is not a UUID.'));
    const begin = `begin isolation level repeatable read read only; select set_config('app.space_id', '${spaceId}', true)`;
    return this.run(this.payerOf(spaceId), begin, work);
  }

  /**
   * Sees every Space, for sweepers, schedulers and look-ups before a Space is known. `owner` groups unauthenticated
   * callers, so that a flood of them gets a Space's share of the connections at most.
   */
  system<T>(_reason: string, work: (tx: Tx) => Promise<T>, owner: string | null = null): Promise<T> {
    return this.run(owner, `begin; set local role "${this.systemRole}"`, work);
  }

  /** As `transaction`, with the caller's idempotency key: the same key and body get the first reply again. */
  once<T extends object>(ctx: Ctx, work: (tx: Tx) => Promise<T>, options: OnceOptions = {}): Promise<T> {
    return this.transaction(ctx, (tx) => answerOnce(tx, ctx, work, options));
  }

  private get source(): DataSource {
    if (!this.opened?.isInitialized) throw notConnected();
    return this.opened;
  }

  private get pool(): Pool {
    return (this.source.driver as unknown as { master: Pool }).master;
  }

  /** Retries once if there are several servers, a failover may have happened, and nothing was done. */
  private async retryOnOtherServer<T>(work: () => Promise<T>, hasDoneNothing: (error: unknown) => boolean): Promise<T> {
    try {
      return await work();
    } catch (error) {
      this.suspect(error);
      if (!this.servers.areSeveral || !isUnavailable(error) || !hasDoneNothing(error)) throw error;
      return work();
    }
  }

  private suspect(error: unknown): void {
    if (isUnavailable(error)) this.servers.noteFailure();
  }

  private borrow(): Promise<{ runner: QueryRunner; client: PoolClient }> {
    return this.retryOnOtherServer(
      () => this.borrowing(),
      () => true,
    );
  }

  private async borrowing(): Promise<{ runner: QueryRunner; client: PoolClient }> {
    const runner = this.source.createQueryRunner();
    try {
      return { runner, client: (await runner.connect()) as PoolClient };
    } catch (error) {
      await runner.release().catch(() => undefined);
      throw translate(error);
    }
  }

  /** The payer whose share of the connections the Space uses. */
  payerOf(spaceId: string): string {
    return this.options.payerOf?.(spaceId) ?? spaceId;
  }

  private run<T>(owner: string | null, begin: string, work: (tx: Tx) => Promise<T>): Promise<T> {
    const inTurn = (): Promise<T> => this.slots.run(owner, () => this.running(begin, work));
    const span = transactionSpan();
    return span === null ? inTurn() : traced(span, inTurn);
  }

  private async running<T>(begin: string, work: (tx: Tx) => Promise<T>): Promise<T> {
    const { runner, client } = await this.borrow();
    this.notices.follow(client);
    try {
      const begun = beginWithFirst(client, begin);
      // TypeORM must not begin its own transaction inside ours.
      (runner as { isTransactionActive: boolean }).isTransactionActive = true;
      const tx = new Tx(client, runner);
      const result = await (this.options.isProduction ? work(tx) : insideTransaction(() => work(tx)));
      const { toPublish, hasQueued } = await writeOutbox(tx);
      await begun;
      await client.query('commit');
      tx.runCommitted();
      if (toPublish.length > 0 || hasQueued) for (const listener of this.listeners) listener(toPublish);
      this.tellTriggers(client);
      return result;
    } catch (error) {
      // An unresponsive connection cannot roll back; the server does. A read-only one is discarded too.
      this.suspect(error);
      this.notices.take(client);
      const isBroken = isConnectionBroken(error) || (this.servers.areSeveral && isReadOnly(error));
      if (isBroken) (client as Pipelined).connection.stream.destroy();
      else await rollback(client);
      throw translate(error);
    } finally {
      (client as Pipelined).pipeline = false;
      (runner as { isTransactionActive: boolean }).isTransactionActive = false;
      await release(runner);
    }
  }
}

/** One statement of `Database.read`. */
export type Read = Statement;

const asRole = (role: string): Statement => ({
  name: 'as-role',
  sql: `select set_config('role', $1, true)`,
  params: [role],
});

const ignore = (): void => undefined;

const notConnected = (): AppError =>
  new AppError('SERVICE_UNAVAILABLE', 'The database is not available. Try again shortly.', { retryAfterSeconds: 1 });

const rollback = (client: PoolClient): Promise<unknown> => client.query('rollback').catch(() => undefined);

const release = (runner: QueryRunner): Promise<void> => runner.release().catch(() => undefined);

/** Name of the role that bypasses row-level security; the migration creates it. */
const systemRoleOf = (url: string): string => `${decodeURIComponent(new URL(firstServer(url)).username)}_system`;
