import { type ReactNode, useEffect } from 'react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useFilters } from '../../api/use-filters';
import { useClient } from '../../session/session-context';
import { NotFound } from '../../frame/not-found';
import { isNotFound } from '../../ui/errors';
import { Page } from '../../ui/page';
import { ErrorState, Loading } from '../../ui/states';
import { Chat } from './chat';
import { chatSearch } from './search-params';
import { Sessions } from './sessions';

/** Without a name it opens the latest chat; where there is none, or one is asked for, a new one. */
export function ChatPage(): ReactNode {
  const client = useClient();
  const navigate = useNavigate();
  const { sessionId }: { sessionId?: string } = useParams({ strict: false });
  const [{ new: isNew, agent }] = useFilters(chatSearch);
  const wantsLatest = sessionId === undefined && isNew === undefined && agent === undefined;
  const latest = useQuery({
    queryKey: ['sessions', 'latest'],
    queryFn: () => client.sessions.list({ limit: 1 }),
    enabled: wantsLatest,
    gcTime: 0,
  });
  const newest = latest.data?.items[0]?.id;
  useEffect(() => {
    if (wantsLatest && newest !== undefined)
      void navigate({ to: '/chat/{-$sessionId}', params: { sessionId: newest }, replace: true });
  }, [wantsLatest, newest, navigate]);
  const session = useQuery({
    queryKey: ['session', sessionId],
    queryFn: () => client.sessions.get(sessionId ?? ''),
    enabled: sessionId !== undefined,
  });
  // With a chat on the page a failed reading changes nothing: what was written and what streams stay.
  if (isNotFound(session.error)) return <NotFound />;
  if (session.error && !session.data)
    return (
      <Page title="Chat">
        <ErrorState error={session.error} onRetry={() => void session.refetch()} />
      </Page>
    );
  const isFinding = wantsLatest && (latest.isPending || newest !== undefined);
  return (
    <div className="flex h-full min-h-0">
      <div className="hidden w-64 shrink-0 border-r border-line bg-surface/60 md:block">
        <Sessions chosen={sessionId} />
      </div>
      {isFinding ? (
        <div className="flex-1">
          <h1 className="sr-only">Chat</h1>
          <Loading label="Loading the chat" />
        </div>
      ) : (
        <Chat sessionId={sessionId} session={session.data} startWith={agent} />
      )}
    </div>
  );
}
