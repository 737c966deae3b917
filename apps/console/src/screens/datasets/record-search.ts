import type { DataRecord, Filter, Page, SwitchyardClient } from '@switchyard/client';

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

export interface Asked {
  filter: Filter | undefined;
  sort: Sort | null;
  search: { words: string; way: Way } | null;
}

/** The API ranks no more by their meaning. */
export const MAX_NEAREST = 100;

interface PageOf {
  cursor: string | undefined;
  limit: number;
  /** With excerpts that mark the words. */
  highlight?: boolean;
}

/** A page of the records that are asked for. Those near in meaning are one page, however many are asked for. */
export async function foundPage(
  client: SwitchyardClient,
  datasetId: string,
  { filter, sort, search }: Asked,
  { cursor, limit, highlight = false }: PageOf,
): Promise<Page<Row>> {
  const filtered = filter === undefined ? {} : { filter };
  const page = { ...(cursor === undefined ? {} : { cursor }), limit };
  if (search === null) {
    const order = sort === null ? {} : { sort: [{ field: sort.field, direction: direction(sort) }] };
    const { items, nextCursor } = await client.datasets.query(datasetId, { ...filtered, ...order, ...page });
    return { items: items.map((record) => ({ record, score: null })), nextCursor };
  }
  const query = { query: search.words, ...filtered };
  if (search.way === 'words') {
    const { items, nextCursor } = await client.datasets.fullTextPage(datasetId, { ...query, ...page, highlight });
    return {
      items: items.map(({ record, rank, ...hit }) => ({ record, score: rank, highlight: hit.highlight })),
      nextCursor,
    };
  }
  const nearest = { ...query, topK: MAX_NEAREST };
  const items = await (search.way === 'meaning'
    ? client.datasets.search(datasetId, nearest)
    : client.datasets.hybridSearch(datasetId, nearest));
  return { items, nextCursor: null };
}

const direction = ({ isDown }: Sort): 'asc' | 'desc' => (isDown ? 'desc' : 'asc');
