import type { EntitySchema, EntitySchemaOptions } from 'typeorm';
import type { Column, IsFilled, ValueOf } from './columns';

type Columns = Readonly<Record<string, Column<unknown, boolean>>>;

interface Index<Name> {
  columns: readonly Name[];
  unique?: boolean;
  where?: string;
}

/** Constraints, with the names that Postgres gives them. */
interface Rules<Name> {
  /** Unique constraints with Postgres' default names. */
  uniques?: readonly (readonly Name[])[];
  indexes?: Readonly<Record<string, Index<Name>>>;
  /** Indexes of expressions and non-B-tree indexes, by name: TypeORM does not compare them. */
  otherIndexes?: readonly string[];
  checks?: Readonly<Record<string, string>>;
  references?: readonly { columns: readonly Name[]; table: string; foreign: readonly string[]; onDelete?: 'CASCADE' }[];
}

/** Declaration of a table; a test compares it with the migrations. */
export interface Table<C extends Columns = Columns> {
  readonly name: string;
  readonly columns: C;
  readonly rules: Rules<string>;
}

export const defineTable = <C extends Columns>(
  name: string,
  columns: C,
  rules: Rules<keyof C & string> = {},
): Table<C> => ({ name, columns, rules });

export type RowOf<T extends Table> = { -readonly [Name in keyof T['columns']]: ValueOf<T['columns'][Name]> };

type FilledNames<T extends Table> = {
  [Name in keyof T['columns']]: IsFilled<T['columns'][Name]> extends true ? Name : never;
}[keyof T['columns']];

/** A row to insert: columns with a default are optional. */
export type NewRowOf<T extends Table> = Omit<RowOf<T>, FilledNames<T>> & Partial<Pick<RowOf<T>, FilledNames<T>>>;

export const snakeName = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** For TypeORM, loaded on demand. */
export function entityOf(
  Schema: new (options: EntitySchemaOptions<object>) => EntitySchema,
  { name, columns, rules }: Table,
): EntitySchema {
  const { uniques = [], indexes = {}, otherIndexes = [], checks = {}, references = [] } = rules;
  return new Schema({
    name,
    tableName: name,
    columns: Object.fromEntries(
      Object.entries(columns).map(([property, { options }]) => [property, { ...options, name: snakeName(property) }]),
    ),
    uniques: uniques.map((names) => ({ name: nameOf(name, names, 'key'), columns: [...names] })),
    indices: [
      ...Object.entries(indexes).map(([index, { columns: names, ...how }]) => ({
        name: index,
        columns: [...names],
        ...how,
      })),
      ...otherIndexes.map((index) => ({ name: index, synchronize: false as const })),
    ],
    checks: Object.entries(checks).map(([check, expression]) => ({ name: check, expression })),
    foreignKeys: references.map(({ columns: names, table, foreign, onDelete }) => ({
      name: nameOf(name, names, 'fkey'),
      target: table,
      columnNames: [...names],
      referencedColumnNames: [...foreign],
      onDelete,
    })),
  });
}

const nameOf = (table: string, names: readonly string[], kind: string): string =>
  [table, ...names.map(snakeName), kind].join('_');
