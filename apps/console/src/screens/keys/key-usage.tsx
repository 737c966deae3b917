import type { ReactNode } from 'react';
import { useQuery } from '@tanstack/react-query';
import type { ApiKey } from '@switchyard/client';
import { useClient } from '../../session/session-context';
import { Dialog } from '../../ui/dialog';
import { Facts } from '../../ui/facts';
import { exactTime, number } from '../../ui/format';
import { ErrorState, Loading } from '../../ui/states';
import { scopeWords } from './scopes';
import { TokenMeters } from './token-meters';

/** How much of its limits a key has used. */
export function KeyUsage({ apiKey, onClose }: { apiKey: ApiKey | null; onClose: () => void }): ReactNode {
  return (
    <Dialog open={apiKey !== null} onClose={onClose} title={apiKey ? `Usage of ${apiKey.name}` : 'Usage'}>
      {apiKey && <Meters apiKey={apiKey} />}
    </Dialog>
  );
}

function Meters({ apiKey }: { apiKey: ApiKey }): ReactNode {
  const client = useClient();
  const { limits } = apiKey;
  const usage = useQuery({ queryKey: ['keys', apiKey.id, 'usage'], queryFn: () => client.keys.usage(apiKey.id) });
  if (usage.error) return <ErrorState error={usage.error} onRetry={() => void usage.refetch()} />;
  if (!usage.data) return <Loading lines={3} />;
  return (
    <div className="grid gap-5">
      <TokenMeters usage={usage.data} />
      <Facts
        of={[
          ['Description', apiKey.description],
          ['Scopes', <Lines key="scopes" of={scopeWords(apiKey.scopes)} />],
          ['Requests a minute', limits.requestsPerMinute === undefined ? 'Default' : number(limits.requestsPerMinute)],
          ['Last used', apiKey.lastUsedAt === null ? 'Never' : exactTime(apiKey.lastUsedAt)],
          ['Expires', apiKey.expiresAt === null ? 'Never' : exactTime(apiKey.expiresAt)],
          ['Models', limits.models?.join(', ') ?? 'All'],
          ['Agents', limits.agents === undefined ? 'All' : `${limits.agents.length} chosen`],
        ]}
      />
    </div>
  );
}

const Lines = ({ of }: { of: readonly string[] }): ReactNode => (
  <ul>
    {of.map((line) => (
      <li key={line}>{line}</li>
    ))}
  </ul>
);
