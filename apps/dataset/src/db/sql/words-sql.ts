import type { Column, Layout } from '../../domain/layout';

/** tsvector holds at most 1 MiB; what is beyond this is stored, and not searched. */
const INDEXED_CHARACTERS = 200_000;
const WEIGHTS = ['A', 'B', 'C', 'D'] as const;

const textOf = (column: Column, sql: string): string =>
  column.type === 'string[]' ? `array_to_string(${sql}, ' ')` : sql;

/** The words of one text. What stands in angle brackets would be taken for a tag and left out. `spaced` splits scripts that are written without spaces into pairs of characters. */
export const wordsOf = (layout: Layout, column: Column, sql: string): string =>
  `to_tsvector('${layout.language}', spaced(translate(left(${textOf(column, sql)}, ${INDEXED_CHARACTERS}), '<>', '  ')))`;

/** The search column of a row: earlier fields weigh more. `sqlOf` says where each field's value comes from. */
export function wordsSql(layout: Layout, sqlOf: (column: Column) => string): string {
  const parts = layout.fullText.map((column, index) => {
    const weight = WEIGHTS[Math.min(index, WEIGHTS.length - 1)];
    return `coalesce(setweight(${wordsOf(layout, column, sqlOf(column))}, '${weight}'), '')`;
  });
  return parts.length === 0 ? 'null::tsvector' : parts.join(' || ');
}
