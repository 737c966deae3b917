import type { EntityManager, ObjectLiteral, SelectQueryBuilder } from 'typeorm';
import { PAGE_BYTES, isTracing, traced } from '@switchyard/kernel';
import { statementSpan } from '../client/database-spans';
import { translate } from '../client/errors';
import { camelName } from '../client/row-parsing';
import type { PageWindow, TimePosition } from '../lists/cursor-list';
import { type NewRowOf, type RowOf, type Table, snakeName } from './table';

/** In list conditions, `row` is the row: `strpos(row.name, :part) > 0`. */
const ROW = 'row';

/** Equal in all given columns. */
type Match<T extends Table> = { [Name in keyof RowOf<T>]?: RowOf<T>[Name] };
/** As a match; undefined values are ignored. */
type RowMatch<T extends Table> = { [Name in keyof RowOf<T>]?: RowOf<T>[Name] | undefined };
/** Values, or SQL that gives them. */
type Written<Row> = { [Name in keyof Row]: Row[Name] | (() => string) };
type Change<T extends Table> = Partial<Written<RowOf<T>>>;
/** A list condition that a filter cannot express, with named values. */
export type Condition = readonly [sql: string, values: ObjectLiteral];

interface QueryBuilder {
  getQuery(): string;
}

/** Rows of a table in a transaction, through TypeORM. Row-level security restricts them to the Space. */
export class TableRows<T extends Table, Shown = RowOf<T>> {
  constructor(
    private readonly manager: EntityManager,
    private readonly table: T,
    private readonly names: readonly string[] | null = null,
  ) {}

  /** Reads only these columns. */
  only<Name extends keyof RowOf<T> & string>(...names: Name[]): TableRows<T, Pick<RowOf<T>, Name>> {
    return new TableRows(this.manager, this.table, names);
  }

  find(match: Match<T>): Promise<Shown | null> {
    return this.one(this.select(match));
  }

  /** Locks the row (FOR UPDATE) until the transaction ends. */
  lock(match: Match<T>): Promise<Shown | null> {
    return this.one(this.select(match).setLock('pessimistic_write'));
  }

  /** As `lock`, but allows references to the row (FOR NO KEY UPDATE). */
  lockForChange(match: Match<T>): Promise<Shown | null> {
    return this.one(this.select(match).setLock('for_no_key_update'));
  }

  /** As `lock` for all matches, in order of id. */
  lockAll(match: Match<T>): Promise<Shown[]> {
    return this.many(this.select(match).orderBy(`${ROW}.id`).setLock('pessimistic_write'));
  }

  exists(match: Match<T>): Promise<boolean> {
    const query = this.select(match);
    return this.run(query, () => query.getExists());
  }

  /** The rows of a page, by id, newest first. */
  list(
    filter: RowMatch<T>,
    { after, take }: PageWindow<string>,
    conditions: readonly (Condition | false)[] = [],
  ): Promise<Shown[]> {
    const query = this.select(defined(filter)).orderBy(`${ROW}.id`, 'DESC').limit(take);
    if (after !== null) query.andWhere(`${ROW}.id < :after`, { after });
    for (const condition of conditions) if (condition) query.andWhere(...condition);
    return this.many(query);
  }

  /**
   * As `list`, for rows that can be long: as many as fit into a reply, at least one. The database measures long columns
   * before loading them. `found` counts omitted rows too.
   */
  async listLight(
    columns: readonly (keyof RowOf<T> & string)[],
    filter: RowMatch<T>,
    { after, take }: PageWindow<string>,
    conditions: readonly (Condition | false)[] = [],
  ): Promise<{ rows: Shown[]; found: number }> {
    const weight = columns.map((name) => `coalesce(octet_length(cast(${ROW}.${name} as text)), 0)`).join(' + ');
    const ids = this.select(defined(filter)).select(`${ROW}.id`, 'id').addSelect(weight, 'bytes');
    if (after !== null) ids.andWhere(`${ROW}.id < :after`, { after });
    for (const condition of conditions) if (condition) ids.andWhere(...condition);
    ids.orderBy(`${ROW}.id`, 'DESC').limit(take);
    const found = await this.run(ids, () => ids.getRawMany<{ id: string; bytes: number | string }>());
    let remaining = PAGE_BYTES;
    const fits = found.filter(({ bytes }, at) => (remaining -= Number(bytes)) >= 0 || at === 0);
    if (fits.length === 0) return { rows: [], found: 0 };
    const query = this.select(defined(filter)).orderBy(`${ROW}.id`, 'DESC');
    query.andWhere(`${ROW}.id in (:...ids)`, { ids: fits.map(({ id }) => id) });
    return { rows: await this.many(query), found: found.length };
  }

