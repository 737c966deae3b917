import type { Column, Layout } from '../../domain/layout';

/** What is beyond this in a field is stored, and not searched; less where a row has more words than a tsvector holds. */
const INDEXED_CHARACTERS = 200_000;
/** Fields that were declared earlier weigh more, wherever a later list of the fields has them: old rows keep their words. */
const weightOf = (index: number): string => 'ABCD'.charAt(Math.min(index, 3));

const textOf = (column: Column, sql: string): string =>
  column.type === 'string[]' ? `array_to_string(${sql}, ' ')` : sql;

/**
 * The words of some texts, all with one weight or each with its own. What stands in angle brackets would be taken for
 * a tag and left out. Scripts that are written without spaces are split into pairs of characters.
 */
const rowWords = (layout: Layout, texts: readonly string[], weights: string): string =>
  `row_words('${layout.language}', array[${texts.join(', ')}]::text[], '${weights}', ${INDEXED_CHARACTERS})`;

/** The words of some fields, unweighted. */
export const wordsOf = (layout: Layout, columns: readonly Column[], sqlOf: (column: Column) => string): string =>
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
