import { useQuery } from '@tanstack/react-query';
import type { Model } from '@switchyard/client';
import { useClient } from '../session/session-context';

/** The models that the relay offers; none until they are known. */
export function useModels(): Model[] {
  const client = useClient();
  const { data } = useQuery({ queryKey: ['models'], queryFn: () => client.models.list(), staleTime: 300_000 });
  return data ?? [];
}
