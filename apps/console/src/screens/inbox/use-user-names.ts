import { useQuery } from '@tanstack/react-query';
import { useClient, useMay, useSession } from '../../session/session-context';

/** Names of the members for those who may list them; "A member" for the others. */
export function useUserNames(): (userId: string) => string {
  const client = useClient();
  const { space } = useSession();
  const { data } = useQuery({
    queryKey: ['members', space.id, 'names'],
    queryFn: async () => {
      const { items } = await client.spaces.members(space.id, { limit: 100 });
      return new Map(items.map(({ userId, name, email }) => [userId, name === '' ? email : name]));
    },
    enabled: useMay('ADMIN'),
    staleTime: 60_000,
  });
  return (userId) => data?.get(userId) ?? 'A member';
}
