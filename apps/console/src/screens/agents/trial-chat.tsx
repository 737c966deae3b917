import { type ReactNode, useEffect, useState } from 'react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Agent, ContentItem } from '@switchyard/client';
import { X } from 'lucide-react';
import { collectAll } from '../../api/collect-all';
import { useTurn } from '../../api/use-turn';
import { useClient } from '../../session/session-context';
import { Button } from '../../ui/button';
import { toast } from '../../ui/toast';
import { Composer } from '../chat/composer';
import { entriesOf } from '../chat/stored-blocks';
import { Transcript } from '../chat/transcript';
import { type MessageDraft, emptyDraft } from '../chat/use-message-draft';

interface Props {
  agent: Agent;
  hasChanges: boolean;
  onClose: () => void;
}

/** A chat beside the form, with the agent as it is saved. */
export function TrialChat({ agent, hasChanges, onClose }: Props): ReactNode {
  const client = useClient();
  const queries = useQueryClient();
  const turns = useTurn();
  const { turn, isReading } = turns;
  const [draft, setDraft] = useState<MessageDraft>(emptyDraft);
  const [sessionId, setSessionId] = useState<string | null>(null);
  const live = turn?.live;
  const opened = live?.sessionId ?? null;
  if (opened !== null && opened !== sessionId) setSessionId(opened);
  const messages = useQuery({
    queryKey: ['messages', sessionId],
    queryFn: () => collectAll(client.sessions.transcript(sessionId ?? '')),
    enabled: sessionId !== null,
  });
  const hasEnded = live !== undefined && live.status !== 'RUNNING' && !isReading;
  useEffect(() => {
    if (!hasEnded || sessionId === null) return;
    void queries.invalidateQueries({ queryKey: ['messages', sessionId] });
    void queries.invalidateQueries({ queryKey: ['sessions'] });
  }, [hasEnded, sessionId, queries]);
  const send = async (contents: ContentItem[]): Promise<void> => {
    const sent = draft;
    setDraft(emptyDraft);
    // The turn before this one is shown from its frames until now, and from what is stored from here on.
    if (sessionId !== null) await queries.refetchQueries({ queryKey: ['messages', sessionId] });
    if (!(await turns.ask({ agentId: agent.id, sessionId, contents }))) setDraft(sent);
  };
  const stored = (messages.data ?? []).filter(({ turnId, role }) => turnId !== turn?.turnId || role === 'user');
  return (
    <section
      aria-label="Try it"
      className="fixed top-12 right-0 bottom-0 z-30 flex w-full max-w-md flex-col border-l border-line bg-surface shadow-high"
    >
      <header className="flex flex-wrap items-center gap-2 border-b border-line px-4 py-2.5">
        <h2 className="min-w-0 flex-1 truncate font-semibold" dir="auto">
          {agent.name} <span className="text-sm font-normal text-faint">version {agent.version}</span>
        </h2>
        {sessionId !== null && (
          <Link
            to="/chat/{-$sessionId}"
            params={{ sessionId }}
            className="text-sm text-accent underline-offset-2 hover:underline"
          >
            Open in Chat
          </Link>
        )}
        <Button
          look="ghost"
          size="small"
          aria-label="Close the trial"
          icon={<X className="size-4" />}
          onClick={onClose}
        />
      </header>
      {hasChanges && <p className="bg-warn-soft px-4 py-1.5 text-sm text-warn">Save to try your changes.</p>}
      <Transcript
        entries={entriesOf(stored)}
        turn={turn}
        error={turns.error ?? messages.error}
        onReconnect={null}
        isReading={isReading}
        onAnswer={(interaction, answer) => turns.answer(interaction, answer)}
        onEdit={null}
      />
      <div className="border-t border-line p-3">
        <Composer
          draft={draft}
          setDraft={setDraft}
          attach={(attachments) => setDraft((now) => ({ ...now, attachments: [...now.attachments, ...attachments] }))}
          isBusy={isReading}
          blockedBy={live?.status === 'WAITING_INPUT' ? 'Answer the question above first' : null}
          onSend={(contents) => void send(contents)}
          onStop={sessionId === null ? null : () => void turns.stop(sessionId).catch(toast.failed)}
        />
      </div>
    </section>
  );
}
