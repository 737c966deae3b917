import type { Read } from '@switchyard/database';
import { isEverything } from '@switchyard/kernel';
import type { Layout } from '../../domain/table-layout';
import { cosineScore } from '../../domain/cosine-score';
import { boundedSql, boundOf, guardSql } from './page-byte-limit-sql';
import { Params } from './sql-params';
import { recordReader, selectSql } from './select-records-sql';
import { type Reading, type Selection, type StoredRecord, whereSql } from './record-reads';

export interface NearestQuery extends Selection {
  /** The table of the field's vectors. */
  table: string;
  /** The schema of the extension, quoted. */
  home: string;
  /** As pgvector reads it. */
  query: Buffer;
  fields: ReadonlySet<string> | null;
  limit: number;
}

export interface NearRecord {
  record: StoredRecord;
  score: number;
}

/** Looked at before a filter is given up on as too selective for the graph. */
const MAX_VISITED = 20_000;
const VISITED_AT_ONCE = 100;

/** How the graph is walked: on past the first candidates, for as long as the filter lets too few of them through. */
const WALK: Read = {
  sql: `select set_config('hnsw.ef_search', $1, true), set_config('hnsw.iterative_scan', 'relaxed_order', true),
    set_config('hnsw.max_scan_tuples', $2, true)`,
  params: [String(VISITED_AT_ONCE), String(MAX_VISITED)],
};

/**
 * The nearest records that fulfil a filter. Whether the graph or the filter's own index leads is the planner's choice.
 */
export function nearestReads(layout: Layout, spaceId: string, request: NearestQuery): Reading<NearRecord[]> {
  const params = new Params();
  params.values.push(spaceId);
  const distance = distanceSql(request, params);
  const where = whereSql(layout, request, params);
  const limit = params.add(request.limit);
  const near =
    isEverything(request.filter) && request.ids === null
      ? `(select v.record_id, ${distance} as distance from ${request.table} v where v.space_id = $1 order by ${distance} limit ${limit})`
      : `(select v.record_id, ${distance} as distance from ${request.table} v join ${layout.table} r
          on r.space_id = v.space_id and r.id = v.record_id where v.space_id = $1 and ${where} order by ${distance} limit ${limit})`;
  return reading(layout, request, near, where, params, [WALK]);
}

/** The same without the graph: every record that fulfils the filter is compared. */
export function exactReads(
  layout: Layout,
  spaceId: string,
  request: NearestQuery,
  most: number,
): Reading<NearRecord[]> {
  const params = new Params();
  params.values.push(spaceId);
  const distance = distanceSql(request, params);
  const where = whereSql(layout, request, params);
  const near = `(with matching as materialized (select r.id from ${layout.table} r where ${where} limit ${params.add(most)})
    select v.record_id, ${distance} as distance from matching m join ${request.table} v on v.record_id = m.id
    where v.space_id = $1 order by ${distance} + 0 limit ${params.add(request.limit)})`;
  return reading(layout, request, near, where, params, []);
}

const distanceSql = (request: NearestQuery, params: Params): string =>
  `(v.embedding operator(${request.home}.<=>) ${params.add(request.query)}::${request.home}.vector)`;

function reading(
  layout: Layout,
  request: NearestQuery,
  near: string,
  where: string,
  params: Params,
  before: Read[],
): Reading<NearRecord[]> {
  const bound = boundOf(layout, request.fields, request.limit);
  const conditions = [...guardSql(layout, bound), where].join(' and ');
  const from = `(select r.*, n.distance from ${near} n join ${layout.table} r on r.id = n.record_id where ${conditions}) r`;
  const sql = boundedSql(bound, `${selectSql(layout, request.fields)}, r.distance as d`, from, 'r.distance');
  const read = recordReader(layout, request.fields);
  return {
    reads: [...before, { sql, params: params.values }],
    recordBytes: bound.recordBytes,
    take: (rows) =>
      (rows.at(-1) ?? [])
        .map((row) => ({ record: read(row), score: scoreOf(row['d'] as number) }))
        .sort((left, right) => right.score - left.score),
  };
}

/** The zero vector has no angle to anything; it scores as if it were a right one. */
const scoreOf = (distance: number): number => (Number.isNaN(distance) ? 0 : cosineScore(1 - distance));
