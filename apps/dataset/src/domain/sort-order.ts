import { MAX_CURSOR, type SortKey } from '@switchyard/contracts';
import { type CursorPart, decodeCursor, encodeCursor, fingerprint, invalid, readTyped } from '@switchyard/kernel';
import type { Column, Layout } from './table-layout';

export interface OrderKey {
  column: Column;
  descending: boolean;
}

/** Long texts are ordered by their beginnings, so that a cursor can hold where a page ended. */
export const ORDERED_CHARACTERS = 1000;

/** Indexed texts are short by themselves. */
export const isLongText = ({ type, field }: Column): boolean =>
  (type === 'string' || type === 'text') && field.indexed !== true && field.unique !== true;

const beginningOf = (text: string): string =>
  text.length <= ORDERED_CHARACTERS
    ? text
    : Array.from(text.slice(0, 2 * ORDERED_CHARACTERS))
        .slice(0, ORDERED_CHARACTERS)
        .join('');

/** The order of a query, made total by the id. Newest first unless the caller says. */
export function readSort(layout: Layout, sort: readonly SortKey[] | undefined): OrderKey[] {
  const keys: OrderKey[] = [];
  for (const [index, key] of (sort ?? []).entries()) {
    const column = layout.byName.get(key.field);
    const path = `sort[${index}].field`;
    if (column === undefined)
      throw invalid(path, `there is no field called ${key.field}; names are exact, also in their case`);
    if (column.type === 'json' || column.type === 'string[]')
      throw invalid(path, `a field of type ${column.type} has no order`);
    if (keys.some((existing) => existing.column === column)) throw invalid(path, `${key.field} is there twice`);
    keys.push({ column, descending: key.direction?.toLowerCase() === 'desc' });
    if (column.name === 'id') return keys;
  }
  const id = layout.byName.get('id');
  if (id === undefined) throw new Error('every layout has an id');
  return [...keys, { column: id, descending: keys[0]?.descending ?? true }];
}

const RECORD_LIST = 'records';

const orderName = (order: readonly OrderKey[]): string =>
  fingerprint(order.map((key) => [key.column.name, key.descending])).slice(0, 8);

/** Where a page ended: the values of its last record, in the order's terms. */
export const writeCursor = (order: readonly OrderKey[], record: Record<string, unknown>): string =>
  encodeCursor(RECORD_LIST, [
    orderName(order),
    ...order.map(({ column }) => {
      const value = (record[column.name] ?? null) as CursorPart;
      return typeof value === 'string' && isLongText(column) ? beginningOf(value) : value;
    }),
  ]);

/** The values to go on after; checked like any other input, because a cursor comes from outside. */
export function readCursor(order: readonly OrderKey[], cursor: string): unknown[] {
  const wrong = invalid('cursor', 'is not a cursor of this query; start again without it');
  const [name, ...values] = decodeCursor(RECORD_LIST, cursor, MAX_CURSOR);
  if (name !== orderName(order) || values.length !== order.length) throw wrong;
  return order.map((key, index) => {
    const value = values[index] ?? null;
    if (value === null) {
      if (!key.column.canLack) throw wrong;
      return null;
    }
    const read = readTyped(key.column.type, value);
    if ('problem' in read) throw wrong;
    return read.value;
  });
}
