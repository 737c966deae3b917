import type { ReactNode } from 'react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useClient } from '../../session/session-context';
import { isNotFound } from '../../ui/errors';
import { shortId } from '../../ui/format';

const STALE_MS = 60_000;

/** A Space by its name, as far as it is there. */
export function SpaceName({ spaceId }: { spaceId: string | null }): ReactNode {
  const client = useClient();
  const { data, error } = useQuery({
    queryKey: ['operator', 'spaces', 'one', spaceId],
    queryFn: () => client.operator.space(spaceId ?? ''),
    enabled: spaceId !== null,
    staleTime: STALE_MS,
    retry: false,
  });
  if (spaceId === null) return <span className="text-soft">Platform</span>;
  if (isNotFound(error))
    return (
      <span title={spaceId} className="text-faint">
        Unknown Space {shortId(spaceId)}
      </span>
    );
  return (
    <Link to={`/operator/spaces/${spaceId}`} title={spaceId} className="wrap-anywhere hover:underline" dir="auto">
      {data?.name ?? shortId(spaceId)}
    </Link>
  );
}

/** A person by their name, as far as their account is there. */
export function PersonName({ userId }: { userId: string }): ReactNode {
  const client = useClient();
  const { data } = useQuery({
    queryKey: ['operator', 'person', userId],
    queryFn: () => client.operator.user(userId),
    staleTime: STALE_MS,
    retry: false,
  });
  return (
    <span title={userId} className="wrap-anywhere" dir="auto">
      {data === undefined ? shortId(userId) : data.name || data.email}
    </span>
  );
}
