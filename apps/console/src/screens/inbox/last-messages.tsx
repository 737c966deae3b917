import type { ReactNode } from 'react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Message } from '@switchyard/client';
import { useClient } from '../../session/session-context';
import { RetryNote } from '../../ui/note';

const COUNT = 3;
/** Results of tools and events stand between messages. */
const READ = 15;

export const textOf = ({ content }: Pick<Message, 'content'>): string =>
  content.flatMap(({ type, text }) => (type === 'text' && text ? [text] : [])).join('\n');

interface Props {
  sessionId: string;
  title: string | null;
  agent: string;
  /** The user of the chat, as others call them. */
  user: string;
  isSeen: boolean;
}

/** How it came to a question: the last messages of its chat. */
export function LastMessages({ sessionId, title, agent, user, isSeen }: Props): ReactNode {
  const client = useClient();
  const query = useQuery({
    queryKey: ['messages', sessionId, 'last'],
    queryFn: async () => {
      const { messageCount } = await client.sessions.get(sessionId);
      const after = Math.max(0, messageCount - READ);
      const { items } = await client.sessions.messages(sessionId, { after, limit: 100 });
      const withText = items.filter((one) => one.role !== 'tool' && one.role !== 'event' && textOf(one) !== '');
      return withText.slice(-COUNT);
    },
    enabled: isSeen,
    retry: false,
  });
  return (
    <div role="group" aria-label="Last messages" className="min-w-0">
      <p className="flex flex-wrap items-baseline gap-x-2 text-xs text-faint">
        Last messages of
        <Link
          to="/chat/{-$sessionId}"
          params={{ sessionId }}
          className="min-w-0 text-sm wrap-anywhere text-accent underline-offset-2 hover:underline"
        >
          {title ?? 'Untitled chat'}
        </Link>
      </p>
      {query.error && (
        <RetryNote
          tone="warn"
          action="Refresh"
          error={query.error}
          onRetry={() => void query.refetch()}
          className="mt-2"
        />
      )}
      {query.isPending && <div className="shimmer mt-2 h-20" role="status" aria-label="Loading the messages" />}
      {query.data?.length === 0 && <p className="mt-2 text-sm text-soft">No messages yet.</p>}
      <ul className="mt-2 grid gap-2">
        {query.data?.map((message) => (
          <li key={message.id} className="border-l-2 border-line-strong pl-3 text-sm">
            <p className="text-xs text-faint">{message.role === 'user' ? user : agent}</p>
            <p className="line-clamp-3 wrap-anywhere" dir="auto">
              {textOf(message)}
            </p>
          </li>
        ))}
      </ul>
    </div>
  );
}
