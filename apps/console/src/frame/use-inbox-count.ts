import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useActivity } from '../api/activity-context';
import { useClient } from '../session/session-context';

/** As many as one page holds: beyond, the number says "many". */
const MOST = 100;

export function useInboxCount(): number {
  const client = useClient();
  const queries = useQueryClient();
  const { data } = useQuery({
    queryKey: ['interactions', 'count'],
    queryFn: () => client.turns.interactions({ status: 'PENDING', limit: MOST }),
    refetchInterval: 30_000,
  });
  // A turn that begins or stops to wait changes what is in the inbox.
  useActivity((row) => {
    if (row === null || row.kind !== 'emission') void queries.invalidateQueries({ queryKey: ['interactions'] });
  });
  return data?.items.length ?? 0;
}
