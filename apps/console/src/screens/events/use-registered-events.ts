import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { RegisteredEvent } from '@switchyard/client';
import { collectAll } from '../../api/collect-all';
import { useClient } from '../../session/session-context';

/** Events declared by installed applications. */
export function useRegisteredEvents(): UseQueryResult<RegisteredEvent[]> {
  const client = useClient();
  return useQuery({
    queryKey: ['events', 'registered'],
    queryFn: async () => (await collectAll(client.events.allRegistered({ limit: 100 }))).filter(({ active }) => active),
  });
}
