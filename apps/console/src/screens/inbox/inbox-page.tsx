import { type ReactNode, useEffect, useMemo } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Answer, InboxInteraction } from '@switchyard/client';
import { InboxIcon } from 'lucide-react';
import { useList } from '../../api/use-list';
import { useClient } from '../../session/session-context';
import { refusalOfAnswer } from '../../ui/answer-words';
import { Badge } from '../../ui/badge';
import { duration, exactTime } from '../../ui/format';
import { ListEnd, ListStale } from '../../ui/list-end';
import { Page } from '../../ui/page';
import { Question } from '../../ui/question';
import { Empty, ErrorState, Loading } from '../../ui/states';
import { Time, useNow } from '../../ui/time';
import { toast } from '../../ui/toast';

/** Longest waiting first. */
export function InboxPage(): ReactNode {
  const client = useClient();
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
        <table role="table" aria-label="Inbox" className="block max-w-3xl">
          <thead role="rowgroup" className="sr-only">
            <tr role="row">
              <th role="columnheader">Pending question</th>
            </tr>
          </thead>
          <tbody role="rowgroup" className="grid grid-cols-[minmax(0,1fr)] gap-4">
            {oldestFirst.map((interaction) => (
              <Row key={interaction.id} interaction={interaction} />
            ))}
          </tbody>
        </table>
      )}
      <ListEnd list={list} />
    </Page>
  );
}

function Row({ interaction }: { interaction: InboxInteraction }): ReactNode {
  const client = useClient();
  const queries = useQueryClient();
  const now = useNow();
  const answer = async (given: Answer): Promise<void> => {
    try {
      // The turn goes on by itself, and its stream is read where its chat is open.
      const refusal = refusalOfAnswer(await client.turns.answer(interaction, interaction, given), given);
      if (refusal) throw refusal;
      toast.done(`Answer sent to ${interaction.agentName ?? 'the agent'}.`);
    } catch (error) {
      // Its row may be gone in a moment: someone else has answered.
      toast.failed(error);
      throw error;
    } finally {
      void queries.invalidateQueries({ queryKey: ['interactions'] });
    }
  };
  const remaining = Date.parse(interaction.expiresAt) - now;
  return (
    <tr role="row" className="card block p-1">
      <td role="cell" className="block">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2 text-sm text-faint">
          <Badge tone={interaction.purpose === 'approval' ? 'warn' : 'busy'}>
            {interaction.purpose === 'approval' ? 'Approval' : 'Question'}
          </Badge>
          <span className="min-w-0 font-medium wrap-anywhere text-ink" dir="auto">
            {interaction.agentName ?? 'An agent'}
          </span>
          <Link
            to="/chat/{-$sessionId}"
            params={{ sessionId: interaction.sessionId }}
            className="min-w-0 flex-1 basis-40 truncate text-accent underline-offset-2 hover:underline"
          >
            {interaction.sessionTitle ?? 'Untitled chat'}
          </Link>
          <span className="ml-auto flex gap-3 whitespace-nowrap max-sm:ml-0">
            <span>
              asked <Time at={interaction.createdAt} />
            </span>
            <span title={`Until ${exactTime(interaction.expiresAt)}`}>
              {remaining > 0 ? `${remainingOf(remaining)} left` : 'expired'}
            </span>
          </span>
        </div>
        <Question interaction={interaction} onAnswer={answer} isOver={remaining <= 0} />
      </td>
    </tr>
  );
}

const DAY_MS = 86_400_000;

const remainingOf = (ms: number): string => {
  const days = Math.floor(ms / DAY_MS);
  if (days === 0) return duration(ms);
  return days === 1 ? '1 day' : `${days} days`;
};
