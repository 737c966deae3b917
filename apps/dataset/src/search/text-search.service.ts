import { Injectable } from '@nestjs/common';
import { type Ctx, requireSpace, type SearchText, type TextHit, type TextHits } from '@switchyard/contracts';
import { Database, type Tx } from '@switchyard/database';
import { decodeCursor, encodeCursor, invalid, isId, parseFilter } from '@switchyard/kernel';
import { Layouts } from '../db/layouts';
import { type RankedRecord, TextSearchRepository } from '../db/text-search.repository';
import { markWords, shownExcerpt, spacelessWords } from '../domain/highlight';
import type { Column, Layout } from '../domain/layout';
import { spacedQuery } from '../domain/spaceless';

const DEFAULT_LIMIT = 50;

@Injectable()
export class TextSearchService {
  constructor(
    private readonly database: Database,
    private readonly layouts: Layouts,
    private readonly texts: TextSearchRepository,
  ) {}

  search(ctx: Ctx, request: SearchText): Promise<TextHits> {
    const spaceId = requireSpace(ctx);
    const limit = request.limit ?? DEFAULT_LIMIT;
    return this.database.transaction(ctx, async (tx) => {
      const layout = await this.layouts.get(tx, spaceId, request.datasetId);
      const columns = searchedColumns(layout, request.fields);
      const found = await this.texts.search(tx, layout, spaceId, {
        query: spacedQuery(request.query),
        columns,
        filter: parseFilter(request.filter, layout.types),
        fields: null,
        after: readPlace(request.cursor),
        limit: limit + 1,
      });
      const page = found.slice(0, limit);
      const last = page.at(-1);
      const items = request.highlight === true ? await this.highlight(tx, spaceId, layout, columns ?? layout.fullText, request.query, page) : page;
      return { items, nextCursor: found.length > limit && last !== undefined ? encodeCursor([last.rank, last.record['id'] as string]) : null };
    });
  }

  private async highlight(tx: Tx, spaceId: string, layout: Layout, columns: readonly Column[], query: string, page: readonly RankedRecord[]): Promise<TextHit[]> {
    const ids = page.map((hit) => hit.record['id'] as string);
    const found = await this.texts.headlines(tx, layout, spaceId, query, columns, ids);
    const spaceless = spacelessWords(query);
    return page.map((hit) => {
      const highlight: Record<string, string> = {};
      for (const column of columns) {
        const excerpt =
          shownExcerpt(found.get(hit.record['id'] as string)?.[column.name] ?? '') ??
          shownExcerpt(markWords(textOf(hit.record[column.name]), spaceless));
        if (excerpt !== null) highlight[column.name] = excerpt;
      }
      return { ...hit, highlight };
    });
  }
}

const textOf = (value: unknown): string => (Array.isArray(value) ? value.join(' ') : typeof value === 'string' ? value : '');

function searchedColumns(layout: Layout, names: readonly string[] | undefined): Column[] | null {
  if (layout.fullText.length === 0) throw invalid('query', 'this dataset has no field with "fullText": true to search in');
  if (names === undefined) return null;
  const columns = names.map((name, index) => {
    const column = layout.byName.get(name);
    if (column === undefined) throw invalid(`fields[${index}]`, `there is no field called ${name}; names are exact, also in their case`);
    if (column.field.fullText !== true) throw invalid(`fields[${index}]`, `${name} is not a full-text field`);
    return column;
  });
  return new Set(columns).size === layout.fullText.length ? null : [...new Set(columns)];
}

function readPlace(cursor: string | undefined): { rank: number; id: string } | null {
  if (cursor === undefined) return null;
  const [rank, id] = decodeCursor(cursor);
  if (typeof rank !== 'number' || !Number.isFinite(rank) || !isId(id)) throw invalid('cursor', 'is not a cursor of this search; start again without it');
  return { rank, id };
}
