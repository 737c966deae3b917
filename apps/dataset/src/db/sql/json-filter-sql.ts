import type { FilterTest } from '@switchyard/kernel';
import type { Params } from './sql-params';

const COMPARE: Partial<Record<FilterTest['operator'], string>> = { gt: '>', gte: '>=', lt: '<', lte: '<=' };

/**
 * Tests on a json column, whose values have any type. The inner `case` keeps Postgres from casting a value before
 * its type was looked at: the order of an `and` is not promised.
 */
export function jsonTestSql(test: FilterTest, sql: string, params: Params): string {
  const text = `case when jsonb_typeof(${sql}) = 'string' then (${sql} #>> '{}') collate "C" end`;
  const { operator, operand } = test;
  if (operator === 'startsWith') return `starts_with(${text}, ${params.add(operand)}::text)`;
  if (operator === 'contains') {
    const items = `jsonb_array_elements(case when jsonb_typeof(${sql}) = 'array' then ${sql} else '[]' end)`;
    const inList = `exists (select 1 from ${items} as item where item = ${params.add(JSON.stringify(operand))}::jsonb)`;
    return typeof operand === 'string' ? `(${inList} or strpos(${text}, ${params.add(operand)}::text) > 0)` : inList;
  }
  const comparison = COMPARE[operator] ?? '=';
  if (typeof operand === 'number') {
    const number = `case when jsonb_typeof(${sql}) = 'number' then (${sql} #>> '{}')::numeric end`;
    return `${number} ${comparison} ${params.add(String(operand))}::numeric`;
  }
  return `${text} ${comparison} ${params.add(operand)}::text`;
}
