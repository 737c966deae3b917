import { Injectable } from '@nestjs/common';
import type { Ctx, SearchText, TextHit, TextHits } from '@switchyard/contracts';
import { decodeCursor, encodeCursor, fingerprint, invalid, isId, parseFilter } from '@switchyard/kernel';
import { DatasetReader } from '../db/dataset-reader';
import { mapped } from '../db/sql/record-reads';
import { headlineReads, type RankedRecord, textReads } from '../db/sql/text-search-reads';
import { markWords, shownExcerpt, spacelessWords } from '../domain/highlight';
import type { Column, Layout } from '../domain/table-layout';
import { spacedQuery } from '../domain/scripts-without-spaces';
import { webQuery } from '../domain/web-search-query';

const DEFAULT_LIMIT = 50;

const SEARCH_LIST = 'text-search';

@Injectable()
export class TextSearchService {
  constructor(private readonly reader: DatasetReader) {}

  async search(ctx: Ctx, request: SearchText): Promise<TextHits> {
    const limit = request.limit ?? DEFAULT_LIMIT;
    const { hits, hasMore } = await this.reader.read(ctx, request.datasetId, (layout, spaceId) =>
      textReads(layout, spaceId, {
        query: webQuery(spacedQuery(request.query)),
        columns: searchedColumns(layout, request.fields),
        filter: parseFilter(request.filter, layout.types),
        fields: null,
        after: readPlace(request),
        limit,
      }),
    );
    const last = hits.at(-1);
    return {
      items: request.highlight === true ? await this.highlight(ctx, request, hits) : hits,
      nextCursor:
        hasMore && last !== undefined
          ? encodeCursor(SEARCH_LIST, [questionOf(request), last.rank, last.record['id'] as string])
          : null,
    };
  }

  private highlight(ctx: Ctx, request: SearchText, page: readonly RankedRecord[]): Promise<TextHit[]> {
    const spaceless = spacelessWords(request.query);
    const ids = page.map((hit) => hit.record['id'] as string);
    return this.reader.read(ctx, request.datasetId, (layout, spaceId) => {
      const columns = searchedColumns(layout, request.fields) ?? layout.fullText;
      const headlines = headlineReads(layout, spaceId, { query: webQuery(request.query), columns, ids });
      return mapped(headlines, (found) => withHighlights(page, columns, found, spaceless));
    });
  }
}

function withHighlights(
  page: readonly RankedRecord[],
  columns: readonly Column[],
  found: ReadonlyMap<string, Record<string, string>>,
  spaceless: readonly string[],
): TextHit[] {
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

const textOf = (value: unknown): string =>
  Array.isArray(value) ? value.join(' ') : typeof value === 'string' ? value : '';

function searchedColumns(layout: Layout, names: readonly string[] | undefined): Column[] | null {
  if (layout.fullText.length === 0)
    throw invalid('query', 'this dataset has no field with "fullText": true to search in');
  if (names === undefined) return null;
  const columns = names.map((name, index) => {
    const column = layout.byName.get(name);
    if (column === undefined)
      throw invalid(`fields[${index}]`, `there is no field called ${name}; names are exact, also in their case`);
    if (column.field.fullText !== true) throw invalid(`fields[${index}]`, `${name} is not a full-text field`);
    return column;
  });
  return new Set(columns).size === layout.fullText.length ? null : [...new Set(columns)];
}

/** A rank means something for one question only. */
const questionOf = ({ datasetId, query, fields, filter }: SearchText): string =>
  fingerprint([datasetId, query, fields ?? null, filter ?? null]).slice(0, 12);

function readPlace(request: SearchText): { rank: number; id: string } | null {
  if (request.cursor === undefined) return null;
  const [question, rank, id] = decodeCursor(SEARCH_LIST, request.cursor);
  if (question !== questionOf(request) || typeof rank !== 'number' || !Number.isFinite(rank) || !isId(id))
    throw invalid('cursor', 'is not a cursor of this search; start again without it');
  return { rank, id };
}
