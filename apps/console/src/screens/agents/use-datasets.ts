import { useQuery } from '@tanstack/react-query';
import type { Dataset } from '@switchyard/client';
import { collectAll } from '../../api/collect-all';
import { useClient } from '../../session/session-context';

/** All datasets of the Space; none until they are known. */
export function useDatasets(): Dataset[] {
  const client = useClient();
  const { data } = useQuery({
    queryKey: ['datasets', 'names'],
    queryFn: () => collectAll(client.datasets.all()),
    staleTime: 30_000,
  });
  return data ?? [];
}
