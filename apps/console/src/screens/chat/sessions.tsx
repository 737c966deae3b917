import { type ReactNode, useDeferredValue, useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { SessionSummary } from '@switchyard/client';
import { Ellipsis, GitFork, Pencil, SquarePen, Trash2 } from 'lucide-react';
import { topicOf } from '../../api/record-names';
import { useList } from '../../api/use-list';
import { useClient, useMay } from '../../session/session-context';
import { Button } from '../../ui/button';
import { ConfirmDialog, Dialog } from '../../ui/dialog';
import { problemOf } from '../../ui/errors';
import { TextField } from '../../ui/field';
import { Form } from '../../ui/form';
import { Menu } from '../../ui/menu';
import { ListEnd } from '../../ui/list-end';
import { ErrorState, Loading } from '../../ui/states';
import { Time } from '../../ui/time';
import { toast } from '../../ui/toast';
import { useAction } from '../../ui/use-action';
import { useAgentChoice } from './agent-choice';

/** A chat by its title, otherwise by its agent. */
export const titleOf = ({ title }: Pick<SessionSummary, 'title'>, agentName: string): string =>
  topicOf(title) || (agentName === '' ? 'Untitled chat' : `Chat with ${agentName}`);

export function Sessions({ chosen, onLeave }: { chosen: string | undefined; onLeave?: () => void }): ReactNode {
  const client = useClient();
  const navigate = useNavigate();
  const [typed, setTyped] = useState('');
  const q = useDeferredValue(typed.trim());
  const { nameOf } = useAgentChoice(null);
  const list = useList(['sessions', q], (cursor) =>
    client.sessions.list({ limit: 40, cursor, ...(q === '' ? {} : { q }) }),
  );
  const startNew = (): void => {
    onLeave?.();
    void navigate({ to: '/chat/{-$sessionId}', params: { sessionId: undefined }, search: { new: '1' } });
  };
  return (
    <div className="flex h-full min-h-0 flex-col">
      <div className="grid gap-2 p-3">
        <Button icon={<SquarePen className="size-4" aria-hidden="true" />} onClick={startNew}>
          New chat
        </Button>
        <TextField
          label="Search chats"
          hideLabel
          placeholder="Search chats"
          type="search"
          value={typed}
          onChange={setTyped}
        />
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto px-2 pb-3">
        {list.isLoading && <Loading label="Loading chats" />}
        {list.error && list.rows.length === 0 && <ErrorState error={list.error} onRetry={list.retry} />}
        {!list.isLoading && !list.error && list.rows.length === 0 && (
          <p className="px-2 py-6 text-center text-faint">{q === '' ? 'No chats yet.' : 'No chats match.'}</p>
        )}
        <ul className="grid grid-cols-[minmax(0,1fr)] gap-px">
          {list.rows.map((session) => (
            <Row
              key={session.id}
              session={session}
              agentName={nameOf(session.agentId)}
              isChosen={session.id === chosen}
              onLeave={onLeave}
            />
          ))}
        </ul>
        {list.hasMore && !list.isLoadingMore && (
          <Button look="ghost" size="small" className="mt-1 w-full" onClick={list.loadMore}>
            Show more
          </Button>
        )}
        <ListEnd list={list} />
      </div>
    </div>
  );
}

function Row({
  session,
  agentName,
  isChosen,
  onLeave,
}: {
  session: SessionSummary;
  /** Empty until it is read. */
  agentName: string;
  isChosen: boolean;
  onLeave: (() => void) | undefined;
}): ReactNode {
  const client = useClient();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const mayWrite = useMay('MEMBER');
  const [open, setOpen] = useState<'rename' | 'delete' | null>(null);
  const close = (): void => setOpen(null);
  const title = titleOf(session, agentName);
  const fork = async (): Promise<void> => {
    try {
      const copy = await client.sessions.fork(session.id);
      await queries.invalidateQueries({ queryKey: ['sessions'] });
      await navigate({ to: '/chat/{-$sessionId}', params: { sessionId: copy.id } });
    } catch (error) {
      toast.failed(error);
    }
  };
  const remove = async (): Promise<void> => {
    await client.sessions.remove(session.id);
    if (isChosen) await navigate({ to: '/chat/{-$sessionId}', params: { sessionId: undefined } });
    await queries.invalidateQueries({ queryKey: ['sessions'] });
  };
  return (
    <li className="reveal-area relative">
      <Link
        to="/chat/{-$sessionId}"
        params={{ sessionId: session.id }}
        {...(onLeave ? { onClick: onLeave } : {})}
        aria-current={isChosen ? 'page' : undefined}
        className={`block rounded-lg py-1.5 pr-9 pl-2.5 outline-offset-[-2px] ${isChosen ? 'bg-accent-soft' : 'hover:bg-sunken'}`}
      >
        <span className="block truncate" dir="auto">
          {title}
        </span>
        <span className="flex min-w-0 items-center gap-1.5 text-xs text-faint">
          {session.activeTurnId !== null && (
            <>
              <span className="size-1.5 rounded-full bg-busy" aria-hidden="true" />
              <span>active ·</span>
            </>
          )}
          <span className="shrink-0">
            <Time at={session.lastMessageAt ?? session.createdAt} />
          </span>
          {agentName !== '' && title !== `Chat with ${agentName}` && (
            <span className="min-w-0 truncate" dir="auto">
              · {agentName}
            </span>
          )}
        </span>
      </Link>
      {mayWrite && (
        <div className="reveal absolute top-2 right-1.5">
          <Menu
            trigger={
              <Button
                look="ghost"
                size="small"
                aria-label={`More of ${title}`}
                icon={<Ellipsis className="size-4" />}
              />
            }
            items={[
              {
                label: 'Rename',
                icon: <Pencil className="size-4" aria-hidden="true" />,
                onSelect: () => setOpen('rename'),
              },
              { label: 'Fork', icon: <GitFork className="size-4" aria-hidden="true" />, onSelect: () => void fork() },
              null,
              {
                label: 'Delete',
                isDanger: true,
                icon: <Trash2 className="size-4" aria-hidden="true" />,
                onSelect: () => setOpen('delete'),
              },
            ]}
          />
        </div>
      )}
      <ConfirmDialog open={open === 'delete'} onClose={close} action="Delete chat" onConfirm={remove}>
        Deletes “{title}” and its {session.messageCount === 1 ? '1 message' : `${session.messageCount} messages`}.
      </ConfirmDialog>
      {open === 'rename' && <Rename session={session} onClose={close} />}
    </li>
  );
}

function Rename({ session, onClose }: { session: SessionSummary; onClose: () => void }): ReactNode {
  const client = useClient();
  const [title, setTitle] = useState(session.title ?? '');
  const rename = useAction(() => client.sessions.update(session.id, { title }), {
    changes: [['sessions'], ['session', session.id]],
  });
  const submit = async (): Promise<void> => {
    if (await rename.run()) onClose();
  };
  return (
    <Dialog open onClose={onClose} title="Rename chat">
      <Form submit="Save" isBusy={rename.isBusy} error={rename.error} onSubmit={submit}>
        <TextField
          label="Title"
          value={title}
          onChange={setTitle}
          problem={problemOf(rename.error, 'title')}
          required
        />
      </Form>
    </Dialog>
  );
}
