import { LIST_VALUE_BYTES } from '@switchyard/kernel';

/**
 * A jsonb column for lists: values that are certainly too long stay in the database. Postgres' JSON has spaces, at most
 * half of the compact size more; values in between are loaded and measured by `shortValue`.
 */
export const listColumn = (column: string, name = column): string =>
  `case when octet_length(${column}::text) > ${(LIST_VALUE_BYTES * 3) / 2}
        then jsonb_build_object('truncated', true, 'bytes', octet_length(${column}::text)) else ${column} end as ${name}`;

const NAME_CHARACTERS = 1_000;

/** The name of a row that many rows of a list show: however long it is stored, it does not multiply. */
export const nameColumn = (column: string, name: string): string => `left(${column}, ${NAME_CHARACTERS}) as ${name}`;
