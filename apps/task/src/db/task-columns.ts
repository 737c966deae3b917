import { readableSql, type RowOf, snakeName } from '@switchyard/database';
import { picked } from '@switchyard/kernel';
import { type TaskFields, taskFields } from '../domain/task-fields';
import { tasks } from './tables';

/** Columns that the scheduler, the removal and the search for secrets read by themselves. */
type InnerColumn = 'nextLookAt' | 'deletedAt' | 'secretNames';
const INNER: readonly string[] = ['nextLookAt', 'deletedAt', 'secretNames'] satisfies InnerColumn[];

export type TaskRow = Omit<RowOf<typeof tasks>, InnerColumn>;
export type NewTask = Omit<TaskRow, 'oversized' | 'version' | 'createdAt' | 'updatedAt'>;

/** One field is stored in two columns; each other one has a column of its name. */
type InColumn = Exclude<keyof TaskFields, 'concurrency'>;
const isInColumn = <Name extends keyof TaskFields>(name: Name): name is Name & InColumn => name !== 'concurrency';
const STORED = taskFields.names.filter(isInColumn);
const LISTED_FIELDS = taskFields.listed.filter(isInColumn);
/** In place of a large value that nothing reads. */
const EMPTY = new Map<string, string>(
  taskFields.large.map((name) => [name, JSON.stringify(taskFields.rules[name].initial)]),
);

/** The columns that a list reads: none of them can be large. */
export const LISTED = [
  ...LISTED_FIELDS,
  ...(['concurrencyLimit', 'concurrencyPolicy'] as const),
  ...(['id', 'ownerId', 'nextRunAt', 'version', 'oversized', 'createdAt', 'updatedAt'] as const),
] as const;
export type ListedTask = Pick<TaskRow, (typeof LISTED)[number]>;

const concurrencyOf = (row: ListedTask): Pick<TaskFields, 'concurrency'> => ({
  concurrency: { limit: row.concurrencyLimit, policy: row.concurrencyPolicy },
});

export const listedFieldsOfRow = (row: ListedTask): Pick<TaskFields, (typeof taskFields.listed)[number]> => ({
  ...picked(row, LISTED_FIELDS),
  ...concurrencyOf(row),
});

export const fieldsOfRow = (row: TaskRow): TaskFields => ({ ...picked(row, STORED), ...concurrencyOf(row) });

/** The fields of a task as its columns. */
export const columnsOfFields = ({
  concurrency,
  ...fields
}: TaskFields): Pick<TaskRow, InColumn | 'concurrencyLimit' | 'concurrencyPolicy'> => ({
  ...fields,
  concurrencyLimit: concurrency.limit,
  concurrencyPolicy: concurrency.policy,
});

/** The columns of a row for a select. A value that is too large to be read stays in the database. */
export const selectedColumns = (row = ''): string =>
  Object.keys(tasks.columns)
    .filter((name) => !INNER.includes(name))
    .map((name) => {
      const column = snakeName(name);
      const empty = EMPTY.get(name);
      return empty === undefined ? `${row}${column}` : `${readableSql(column, `'${empty}'`, row)} as ${column}`;
    })
    .join(', ');
