import { useQuery } from '@tanstack/react-query';
import { useClient, useMay, useSession } from '../../session/session-context';
import { shortId } from '../../ui/format';

export interface Names {
  agent: (id: string) => string;
  user: (id: string) => string;
  key: (id: string) => string;
}

const MINUTE_MS = 60_000;

/** Names for ids in the ledger, as far as the user may read them. */
export function useNames(): Names {
  const client = useClient();
  const { space, user } = useSession();
  const isMember = useMay('MEMBER');
  const isAdmin = useMay('ADMIN');
  const agents = useQuery({
    queryKey: ['agents', 'names', 'by-id'],
    queryFn: async () => {
      const [own, system] = await Promise.all([client.agents.list({ limit: 100 }), client.agents.listSystem()]);
      return new Map([...own.items, ...system.items].map(({ id, name }) => [id, name]));
    },
    staleTime: MINUTE_MS,
  });
  const members = useQuery({
    queryKey: ['members', space.id, 'names'],
    queryFn: async () => {
      const { items } = await client.spaces.members(space.id, { limit: 100 });
      return new Map(items.map(({ userId, name, email }) => [userId, name === '' ? email : name]));
    },
    enabled: isAdmin,
    staleTime: MINUTE_MS,
  });
  const keys = useQuery({
    queryKey: ['keys', 'names'],
    queryFn: async () => {
      const { items } = await client.keys.list({ limit: 100 });
      return new Map(items.map(({ id, name }) => [id, name]));
    },
    enabled: isMember,
    staleTime: MINUTE_MS,
  });
  return {
    agent: (id) => agents.data?.get(id) ?? shortId(id),
    user: (id) => members.data?.get(id) ?? (id === user.id ? user.name || user.email : shortId(id)),
    key: (id) => keys.data?.get(id) ?? shortId(id),
  };
}