  /** Sorted by creation, newest first. */
  listByTime(
    filter: RowMatch<T>,
    { after, take }: PageWindow<TimePosition>,
    conditions: readonly (Condition | false)[] = [],
  ): Promise<Shown[]> {
    const query = this.select(defined(filter)).orderBy(`${ROW}.createdAt`, 'DESC').addOrderBy(`${ROW}.id`, 'DESC');
    if (after !== null) query.andWhere(`(${ROW}.createdAt, ${ROW}.id) < (:at, :id)`, { at: after.at, id: after.id });
    for (const condition of conditions) if (condition) query.andWhere(...condition);
    return this.many(query.limit(take));
  }

  async insert(row: NewRowOf<T>): Promise<RowOf<T>> {
    const query = this.manager.createQueryBuilder().insert().into(this.table.name).values(row).returning('*');
    const [inserted] = this.rowsOf(await this.run(query.updateEntity(false), () => query.execute()));
    return inserted as RowOf<T>;
  }

  /** Upsert by the columns `by`: keeps the key and omitted columns of an existing row. */
  async put(row: Written<NewRowOf<T>>, by: readonly (keyof RowOf<T> & string)[]): Promise<void> {
    const preserved = new Set<string>([...by, ...this.keys()]);
    const replaced = Object.keys(row).filter((name) => !preserved.has(name));
    const query = this.manager.createQueryBuilder().insert().into(this.table.name).values(row);
    query.orUpdate(replaced.map(snakeName), by.map(snakeName)).updateEntity(false);
    await this.run(query, () => query.execute());
  }

  /** Updates these columns. Null if there is no such row. */
  change(match: Match<T>, change: Change<T>): Promise<RowOf<T> | null> {
    return this.write(match, change);
  }

  /** As `change`, and updates version and time columns. */
  save(match: Match<T>, change: Change<T>): Promise<RowOf<T> | null> {
    return this.write(match, { ...change, ...this.saved() });
  }

  async remove(match: Match<T>): Promise<number> {
    const query = narrow(this.manager.createQueryBuilder().delete().from(this.table.name), match, snakeName);
    return (await this.run(query, () => query.execute())).affected ?? 0;
  }

  private saved(): Record<string, () => string> {
    const columns = Object.entries(this.table.columns);
    return Object.fromEntries(columns.flatMap(([name, { onSave }]) => (onSave ? [[name, () => onSave]] : [])));
  }

  private keys(): string[] {
    return Object.entries(this.table.columns).flatMap(([name, { options }]) => (options.primary ? [name] : []));
  }

  private select(match: ObjectLiteral): SelectQueryBuilder<ObjectLiteral> {
    const all = this.manager.createQueryBuilder<ObjectLiteral>(this.table.name, ROW);
    const query = narrow(all, match, (name) => `${ROW}.${name}`);
    // TypeORM identifies rows by their keys.
    return this.names ? query.select([...this.keys(), ...this.names].map((name) => `${ROW}.${name}`)) : query;
  }

  private one(query: SelectQueryBuilder<ObjectLiteral>): Promise<Shown | null> {
    return this.run(query, () => query.limit(1).getOne() as Promise<Shown | null>);
  }

  private many(query: SelectQueryBuilder<ObjectLiteral>): Promise<Shown[]> {
    return this.run(query, () => query.getMany() as Promise<Shown[]>);
  }

  private async write(match: Match<T>, values: ObjectLiteral): Promise<RowOf<T> | null> {
    const all = this.manager.createQueryBuilder().update(this.table.name).set(values);
    const query = narrow(all, match, snakeName);
    const [written] = this.rowsOf(await this.run(query.returning('*'), () => query.execute()));
    return written ?? null;
  }

  private async run<R>(query: QueryBuilder, work: () => Promise<R>): Promise<R> {
    try {
      const span = isTracing() ? statementSpan(query.getQuery()) : null;
      return await (span === null ? work() : traced(span, work));
    } catch (error) {
      throw translate(error);
    }
  }

  /** `returning` values are parsed already; only the names need mapping. */
  private rowsOf({ raw }: { raw: unknown }): RowOf<T>[] {
    return (raw as Record<string, unknown>[]).map(
      (row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [camelName(name), value])) as RowOf<T>,
    );
  }
}

const defined = (filter: ObjectLiteral): ObjectLiteral =>
  Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined));

interface Conditional {
  andWhere(condition: string | ObjectLiteral): unknown;
}

/** TypeORM would ignore an undefined value and match other rows. */
function narrow<Q extends Conditional>(query: Q, match: ObjectLiteral, nameOf: (property: string) => string): Q {
  const entries = Object.entries(match) as [string, unknown][];
  if (entries.length === 0 || entries.some(([, value]) => value === undefined))
    throw new Error('every column of a match needs a value');
  query.andWhere(Object.fromEntries(entries.filter(([, value]) => value !== null)));
  for (const [name, value] of entries) if (value === null) query.andWhere(`${nameOf(name)} is null`);
  return query;
}
