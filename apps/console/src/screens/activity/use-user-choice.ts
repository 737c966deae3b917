import { useQuery } from '@tanstack/react-query';
import { useClient, useMay, useSession } from '../../session/session-context';
import type { Option } from '../../ui/field';
import { shortId } from '../../ui/format';

/** A page of members; others can be chosen by the URL. */
const MOST = 100;

/** Whose records: members by their name for those who may list them, oneself for the others. */
export function useUserChoice(chosen: string | undefined): Option[] {
  const client = useClient();
  const { space, user } = useSession();
  const { data } = useQuery({
    queryKey: ['members', space.id, 'first'],
    queryFn: () => client.spaces.members(space.id, { limit: MOST }),
    enabled: useMay('ADMIN'),
    staleTime: 60_000,
  });
  const others = (data?.items ?? [])
    .filter(({ userId }) => userId !== user.id)
    .map(({ userId, name, email }) => ({ value: userId, label: name || email }));
  const existing = [{ value: '', label: 'All users' }, { value: user.id, label: 'Me' }, ...others];
  const isListed = chosen === undefined || existing.some(({ value }) => value === chosen);
  return isListed ? existing : [...existing, { value: chosen, label: shortId(chosen) }];
}
