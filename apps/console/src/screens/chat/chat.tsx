import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { ConnectionError, type ContentItem, type Session } from '@switchyard/client';
import { MessagesSquare, Rows3, Unplug } from 'lucide-react';
import { useActivity } from '../../api/activity-context';
import { useTurn } from '../../api/use-turn';
import { useClient, useMay } from '../../session/session-context';
import { Button } from '../../ui/button';
import { Dialog } from '../../ui/dialog';
import { Loading } from '../../ui/states';
import { toast } from '../../ui/toast';
import { collectAll } from '../../api/collect-all';
import { MissingModel } from '../agents/missing-model';
import { AgentChoice, useAgentChoice } from './agent-choice';
import { Composer } from './composer';
import { ContextMeter } from './context-meter';
import { Frames } from './frames';
import { Sessions, titleOf } from './sessions';
import { entriesOf } from './stored-blocks';
import { Transcript } from './transcript';
import { emptyDraft, useMessageDraft } from './use-message-draft';

interface Props {
  sessionId: string | undefined;
  session: Session | undefined;
  startWith: string | undefined;
}

const WORDS = { none: '', connected: '', reconnecting: 'Reconnecting', restored: 'Connected again' } as const;
const LOOK_AGAIN_MS = 5_000;
/** The draft of a chat that has not begun. */
const NEW = 'new';

