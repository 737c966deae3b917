import { type ReactNode, useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { useClient } from '../../session/session-context';
import { Facts } from '../../ui/facts';
import { cost, number } from '../../ui/format';
import { Section } from '../../ui/page';
import { ErrorState, Loading } from '../../ui/states';

const DAYS = 30;
const DAY_MS = 86_400_000;

export function AgentUsage({ agentId }: { agentId: string }): ReactNode {
  const client = useClient();
  const [from] = useState(() => new Date(Date.now() - DAYS * DAY_MS).toISOString());
  const usage = useQuery({
    queryKey: ['usage', 'of agents', from],
    queryFn: () => client.usage.read({ groupBy: 'agent', from }),
    staleTime: 60_000,
  });
  const row = usage.data?.find(({ agent }) => agent === agentId);
  return (
    <Section title="Usage">
      {usage.error && !usage.data && <ErrorState error={usage.error} onRetry={() => void usage.refetch()} />}
      {usage.isPending && <Loading label="Loading the usage" lines={2} />}
      {usage.data && (
        <Facts
          of={[
            ['Period', `Last ${DAYS} days`],
            ['Calls', number(row?.calls ?? 0)],
            ['Tokens', number(row?.tokens ?? 0)],
            ['Cost', cost(row?.cost ?? 0)],
          ]}
        />
      )}
    </Section>
  );
}
