import { type ReactNode, useEffect, useMemo, useRef } from 'react';
import { useQuery } from '@tanstack/react-query';
import { InboxIcon } from 'lucide-react';
import { useList } from '../../api/use-list';
import { useClient } from '../../session/session-context';
import { Badge } from '../../ui/badge';
import { ListEnd, ListStale } from '../../ui/list-end';
import { Page } from '../../ui/page';
import { Empty, ErrorState, Loading } from '../../ui/states';
import { useNow } from '../../ui/time';
import { RecentDecisions } from './recent-decisions';
import { useUserNames } from './use-user-names';
import { OpenInteraction } from './open-interaction';

/** Longest waiting first. */
export function InboxPage(): ReactNode {
  const client = useClient();
  const now = useNow();
  const userName = useUserNames();
  const decided = useRef<HTMLHeadingElement>(null);
  const list = useList(['interactions', 'inbox'], (cursor) =>
    client.turns.interactions({ status: 'PENDING', limit: 100, cursor }),
  );
  const { hasMore, loadMore, isLoadingMore } = list;
  // The API gives the newest first: the oldest are on the last page.
  useEffect(() => {
    if (hasMore && !isLoadingMore) loadMore();
  }, [hasMore, isLoadingMore, loadMore]);
  const oldestFirst = useMemo(() => list.rows.toReversed(), [list.rows]);
  const count = oldestFirst.length;
  const { data: turns } = useQuery({
    queryKey: ['interactions', 'turns'],
    queryFn: async () => {
      const { items } = await client.activity.list({ kind: 'turn', status: 'WAITING_INPUT', limit: 100 });
      return new Map(items.map((turn) => [turn.id, turn]));
    },
    enabled: count > 0,
  });
  return (
    <Page
      title="Inbox"
      aside={count > 0 && <Badge tone="warn">{count} waiting</Badge>}
      description="Questions and approvals you can answer, oldest first."
    >
      {list.isLoading && <Loading label="Loading the inbox" />}
      {count === 0 ? list.error && <ErrorState error={list.error} onRetry={list.retry} /> : <ListStale list={list} />}
      {!list.isLoading && !list.error && count === 0 && (
        <Empty title="No pending questions" icon={<InboxIcon className="size-5" aria-hidden="true" />}>
          When an agent asks a question or needs an approval, it appears here at once.
        </Empty>
      )}
      {count > 0 && (
        <table role="table" aria-label="Inbox" className="block max-w-6xl">
          <thead role="rowgroup" className="sr-only">
            <tr role="row">
              <th role="columnheader">Pending question</th>
            </tr>
          </thead>
          <tbody role="rowgroup" className="grid grid-cols-[minmax(0,1fr)] gap-4">
            {oldestFirst.map((interaction) => (
              <OpenInteraction
                key={interaction.id}
                interaction={interaction}
                now={now}
                turn={turns?.get(interaction.turnId)}
                userName={userName(interaction.userId)}
                // Its button is gone: those who use keys go on at what came of it.
                onAnswered={() => decided.current?.focus({ preventScroll: true })}
              />
            ))}
          </tbody>
        </table>
      )}
      <ListEnd list={list} />
      <RecentDecisions heading={decided} />
    </Page>
  );
}
