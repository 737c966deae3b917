import { prepareValue } from 'pg/lib/utils';
import { camelName, textParser } from './row-parsing';

/** One statement of a batch. If named, it is parsed and planned once per connection. */
export interface Statement {
  name?: string;
  sql: string;
  params: unknown[];
  /** A generic plan is good enough. Takes effect if all statements of the batch say so. */
  hasOnePlan?: boolean;
}

export type Rows = Record<string, unknown>[];

interface ResultColumn {
  name: string;
  parse: (text: string) => unknown;
}

interface Connection {
  stream: { writable: boolean; cork(): void; uncork(): void };
  parsedStatements: Record<string, string | undefined>;
  close(what: { type: 'S'; name: string }): void;
  parse(statement: { name: string; text: string }): void;
  bind(values: { statement: string; values: unknown[]; valueMapper: (value: unknown) => unknown }): void;
  describe(what: { type: 'P' }): void;
  execute(): void;
  sync(): void;
}

interface Field {
  name: string;
  dataTypeID: number;
}

/** Result columns of each connection's prepared statements, so that the server need not describe them again. */
const columnsOf = new WeakMap<Connection, Map<string, ResultColumn[]>>();

/** Index of the statement that failed. */
const failedAt = new WeakMap<object, number>();

export function failedStatement(error: unknown): number | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (failedAt.has(cause)) return failedAt.get(cause);
  return undefined;
}

/**
 * Statements sent in one packet and run as one transaction (implicit, without begin and commit): the server commits at
 * the end of the batch, or rolls all of it back. Implements pg's query interface.
 */
export class PipelinedBatch {
  readonly result: Promise<Rows[]>;
  /** pg stores the function that ends its timer here. */
  callback: (() => void) | undefined;
  private readonly rows: Rows[];
  private readonly fresh: { name: string; sql: string }[] = [];
  private readonly columns: (ResultColumn[] | undefined)[] = [];
  private at = 0;
  private failure: unknown;
  private settle!: { resolve: (rows: Rows[]) => void; reject: (error: unknown) => void };

  constructor(private readonly statements: readonly Statement[]) {
    this.rows = statements.map(() => []);
    this.result = new Promise((resolve, reject) => {
      this.settle = { resolve, reject };
    });
  }

  submit(connection: Connection): null {
    connection.stream.cork();
    try {
      for (const statement of this.statements) this.send(connection, statement);
    } catch (error) {
      // A value that cannot be serialized: the earlier statements must not commit.
      this.failure = error;
      connection.parse({ name: '', text: 'select 1 / 0' });
      connection.bind({ statement: '', values: [], valueMapper: prepareValue });
      connection.execute();
    } finally {
      connection.sync();
      connection.stream.uncork();
    }
    return null;
  }

  private send(connection: Connection, { name = '', sql, params }: Statement): void {
    const isParsed = name !== '' && connection.parsedStatements[name] === sql;
    const columns = isParsed ? columnsOf.get(connection)?.get(name) : undefined;
    // A batch may contain the same statement several times.
    if (!isParsed && !this.fresh.some((sent) => sent.name === name)) {
      connection.parse({ name, text: sql });
      if (name !== '') this.fresh.push({ name, sql });
    }
    connection.bind({ statement: name, values: params, valueMapper: prepareValue });
    if (!columns) connection.describe({ type: 'P' });
    connection.execute();
    this.columns.push(columns);
  }

  handleRowDescription({ fields }: { fields: readonly Field[] }): void {
    this.columns[this.at] = fields.map(({ name, dataTypeID }) => ({
      name: camelName(name),
      parse: textParser(dataTypeID),
    }));
  }

  handleDataRow({ fields }: { fields: readonly (string | null)[] }): void {
    const columns = this.columns[this.at] ?? [];
    const row: Record<string, unknown> = {};
    try {
      for (const [position, { name, parse }] of columns.entries()) {
        const text = fields[position] ?? null;
        row[name] = text === null ? null : parse(text);
      }
      this.rows[this.at]?.push(row);
    } catch (error) {
      this.failure ??= error;
    }
  }

  handleCommandComplete(): void {
    this.at += 1;
  }

  handleEmptyQuery(): void {
    this.at += 1;
  }

  handleError(error: unknown, connection: Connection): void {
    this.callback?.();
    // The server may have prepared them, but pg does not know and would prepare them again.
    if (connection.stream.writable) for (const { name } of this.fresh) connection.close({ type: 'S', name });
    if (this.failure === undefined) failedAt.set(error as object, this.at);
    this.settle.reject(this.failure ?? error);
  }

  handleReadyForQuery(connection: Connection): void {
    this.callback?.();
    if (this.failure !== undefined) {
      this.settle.reject(this.failure);
      return;
    }
    const columns = columnsOf.get(connection) ?? new Map<string, ResultColumn[]>();
    columnsOf.set(connection, columns);
    for (const { name, sql } of this.fresh) connection.parsedStatements[name] = sql;
    for (const [position, { name }] of this.statements.entries())
      if (name !== undefined) columns.set(name, this.columns[position] ?? []);
    this.settle.resolve(this.rows);
  }
}
