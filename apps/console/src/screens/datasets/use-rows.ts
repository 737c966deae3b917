import { type InfiniteData, useQueryClient } from '@tanstack/react-query';
import type { Page } from '@switchyard/client';
import { type List, useList } from '../../api/use-list';
import { useClient } from '../../session/session-context';
import { type Asked, type Row, foundPage } from './record-search';

const PAGE = 100;

interface Rows {
  list: List<Row>;
  /** Puts a changed value where it is shown, without reading anew what stands around it. */
  patch: (id: string, changes: Record<string, unknown>) => void;
}

export function useRows(datasetId: string, request: Asked): Rows {
  const client = useClient();
  const queries = useQueryClient();
  const key = ['datasets', datasetId, 'records', request];
  const list = useList<Row>(key, (cursor) =>
    foundPage(client, datasetId, request, { cursor, limit: PAGE, highlight: true }),
  );
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
