import { LIST_VALUE_BYTES } from '@switchyard/kernel';

/**
 * A jsonb column as the rows of a list load it: what is certainly longer than a list shows never leaves the database.
 * Postgres writes JSON with a space after each comma and colon, at most half as much again as its compact form; what
 * lies between is loaded and measured exactly by `shortValue`.
 */
export const listColumn = (column: string, name = column): string =>
  `case when octet_length(${column}::text) > ${(LIST_VALUE_BYTES * 3) / 2}
        then jsonb_build_object('truncated', true, 'bytes', octet_length(${column}::text)) else ${column} end as ${name}`;
