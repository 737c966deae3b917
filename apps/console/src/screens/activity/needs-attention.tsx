import type { ReactNode } from 'react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Activity } from '@switchyard/client';
import { beginOf } from '../../api/period';
import { outcomeOf, statusesOf } from '../../api/status';
import { useRefresh } from '../../api/use-refresh';
import { useClient } from '../../session/session-context';
import { StatusBadge } from '../../ui/badge';
import { Time } from '../../ui/time';
import { keyOf } from './group-runs';
import { KindIcon, useNameOf } from './record-names';

/** As many of those that wait as of those that failed; either fills what the other leaves. */
const SHOWN = 6;
const needs = ({ status }: Activity): boolean => ['failed', 'waiting'].includes(outcomeOf(status));

/** Above all else: what waits for a person, and what failed in the last 24 hours. */
export function NeedsAttention({ isReady }: { isReady: boolean }): ReactNode {
  const client = useClient();
  const nameOf = useNameOf();
  const { data } = useQuery({
    queryKey: ['activity', 'attention'],
    queryFn: async () => {
      const [waiting, failed] = await Promise.all([
        client.activity.list({ status: statusesOf('waiting'), limit: SHOWN }),
        client.activity.list({ status: statusesOf('failed'), from: beginOf('day'), limit: SHOWN }),
      ]);
      const waitingShown = Math.max(SHOWN / 2, SHOWN - failed.items.length);
      return [...waiting.items.slice(0, waitingShown), ...failed.items].slice(0, SHOWN);
    },
    enabled: isReady,
  });
  useRefresh(
    ['activity', 'attention'],
    (row) => needs(row) || (data?.some((one) => keyOf(one) === keyOf(row)) ?? false),
  );
  if (data === undefined || data.length === 0) return null;
  return (
    <section aria-labelledby="attention" className="card mb-4">
      <h2 id="attention" className="border-b border-line px-4 py-2 text-sm font-semibold">
        Waiting or failed
      </h2>
      <ul className="divide-y divide-line">
        {data.map((row) => (
          <li key={keyOf(row)} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2">
            <KindIcon kind={row.kind} />
            <Link
              to={`/activity/${row.kind}/${row.id}`}
              search={(search: Record<string, unknown>) => search}
              resetScroll={false}
              className="min-w-0 flex-1 basis-40 truncate font-medium max-sm:basis-[calc(100%-1.75rem)] hover:underline"
              dir="auto"
            >
              {nameOf(row)}
            </Link>
            <StatusBadge status={row.status} />
            <span className="w-20 text-right text-sm text-soft max-sm:ml-auto max-sm:w-auto">
              <Time at={row.createdAt} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
