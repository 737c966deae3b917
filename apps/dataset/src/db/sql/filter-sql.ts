import type { Filter, FilterTest } from '@switchyard/kernel';
import type { Column, Layout } from '../../domain/table-layout';
import { SQL_TYPES, toBound } from './column-types-sql';
import { jsonTestSql } from './json-filter-sql';
import type { Params } from './sql-params';

const COMPARE = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const;

/**
 * A checked filter as a condition over the table `r`. Every name in it comes from the layout, every value is bound.
 * `not` is pushed down to the tests, and a negated test is `(...) is not true`, so that it is the exact complement
 * although SQL knows a third truth value.
 */
export function filterSql(filter: Filter, layout: Layout, params: Params, negated = false): string {
  switch (filter.kind) {
    case 'not':
      return filterSql(filter.part, layout, params, !negated);
    case 'and':
    case 'or': {
      const parts = filter.parts.map((part) => filterSql(part, layout, params, negated));
      const every = (filter.kind === 'and') !== negated;
      if (parts.length === 0) return every ? 'true' : 'false';
      return `(${parts.join(every ? ' and ' : ' or ')})`;
    }
    case 'test':
      return testSql(filter, layout, params, negated);
  }
}

function testSql(test: FilterTest, layout: Layout, params: Params, negated: boolean): string {
  const column = layout.byName.get(test.field);
  if (column === undefined) throw new Error('a checked filter names a field that the layout does not have');
  const isComplement = test.operator === 'ne' || test.operator === 'nin';
  const positive = positiveSql(test, column, params);
  return isComplement === negated ? positive : `((${positive}) is not true)`;
}

function positiveSql(test: FilterTest, column: Column, params: Params): string {
  const sql = `r.${column.sql}`;
  switch (test.operator) {
    case 'eq':
    case 'ne':
      return equalsSql(column, test.operand, params);
    case 'in':
    case 'nin':
      return oneOfSql(column, test.operand as unknown[], params);
    case 'exists':
      return test.operand === true ? `(${existsSql(column)})` : `((${existsSql(column)}) is not true)`;
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      if (column.type === 'json') return jsonTestSql(test, sql, params);
      return `${sql} ${COMPARE[test.operator]} ${bind(column, test.operand, params)}`;
    case 'startsWith':
      if (column.type === 'json') return jsonTestSql(test, sql, params);
      return `${sql} ^@ ${params.add(test.operand)}::text`;
    case 'contains':
      if (column.type === 'json') return jsonTestSql(test, sql, params);
      if (column.type === 'string[]') return `${sql} @> array[${params.add(test.operand)}::text]`;
      return `strpos(${sql}, ${params.add(test.operand)}::text) > 0`;
  }
}

const bind = (column: Column, value: unknown, params: Params): string =>
  `${params.add(toBound(column.type, value))}::${SQL_TYPES[column.type]}`;

/** A column is null both where the field is missing and where it was set to null; `nulls` lists the latter. */
const isNullSql = (column: Column): string => (column.canLack ? `${column.number} = any(r.nulls)` : 'false');

const existsSql = (column: Column): string =>
  column.canLack ? `r.${column.sql} is not null or ${isNullSql(column)}` : 'true';

function equalsSql(column: Column, value: unknown, params: Params): string {
  if (value === null) return isNullSql(column);
  const sql = `r.${column.sql}`;
  const bound = bind(column, value, params);
  // Containment is what the index of a json column knows; equality is what was asked.
  return column.type === 'json' ? `(${sql} @> ${bound} and ${sql} = ${bound})` : `${sql} = ${bound}`;
}

function oneOfSql(column: Column, values: unknown[], params: Params): string {
  const present = values.filter((value) => value !== null);
  const parts: string[] = [];
  if (present.length < values.length) parts.push(isNullSql(column));
  if (present.length > 0) parts.push(anyOfSql(column, present, params));
  return parts.length === 0 ? 'false' : `(${parts.join(' or ')})`;
}

/** All values are one parameter: a statement may bind 65,535, and several long lists have more values than that. */
function anyOfSql(column: Column, values: unknown[], params: Params): string {
  const sql = `r.${column.sql}`;
  if (column.type === 'string[]') {
    // Lists of different lengths are no array of arrays, so each is bound as its text.
    const lists = params.add((values as string[][]).map(arrayLiteral));
    return `${sql} = any(select list::text[] from unnest(${lists}::text[]) list)`;
  }
  const bound = params.add(values.map((value) => toBound(column.type, value)));
  const array = `${bound}::${SQL_TYPES[column.type]}[]`;
  return column.type === 'json' ? `(${sql} @> any(${array}) and ${sql} = any(${array}))` : `${sql} = any(${array})`;
}

const arrayLiteral = (items: readonly string[]): string =>
  `{${items.map((item) => `"${item.replace(/["\\]/g, '\\$&')}"`).join(',')}}`;
