import type { EntitySchemaColumnOptions } from 'typeorm';

declare const valueOf: unique symbol;
declare const isFilled: unique symbol;

/** A column whose values are of type `Value`. The database fills it in when `Filled` and an insert leaves it out. */
export interface Column<Value, Filled extends boolean = false> {
  readonly options: EntitySchemaColumnOptions;
  /** What every save of a row writes into it, as SQL. */
  readonly onSave?: string;
  readonly [valueOf]?: Value;
  readonly [isFilled]?: Filled;
}

export type ValueOf<C> = C extends Column<infer Value, boolean> ? Value : never;
export type IsFilled<C> = C extends Column<unknown, infer Filled> ? Filled : never;

const column = <Value>(options: EntitySchemaColumnOptions): Column<Value> => ({ options });

export const uuid = (): Column<string> => column({ type: 'uuid' });
export const text = <Value extends string = string>(): Column<Value> => column({ type: 'text' });
export const int = (): Column<number> => column({ type: 'int' });
/** Numbers up to 2^53: they leave the database as numbers. */
export const bigint = (): Column<number> => column({ type: 'bigint' });
export const float = (): Column<number> => column({ type: 'double precision' });
export const flag = (): Column<boolean> => column({ type: 'boolean' });
export const bytes = (): Column<Buffer> => column({ type: 'bytea' });
/** An object or a list. TypeORM would parse a text that stands alone a second time. */
export const json = <Value extends object>(): Column<Value> => column({ type: 'jsonb' });

/** Times are ISO-8601 texts everywhere else; TypeORM itself reads and writes a `Date`. */
export const time = (): Column<string> =>
  column({
    type: 'timestamptz',
    transformer: { from: (at: Date | null) => at?.toISOString() ?? null, to: (at: unknown) => at },
  });

/** A time that is kept to the millisecond, as it is shown: what is sorted by it can be continued from what was shown. */
export const timeMs = (): Column<string> => ({ options: { ...time().options, precision: 3 } });

export const listOf = <Value>({ options }: Column<Value>): Column<Value[]> => column({ ...options, array: true });

/** Part of the primary key. */
export const key = ({ options }: Column<string>): Column<string> => column({ ...options, primary: true });

export const nullable = <Value>({ options }: Column<Value>): Column<Value | null> =>
  column({ ...options, nullable: true });

/** With a default, a number or SQL; without one, the column is null or written by a trigger. */
export const filled = <Value>({ options }: Column<Value>, by?: number | string): Column<Value, true> => ({
  options: by === undefined ? options : { ...options, default: typeof by === 'number' ? by : () => by },
});

/** Counts the saves of a row. The column is called `version`. */
export const counted = <Filled extends boolean>(version: Column<number, Filled>): Column<number, Filled> => ({
  ...version,
  onSave: 'version + 1',
});

/** When a row was saved last. */
export const savedAt = (by: 'now()' | 'clock_timestamp()'): Column<string, true> => ({
  ...filled(time(), by),
  onSave: 'clock_timestamp()',
});

/** What every table of Spaces begins with. */
export const tenantKey = { spaceId: key(uuid()), id: key(uuid()) };
