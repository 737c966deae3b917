import { isLongText, type OrderKey, ORDERED_CHARACTERS } from '../../domain/sort-order';
import { SQL_TYPES, toBound } from './column-types-sql';
import type { Params } from './sql-params';

const keySql = ({ column }: OrderKey): string =>
  isLongText(column) ? `left(r.${column.sql}, ${ORDERED_CHARACTERS})` : `r.${column.sql}`;

export const orderSql = (order: readonly OrderKey[]): string =>
  order.map((key) => `${keySql(key)} ${key.descending ? 'desc' : 'asc'}`).join(', ');

export type WriteCondition = (params: Params) => string;

/**
 * The records after a cursor, as conditions whose results follow one another. Nulls end an ascending order and begin
 * a descending one. Each condition is a plain row comparison wherever one is possible, because that is what an index
 * can start from; the rest of the order is then a condition of its own instead of an `or`.
 */
export function afterSql(order: readonly OrderKey[], values: readonly unknown[]): WriteCondition[] {
  const [first, second] = order;
  if (first === undefined) return [() => 'true'];
  const column = keySql(first);
  const isPlain = order.length === 1 || (order.length === 2 && second?.descending === first.descending);
  if (!isPlain) return [(params) => chain(order, values, params)];
  if (values[0] === null) {
    const rest: WriteCondition = (params) =>
      `(${column} is null and ${chain(order.slice(1), values.slice(1), params)})`;
    return first.descending ? [rest, () => `${column} is not null`] : [rest];
  }
  const columns = order.map(keySql).join(', ');
  const rest: WriteCondition = (params) => {
    const bound = order.map((key, index) => bind(key, values[index], params)).join(', ');
    return `(${columns}) ${first.descending ? '<' : '>'} (${bound})`;
  };
  return first.column.canLack && !first.descending ? [rest, () => `${column} is null`] : [rest];
}

const bind = (key: OrderKey, value: unknown, params: Params): string =>
  `${params.add(toBound(key.column.type, value))}::${SQL_TYPES[key.column.type]}`;

/** `a` is after, or `a` is the same and the rest of the order is after. */
function chain(order: readonly OrderKey[], values: readonly unknown[], params: Params): string {
  const [key, ...rest] = order;
  if (key === undefined) return 'false';
  const column = keySql(key);
  const tail = (same: string): string =>
    rest.length === 0 ? '' : ` or (${same} and ${chain(rest, values.slice(1), params)})`;
  if (values[0] === null) {
    const after = key.descending ? `${column} is not null` : 'false';
    return `(${after}${tail(`${column} is null`)})`;
  }
  const value = bind(key, values[0], params);
  const beyond = `${column} ${key.descending ? '<' : '>'} ${value}`;
  const after = key.column.canLack && !key.descending ? `${beyond} or ${column} is null` : beyond;
  return `(${after}${tail(`${column} = ${value}`)})`;
}
