import { useRef } from 'react';
import { useQuery } from '@tanstack/react-query';
import { useRefresh } from '../api/use-refresh';
import { hasSpace, useSession } from '../session/session-context';

/** As many as one page holds: beyond, the number is "99+". */
const MOST = 100;

export function useInboxCount(): number {
  const { client, space } = useSession();
  const { data } = useQuery({
    queryKey: ['interactions', 'count'],
    queryFn: () => client.turns.interactions({ status: 'PENDING', limit: MOST }),
    refetchInterval: 30_000,
    enabled: hasSpace(space),
  });
  // A turn or job that begins to wait, or one that did and goes on, changes what is in the inbox.
  const waiting = useRef(new Set<string>());
  useRefresh(['interactions'], ({ id, status }) => {
    if (status === 'WAITING_INPUT') {
      waiting.current.add(id);
      return true;
    }
    return waiting.current.delete(id) || (data?.items.some(({ turnId }) => turnId === id) ?? false);
  });
  return data?.items.length ?? 0;
}
