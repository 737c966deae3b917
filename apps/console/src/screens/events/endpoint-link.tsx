import type { ReactNode } from 'react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useClient, useMay } from '../../session/session-context';
import { isNotFound } from '../../ui/errors';
import { shortId } from '../../ui/format';

/** An endpoint by its name, for those who may read endpoints. */
export function EndpointLink({ endpointId }: { endpointId: string }): ReactNode {
  const client = useClient();
  const mayRead = useMay('MEMBER');
  const endpoint = useQuery({
    queryKey: ['endpoints', endpointId],
    queryFn: () => client.events.endpoints.get(endpointId),
    enabled: mayRead,
    retry: false,
    staleTime: 60_000,
  });
  if (!mayRead) return <>Endpoint {shortId(endpointId)}</>;
  if (isNotFound(endpoint.error)) return <span className="text-faint">Deleted endpoint {shortId(endpointId)}</span>;
  return (
    <>
      Endpoint{' '}
      <Link to={`/endpoints/${endpointId}`} className="font-medium wrap-anywhere hover:underline" dir="auto">
        {endpoint.data?.name ?? shortId(endpointId)}
      </Link>
    </>
  );
}
