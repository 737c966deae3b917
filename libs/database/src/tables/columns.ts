import type { EntitySchemaColumnOptions } from 'typeorm';

declare const valueOf: unique symbol;
declare const isFilled: unique symbol;

/** A column of type `Value`. `Filled`: the database sets it if an insert omits it. */
export interface Column<Value, Filled extends boolean = false> {
  readonly options: EntitySchemaColumnOptions;
  /** SQL that every save writes. */
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
/** Up to 2^53, as numbers. */
export const bigint = (): Column<number> => column({ type: 'bigint' });
export const float = (): Column<number> => column({ type: 'double precision' });
export const flag = (): Column<boolean> => column({ type: 'boolean' });
export const bytes = (): Column<Buffer> => column({ type: 'bytea' });
/** An object or a list. TypeORM would parse plain texts twice. */
export const json = <Value extends object>(): Column<Value> => column({ type: 'jsonb' });

/** ISO-8601 text; TypeORM itself uses `Date`. */
export const time = (): Column<string> =>
  column({
    type: 'timestamptz',
    transformer: { from: (at: Date | null) => at?.toISOString() ?? null, to: (at: unknown) => at },
  });

/** A time with milliseconds, as in the API, so that lists can be continued from a shown value. */
export const timeMs = (): Column<string> => ({ options: { ...time().options, precision: 3 } });

export const listOf = <Value>({ options }: Column<Value>): Column<Value[]> => column({ ...options, array: true });

/** Part of the primary key. */
export const key = ({ options }: Column<string>): Column<string> => column({ ...options, primary: true });

export const nullable = <Value>({ options }: Column<Value>): Column<Value | null> =>
  column({ ...options, nullable: true });

/** With a default (a number or SQL), or nullable, or written by a trigger. */
export const filled = <Value>({ options }: Column<Value>, by?: number | string): Column<Value, true> => ({
  options: by === undefined ? options : { ...options, default: typeof by === 'number' ? by : () => by },
});

/** Incremented by each save. The column is named `version`. */
export const counted = <Filled extends boolean>(version: Column<number, Filled>): Column<number, Filled> => ({
  ...version,
  onSave: 'version + 1',
});

/** Time of the last save. */
export const savedAt = (by: 'now()' | 'clock_timestamp()'): Column<string, true> => ({
  ...filled(time(), by),
  onSave: 'clock_timestamp()',
});

/** First columns of every table of Spaces. */
export const tenantKey = { spaceId: key(uuid()), id: key(uuid()) };
