import { type InfiniteData, useQueryClient } from '@tanstack/react-query';
import type { DataRecord, Filter, Page } from '@switchyard/client';
import { type List, useList } from '../../api/use-list';
import { useClient } from '../../session/session-context';

/** How records are looked for: by words, by meaning, or by both. */
export type Way = 'words' | 'meaning' | 'both';

export interface Row {
  record: DataRecord;
  score: number | null;
  highlight?: Record<string, string> | undefined;
}

export interface Sort {
  field: string;
  isDown: boolean;
}

interface Asked {
  filter: Filter | undefined;
  sort: Sort | null;
  search: { words: string; way: Way } | null;
}

const PAGE = 100;
const MOST_HITS = 100;

interface Rows {
  list: List<Row>;
  /** Puts a changed value where it is shown, without reading anew what stands around it. */
  patch: (id: string, changes: Record<string, unknown>) => void;
}

export function useRows(datasetId: string, asked: Asked): Rows {
  const client = useClient();
  const queries = useQueryClient();
  const key = ['datasets', datasetId, 'records', asked];
  const list = useList<Row>(key, async (cursor): Promise<Page<Row>> => {
    const { filter, sort, search } = asked;
    const filtered = filter === undefined ? {} : { filter };
    if (search === null) {
      const page = await client.datasets.query(datasetId, {
        ...filtered,
        ...(sort === null ? {} : { sort: [{ field: sort.field, direction: sort.isDown ? 'desc' : 'asc' }] }),
        ...(cursor ? { cursor } : {}),
        limit: PAGE,
      });
      return { items: page.items.map((record) => ({ record, score: null })), nextCursor: page.nextCursor };
    }
    const query = search.words;
    if (search.way === 'words') {
      const hits = await client.datasets.fullTextSearch(datasetId, {
        query,
        ...filtered,
        limit: MOST_HITS,
        highlight: true,
      });
      const items = hits.map(({ record, rank, highlight }) => ({
        record,
        score: rank,
        highlight: highlight as Record<string, string> | undefined,
      }));
      return { items, nextCursor: null };
    }
    const request = { query, ...filtered, topK: MOST_HITS };
    const hits = await (search.way === 'meaning'
      ? client.datasets.search(datasetId, request)
      : client.datasets.hybridSearch(datasetId, request));
    return { items: hits, nextCursor: null };
  });
  const patch = (id: string, changes: Record<string, unknown>): void => {
    queries.setQueryData<InfiniteData<Page<Row>>>(
      key,
      (data) =>
        data && {
          ...data,
          pages: data.pages.map((page) => ({
            ...page,
            items: page.items.map((row) =>
              row.record.id === id ? { record: { ...row.record, ...changes }, score: row.score } : row,
            ),
          })),
        },
    );
  };
  return { list, patch };
}
