import type { Filter } from '@switchyard/kernel';
import { BRACKETS, MARK, MARKER_CHARACTERS } from '../../domain/highlight';
import type { Column, Layout } from '../../domain/table-layout';
import { limitPageBytes } from '../../domain/limit-page-bytes';
import { boundedSql, boundOf, guardSql, isCut } from './page-byte-limit-sql';
import { Params } from './sql-params';
import { recordReader, selectSql } from './select-records-sql';
import { type Reading, type StoredRecord, whereSql } from './record-reads';
import { textSql } from './text-search-sql';

export interface TextQuery {
  /** In web-search syntax, spaced. */
  query: string;
  /** Null is all full-text fields. */
  columns: Column[] | null;
  filter: Filter;
  fields: ReadonlySet<string> | null;
  after: { rank: number; id: string } | null;
  limit: number;
}

export interface RankedRecord {
  record: StoredRecord;
  rank: number;
}

export interface RankedPage {
  hits: RankedRecord[];
  hasMore: boolean;
}

const HEADLINE = `StartSel=${MARK.start}, StopSel=${MARK.stop}, MaxFragments=2, MaxWords=30, MinWords=10, FragmentDelimiter=" … "`;
const HEADLINE_CHARACTERS = 100_000;

export function textReads(layout: Layout, spaceId: string, request: TextQuery): Reading<RankedPage> {
  const params = new Params();
  params.values.push(spaceId);
  const query = `websearch_to_tsquery('${layout.language}', ${params.add(request.query)})`;
  const words = request.columns === null ? 'r.words' : chosenWords(layout, request.columns);
  const rank = `ts_rank(${words}, ${query})`;
  const bound = boundOf(layout, request.fields, request.limit + 1);
  const where = [...guardSql(layout, bound), whereSql(layout, { ids: null, filter: request.filter }, params)];
  // The index knows all fields together. It may narrow a search in some of them, unless a word is excluded:
  // then a record that has the word in another field would be lost.
  if (request.columns === null || !request.query.includes('-')) where.push(`r.words @@ ${query}`);
  if (request.columns !== null) where.push(`${words} @@ ${query}`);
  if (request.after !== null) {
    where.push(
      `(${rank}, r.id) < (${params.add(String(request.after.rank))}::float4, ${params.add(request.after.id)}::uuid)`,
    );
  }
  const order = 'r.rank desc, r.id desc';
  const from = `(select r.*, ${rank} as rank from ${layout.table} r where ${where.join(' and ')}) r
    order by ${order} limit ${params.add(request.limit + 1)}`;
  const read = recordReader(layout, request.fields);
  return {
    reads: [
      {
        sql: boundedSql(bound, `${selectSql(layout, request.fields)}, r.rank`, from, order),
        params: params.values,
      },
    ],
    recordBytes: bound.recordBytes,
    take: ([rows = []]) => {
      const shown = limitPageBytes(rows.slice(0, request.limit).map(read));
      const hits = shown.map((record, index) => ({ record, rank: rows[index]?.['rank'] as number }));
      return { hits, hasMore: rows.length > hits.length || isCut(rows) };
    },
  };
}

/** Excerpts with the words between marks, by record and field. */
export function headlineReads(
  layout: Layout,
  spaceId: string,
  request: { query: string; columns: readonly Column[]; ids: readonly string[] },
): Reading<Map<string, Record<string, string>>> {
  const parts = request.columns.map((column) => {
    const text = column.type === 'string[]' ? `array_to_string(r.${column.sql}, ' ')` : `r.${column.sql}`;
    return `ts_headline('${layout.language}', translate(left(${text}, ${HEADLINE_CHARACTERS}), $5, $6), websearch_to_tsquery('${layout.language}', $3), $4) as ${column.sql}`;
  });
  const sql = `select r.id, ${parts.join(', ')} from ${layout.table} r where r.space_id = $1 and r.id = any($2::uuid[])`;
  return {
    reads: [
      {
        sql,
        params: [
          spaceId,
          request.ids,
          request.query,
          HEADLINE,
          `<>${MARKER_CHARACTERS}`,
          BRACKETS.padEnd(2 + MARKER_CHARACTERS.length),
        ],
      },
    ],
    recordBytes: null,
    take: (rows) =>
      new Map(
        (rows[0] ?? []).map((row) => [
          row['id'] as string,
          Object.fromEntries(request.columns.map((column) => [column.name, (row[column.sql] as string | null) ?? ''])),
        ]),
      ),
  };
}

const chosenWords = (layout: Layout, columns: readonly Column[]): string =>
  textSql(layout, columns, (column) => `r.${column.sql}`);
