import { useQuery } from '@tanstack/react-query';
import type { Dataset } from '@switchyard/client';
import { everyOne } from '../../api/every-one';
import { useClient } from '../../session/session-context';

/** All datasets of the Space; none until they are known. */
export function useDatasets(): Dataset[] {
  const client = useClient();
  const { data } = useQuery({
    queryKey: ['datasets', 'names'],
    queryFn: () => everyOne(client.datasets.all()),
    staleTime: 30_000,
  });
  return data ?? [];
}