export function Chat({ sessionId, session, startWith }: Props): ReactNode {
  const client = useClient();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const mayFork = useMay('MEMBER');
  const { draft, setDraft, setDraftOf, moveDraft } = useMessageDraft(sessionId ?? NEW);
  const [open, setOpen] = useState<'frames' | 'sessions' | null>(null);
  const choice = useAgentChoice(session?.agentId ?? startWith ?? null);
  const turns = useTurn();
  const { turn, attach, forget, isReading } = turns;
  const live = turn?.live;
  const messages = useQuery({
    queryKey: ['messages', sessionId],
    queryFn: () => collectAll(client.sessions.transcript(sessionId ?? '')),
    enabled: sessionId !== undefined,
  });
  const agentId = session?.agentId ?? choice.agentId;
  const isWaiting = live?.status === 'WAITING_INPUT';

  const liveSession = live?.sessionId ?? null;
  const turnSession = liveSession ?? turn?.sessionId ?? null;
  /** The turn that a new chat begins with, until the chat has its address. */
  const beginning = useRef<string | null>(null);
  const named = useRef<string | null>(null);
  useEffect(() => {
    if (!turn) return;
    const here = sessionId ?? null;
    if (turnSession !== null && turnSession === here) beginning.current = null;
    else if (here === null && beginning.current === turn.turnId) {
      if (turnSession === null || named.current === turn.turnId) return;
      named.current = turn.turnId;
      moveDraft(NEW, turnSession);
      void navigate({ to: '/chat/{-$sessionId}', params: { sessionId: turnSession }, search: {}, replace: true });
      void queries.invalidateQueries({ queryKey: ['sessions'] });
    } else if (turnSession !== here) {
      // Another chat: the stream of the one before is left.
      beginning.current = null;
      forget();
    }
  }, [turn, turnSession, sessionId, forget, navigate, queries, moveDraft]);

  // A turn that runs is taken up where the page was left, lost or reloaded.
  const activeTurnId = session?.activeTurnId ?? null;
  const sessionAgent = session?.agentId ?? null;
  useEffect(() => {
    if (activeTurnId === null || sessionAgent === null || isReading || turn?.turnId === activeTurnId) return;
    void attach({ agentId: sessionAgent, turnId: activeTurnId, sessionId: sessionId ?? null });
  }, [activeTurnId, sessionAgent, sessionId, isReading, turn?.turnId, attach]);

  // The client gives up after a while without a network: it goes on when that is back, or when one asks for it.
  const isCutOff = turn !== null && !isReading && turns.error instanceof ConnectionError && live?.status === 'RUNNING';
  const reconnect = isCutOff && turn.isAccepted ? () => void attach(turn) : null;
  const latestReconnect = useRef(reconnect);
  useEffect(() => {
    latestReconnect.current = reconnect;
  });
  useEffect(() => {
    const back = (): void => {
      if (document.visibilityState === 'visible') latestReconnect.current?.();
    };
    window.addEventListener('online', back);
    document.addEventListener('visibilitychange', back);
    return () => {
      window.removeEventListener('online', back);
      document.removeEventListener('visibilitychange', back);
    };
  }, []);

  const ended = live?.status !== 'RUNNING' && !isReading;
  useEffect(() => {
    if (!ended || sessionId === undefined || turn === null) return;
    for (const key of ['messages', 'session', 'context'])
      void queries.invalidateQueries({ queryKey: [key, sessionId] });
    void queries.invalidateQueries({ queryKey: ['sessions'] });
  }, [ended, sessionId, turn, queries]);

  // The question can be answered in another window: then attach to the stream again.
  const look = (): void => {
    if (!turn || !isWaiting || isReading) return;
    const follow = async (): Promise<void> => {
      const { status } = await client.turns.get(turn);
      if (status !== 'WAITING_INPUT') await attach(turn);
    };
    // It is looked at again in a moment.
    void follow().catch(() => undefined);
  };
  useActivity((row) => {
    if (row !== null && row.id === turn?.turnId) look();
    if (row !== null && row.sessionId === sessionId && row.id !== turn?.turnId)
      void queries.invalidateQueries({ queryKey: ['session', sessionId] });
  });
  useEffect(() => {
    if (!isWaiting) return;
    const timer = setInterval(look, LOOK_AGAIN_MS);
    return () => clearInterval(timer);
  });

  const send = async (contents: ContentItem[]): Promise<void> => {
    if (agentId === null) return;
    const sent = draft;
    const request = sessionId ?? NEW;
    setDraft(emptyDraft);
    // The turn before this one is shown from its frames until now, and from what is stored from here on.
    if (sessionId !== undefined) await queries.refetchQueries({ queryKey: ['messages', sessionId] });
    const asking = turns.ask({ agentId, sessionId: sessionId ?? null, contents });
    beginning.current = sessionId === undefined ? turns.turnId() : null;
    // A refused message returns to the input, unless it has new text.
    if (!(await asking)) setDraftOf(request, (now) => (now.text === '' && now.attachments.length === 0 ? sent : now));
  };
  const edit = async (text: string, before: string | null): Promise<void> => {
    try {
      const to =
        before === null || sessionId === undefined
          ? undefined
          : await client.sessions.fork(sessionId, { fromMessageId: before });
      forget();
      await queries.invalidateQueries({ queryKey: ['sessions'] });
      await navigate({
        to: '/chat/{-$sessionId}',
        params: { sessionId: to?.id },
        search: to ? {} : { new: '1', agent: agentId ?? undefined },
      });
      setDraftOf(to?.id ?? NEW, () => ({ ...emptyDraft, text }));
    } catch (error) {
      toast.failed(error);
    }
  };
  const stored = (messages.data ?? []).filter(({ turnId, role }) => turnId !== turn?.turnId || role === 'user');
  const title = session
    ? titleOf(session, choice.nameOf(session.agentId))
    : sessionId === undefined
      ? 'Chat'
      : 'Loading';
  useEffect(() => {
    document.title = `${title} · Switchyard`;
  }, [title]);
  return (
    <div className="flex min-w-0 flex-1">
      <div className="flex min-w-0 flex-1 flex-col">
        <header className="flex flex-wrap items-center gap-2 border-b border-line px-4 py-2">
          <Button
            look="ghost"
            size="small"
            className="md:hidden"
            aria-label="Chats"
            icon={<MessagesSquare className="size-4" />}
            onClick={() => setOpen('sessions')}
          />
          <div className="min-w-0 flex-1 basis-40">
            <h1 className="truncate font-semibold" dir="auto">
              {title}
            </h1>
            <p className="truncate text-xs text-faint">{choice.nameOf(agentId)}</p>
          </div>
          <div role="status" className="text-sm font-medium text-warn">
            {WORDS[turns.connection] === 'Connected again' ? (
              <span className="text-good">Connected again</span>
            ) : (
              WORDS[turns.connection]
            )}
          </div>
          {session && agentId !== null && <ContextMeter agentId={agentId} sessionId={session.id} isBusy={isReading} />}
          {isReading && (
            <Button
              size="small"
              icon={<Unplug className="size-3.5" aria-hidden="true" />}
              onClick={turns.breakConnection}
            >
              Break connection
            </Button>
          )}
          <Button
            size="small"
            aria-pressed={open === 'frames'}
            icon={<Rows3 className="size-3.5" aria-hidden="true" />}
            onClick={() => setOpen(open === 'frames' ? null : 'frames')}
          >
            Frames
          </Button>
        </header>
        {sessionId !== undefined && messages.isPending ? (
          <div className="flex-1">
            <Loading label="Loading the transcript" lines={6} />
          </div>
        ) : (
          <Transcript
            entries={entriesOf(stored)}
            turn={turn}
            error={turns.error ?? messages.error}
            onReconnect={reconnect}
            isReading={isReading}
            onAnswer={(interaction, answer) => turns.answer(interaction, answer)}
            onEdit={mayFork ? (text, before) => void edit(text, before) : null}
          />
        )}
        <div className="border-t border-line bg-surface/70 px-4 py-3">
          <div className="mx-auto max-w-3xl">
            {sessionId === undefined && <AgentChoice choice={choice} />}
            <MissingModel agent={choice.agentOf(agentId)} className="mb-3" />
            <Composer
              draft={draft}
              setDraft={setDraft}
              attach={(attachments) =>
                setDraftOf(sessionId ?? NEW, (now) => ({ ...now, attachments: [...now.attachments, ...attachments] }))
              }
              isBusy={isReading}
              blockedBy={
                agentId === null ? 'Choose an agent first' : isWaiting ? 'Answer the question above first' : null
              }
              onSend={(contents) => void send(contents)}
              onStop={turnSession === null ? null : () => void turns.stop(turnSession).catch(toast.failed)}
            />
          </div>
        </div>
      </div>
      {open === 'frames' && <Frames frames={live?.frames ?? []} onClose={() => setOpen(null)} />}
      <Dialog open={open === 'sessions'} onClose={() => setOpen(null)} title="Chats">
        <div className="h-[60dvh]">
          <Sessions chosen={sessionId} onLeave={() => setOpen(null)} />
        </div>
      </Dialog>
    </div>
  );
}
