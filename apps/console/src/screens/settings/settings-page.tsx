import type { ReactNode } from 'react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useClient, useMay, useSession } from '../../session/session-context';
import { Page } from '../../ui/page';
import { ErrorState, Loading } from '../../ui/states';
import { SpaceEditor } from './space-editor';
import { WebhookSecret } from './webhook-secret';

export function SettingsPage(): ReactNode {
  const client = useClient();
  const queries = useQueryClient();
  const { space } = useSession();
  const mayWrite = useMay('ADMIN');
  // Read as the page opens: the form then keeps what is written into it.
  const { data, error, refetch } = useQuery({
    queryKey: ['settings', space.id],
    queryFn: async () => {
      const { webhookSecret: _, ...rest } = await client.spaces.get(space.id);
      return rest;
    },
    gcTime: 0,
    staleTime: Infinity,
  });
  return (
    <Page title="Settings" description="Name, limits and approval rules of this Space.">
      {data ? (
        <SpaceEditor key={data.id} space={data} />
      ) : error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <Loading label="Loading the settings" lines={8} />
      )}
      {mayWrite && (
        <WebhookSecret onRotated={() => void queries.invalidateQueries({ queryKey: ['security-events', space.id] })} />
      )}
    </Page>
  );
}
