import { AppError, newId, traced } from '@switchyard/kernel';
import { Ctx, EventContract, checkRequest } from '@switchyard/contracts';
import type { PoolClient, QueryResult } from 'pg';
import type { QueryRunner } from 'typeorm';
import { statementSpan } from '../client/database-spans';
import { translate } from '../client/errors';
import { ONE_PLAN } from '../client/generic-plans';
import type { Statement } from '../client/pipelined-batch';
import { camelRows } from '../client/row-parsing';
import type { AnnouncedRow } from './outbox-rows';
import { writeOutbox } from './write-outbox';
import type { Table } from '../tables/table';
import { TableRows } from '../tables/table-rows';

const MAX_EVENT_BYTES = 900_000;
/** Events of a transaction that are buffered until the commit; beyond it they are stored at once. */
const MAX_BUFFERED_BYTES = 4 * 1024 * 1024;

export interface AnnounceOptions {
  /** Events with the same key are handled in order. */
  orderKey?: string;
}

/** One transaction. Its events are published if, and only if, it commits. */
export class Tx {
  readonly announced: AnnouncedRow[] = [];
  private readonly committed: (() => void)[] = [];
  private bufferedBytes = 0;
  private attempts = 0;
  /** Some events are in the outbox already: later ones are queued behind them. */
  hasStored = false;

  constructor(
    private readonly client: PoolClient,
    private readonly runner: QueryRunner,
  ) {}

  /** A declared table through TypeORM, for management records. Hot paths use SQL. */
  rows<T extends Table>(table: T): TableRows<T> {
    return new TableRows(this.runner.manager, table);
  }

  async run(sql: string, params: unknown[] = []): Promise<QueryResult> {
    try {
      const span = statementSpan(sql);
      return await (span === null
        ? this.client.query(sql, params)
        : traced(span, () => this.client.query(sql, params)));
    } catch (error) {
      throw translate(error);
    }
  }

  async query<Row>(sql: string, params: unknown[] = []): Promise<Row[]> {
    return camelRows<Row>(await this.run(sql, params));
  }

  /** As `query`, parsed and planned once per connection: for hot paths. */
  async prepared<Row>(name: string, sql: string, params: unknown[] = []): Promise<Row[]> {
    try {
      const span = statementSpan(sql);
      const statement = { name, text: sql, values: params };
      return camelRows<Row>(
        await (span === null ? this.client.query(statement) : traced(span, () => this.client.query(statement))),
      );
    } catch (error) {
      throw translate(error);
    }
  }

  /** Generic plans for all later prepared statements of this transaction. Need not be awaited. */
  withOnePlan(): Promise<unknown> {
    return this.prepared('one-plan', `select ${ONE_PLAN}`);
  }

  /** Runs a declared statement; prepared if it has a name. */
  statement<Row>({ name, sql, params }: Statement): Promise<Row[]> {
    return name === undefined ? this.query<Row>(sql, params) : this.prepared<Row>(name, sql, params);
  }

  async one<Row>(sql: string, params: unknown[] = []): Promise<Row | null> {
    const [row] = await this.query<Row>(sql, params);
    return row ?? null;
  }

  /** Number of rows affected. */
  async count(sql: string, params: unknown[] = []): Promise<number> {
    return (await this.run(sql, params)).rowCount ?? 0;
  }

  /** Runs `work` in a savepoint: a failure undoes only that. */
  async attempt<T>(work: () => Promise<T>): Promise<T> {
    const { length } = this.announced;
    this.attempts += 1;
    const begun = this.run('savepoint attempt');
    begun.catch(() => undefined);
    try {
      const result = await work();
      await begun;
      await this.run('release savepoint attempt');
      return result;
    } catch (error) {
      this.announced.length = length;
      await this.run('rollback to savepoint attempt');
      throw error;
    } finally {
      this.attempts -= 1;
    }
  }

  /** Stored in the outbox by the commit. */
  async announce<Data extends object>(
    contract: EventContract<Data>,
    ctx: Ctx,
    data: Data,
    options: AnnounceOptions = {},
  ): Promise<void> {
    checkRequest(contract.data, data);
    const length = Buffer.byteLength(JSON.stringify(data));
    if (length > MAX_EVENT_BYTES) {
      throw new AppError('PAYLOAD_TOO_LARGE', `An event of ${contract.name} has at most ${MAX_EVENT_BYTES} bytes.`);
    }
    this.announced.push({
      id: newId(),
      name: contract.name,
      at: new Date().toISOString(),
      ctx,
      data,
      orderKey: options.orderKey ?? null,
      pending: [...contract.consumers],
    });
    this.bufferedBytes += length;
    // Not inside an attempt, whose failure must remove its own events.
    if (this.bufferedBytes > MAX_BUFFERED_BYTES && this.attempts === 0) await this.storeBuffered();
  }

  private async storeBuffered(): Promise<void> {
    this.hasStored = true;
    await writeOutbox(this);
    this.announced.length = 0;
    this.bufferedBytes = 0;
  }

  /** Not called after a rollback. */
  afterCommit(action: () => void): void {
    this.committed.push(action);
  }

  runCommitted(): void {
    for (const action of this.committed) action();
  }
}
