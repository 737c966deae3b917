import type { Column, Layout } from '../../domain/table-layout';

/** Text beyond this in a field is stored but not searchable; less if the row exceeds the size of a tsvector. */
const INDEXED_CHARACTERS = 200_000;
/**
 * Fields that were declared earlier weigh more, wherever a later list of the fields has them: old rows keep their
 * words.
 */
const weightOf = (index: number): string => 'ABCD'.charAt(Math.min(index, 3));

const textOf = (column: Column, sql: string): string =>
  column.type === 'string[]' ? `array_to_string(${sql}, ' ')` : sql;

/**
 * The words of some texts, all with one weight or each with its own. Text in angle brackets would be parsed as a tag
 * and dropped. Scripts without spaces are split into pairs of characters.
 */
const rowWords = (layout: Layout, texts: readonly string[], weights: string): string =>
  `row_words('${layout.language}', array[${texts.join(', ')}]::text[], '${weights}', ${INDEXED_CHARACTERS})`;

/** The words of some fields, unweighted. */
export const textSql = (layout: Layout, columns: readonly Column[], sqlOf: (column: Column) => string): string =>
  rowWords(
    layout,
    columns.map((column) => textOf(column, sqlOf(column))),
    'D'.repeat(columns.length),
  );

/** The search column of a row. `sqlOf` says where each field's value comes from. */
export function wordsSql(layout: Layout, sqlOf: (column: Column) => string): string {
  if (layout.fullText.length === 0) return 'null::tsvector';
  const columns = [...layout.fullText].sort((a, b) => a.number - b.number);
  const texts = columns.map((column) => textOf(column, sqlOf(column)));
  return rowWords(layout, texts, columns.map((_column, index) => weightOf(index)).join(''));
}
