import { type ReactNode, useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import type { ApiKey } from '@switchyard/client';
import { useClient } from '../../session/session-context';
import { Badge } from '../../ui/badge';
import { number } from '../../ui/format';
import { Meter } from '../../ui/meter';
import { Time } from '../../ui/time';

const REFRESH_MS = 30_000;

/** UTC, as the limits of keys count. */
const monthStart = (): string => `${new Date().toISOString().slice(0, 7)}-01`;

const isLimited = ({ limits }: ApiKey): boolean =>
  limits.dailyTokens !== undefined || limits.monthlyTokens !== undefined;

/** Tokens that a key used: a bar for each limit, or the number of this month. */
export function KeyTokens({ apiKey }: { apiKey: ApiKey }): ReactNode {
  return apiKey.status === 'ACTIVE' && isLimited(apiKey) ? <Limits keyId={apiKey.id} /> : <ThisMonth id={apiKey.id} />;
}

function Limits({ keyId }: { keyId: string }): ReactNode {
  const client = useClient();
  const { data, isPending } = useQuery({
    queryKey: ['keys', keyId, 'usage'],
    queryFn: () => client.keys.usage(keyId),
    staleTime: REFRESH_MS,
    refetchInterval: REFRESH_MS,
  });
  if (isPending) return <span className="shimmer block h-4 w-24" aria-hidden="true" />;
  if (data === undefined) return <span className="text-faint">–</span>;
  const limits = [
    { label: 'Today', ...data.dailyTokens },
    { label: 'This month', ...data.monthlyTokens },
  ].filter(({ cap }) => cap !== null);
  // The one that is reset last keeps the key from calling models the longest.
  const spent = limits.findLast(({ used, cap }) => cap !== null && used >= cap);
  return (
    <div className="grid w-full gap-1.5">
      {limits.map(({ label, used, cap }) => (
        <Meter key={label} isSmall label={label} used={used} cap={cap} />
      ))}
      {spent && (
        <span className="flex flex-wrap items-center gap-x-2 text-xs text-bad">
          <Badge tone="bad">Budget spent</Badge>
          <span className="whitespace-nowrap">
            resets <Time at={spent.resetsAt} />
          </span>
        </span>
      )}
    </div>
  );
}

/** One call for all keys without limits. */
function ThisMonth({ id }: { id: string }): ReactNode {
  const client = useClient();
  const [from] = useState(monthStart);
  const { data, isPending } = useQuery({
    queryKey: ['usage', 'of keys', from],
    queryFn: () => client.usage.read({ groupBy: 'key', from }),
    staleTime: REFRESH_MS,
    refetchInterval: REFRESH_MS,
  });
  if (isPending) return <span className="shimmer block h-4 w-24" aria-hidden="true" />;
  if (data === undefined) return <span className="text-faint">–</span>;
  return (
    <span className="text-xs text-faint">
      <span className="text-soft tabular-nums">{number(data.find(({ key }) => key === id)?.tokens ?? 0)}</span> this
      month
    </span>
  );
}
