import { type ReactNode, useState } from 'react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { type Agent, type NewAgent, SwitchyardError } from '@switchyard/client';
import { History, MessageSquare, Trash2 } from 'lucide-react';
import { NotFound } from '../../frame/not-found';
import { useClient, useMay, useSession } from '../../session/session-context';
import { Badge } from '../../ui/badge';
import { Button } from '../../ui/button';
import { ConfirmDialog } from '../../ui/dialog';
import { isNotFound } from '../../ui/errors';
import { Page } from '../../ui/page';
import { ErrorState, Loading } from '../../ui/states';
import { toast } from '../../ui/toast';
import { UnsavedDialog } from '../../ui/unsaved-dialog';
import { AgentFields } from './agent-fields';
import { AgentVersions } from './agent-versions';
import { CallIt } from './call-it';
import { type AgentDraft, brokenFields, changesOf, draftOf, emptyDraft } from './agent-form';

const crumbs = [{ label: 'Agents', to: '/agents' }];

export function AgentPage(): ReactNode {
  const { agentId = '' }: { agentId?: string } = useParams({ strict: false });
  const client = useClient();
  const isNew = agentId === 'new';
  const { data, error, refetch } = useQuery({
    queryKey: ['agent', agentId],
    queryFn: () => client.agents.get(agentId),
    enabled: !isNew,
  });
  if (error) return isNotFound(error) ? <NotFound /> : <ErrorState error={error} onRetry={() => void refetch()} />;
  if (isNew) return <Editor key="new" agent={null} />;
  if (!data)
    return (
      <Page title="Agent" crumbs={crumbs}>
        <Loading label="Loading the agent" lines={8} />
      </Page>
    );
  return <Editor key={`${data.id}-${data.version}`} agent={data} />;
}

function Editor({ agent }: { agent: Agent | null }): ReactNode {
  const client = useClient();
  const { user } = useSession();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const isMember = useMay('MEMBER');
  const isAdmin = useMay('ADMIN');
  const mayWrite = agent === null ? isMember : !agent.system && (isAdmin || (isMember && agent.createdBy === user.id));
  const [before] = useState<AgentDraft>(agent ? draftOf(agent) : emptyDraft);
  const [draft, setDraft] = useState(before);
  const [open, setOpen] = useState<'versions' | 'delete' | null>(null);
  const [isLeaving, setLeaving] = useState(false);
  const isDirty = !isLeaving && JSON.stringify(draft) !== JSON.stringify(before);
  const broken = brokenFields(draft);
  const save = useMutation({
    mutationFn: async (): Promise<Agent> => {
      const changes = changesOf(
        draft,
        agent ? before : { ...emptyDraft, name: ' ', systemPrompt: ' ', model: ' ' },
        agent?.settings ?? {},
      );
      return agent
        ? client.agents.update(agent.id, changes, { ifVersion: agent.version })
        : client.agents.create(changes as NewAgent, { idempotencyKey: crypto.randomUUID() });
    },
    onSuccess: async (saved) => {
      setLeaving(true);
      queries.setQueryData(['agent', saved.id], saved);
      toast.done(agent ? `Saved as version ${saved.version}.` : `“${saved.name}” is made.`);
      await queries.invalidateQueries({ queryKey: ['agents'] });
      if (!agent) await navigate({ to: `/agents/${saved.id}`, ignoreBlocker: true });
    },
  });
  const remove = async (): Promise<void> => {
    if (!agent) return;
    await client.agents.remove(agent.id);
    setLeaving(true);
    await queries.invalidateQueries({ queryKey: ['agents'] });
    await navigate({ to: '/agents', ignoreBlocker: true });
  };
  return (
    <Page
      title={agent?.name ?? 'New agent'}
      crumbs={crumbs}
      aside={
        agent && (
          <>
            <Badge>version {agent.version}</Badge>
            {agent.system && <Badge tone="busy">built in</Badge>}
          </>
        )
      }
      actions={
        <>
          {agent && (
            <>
              <Link
                to="/chat/{-$sessionId}"
                search={{ agent: agent.id }}
                className="inline-flex min-h-8.5 items-center gap-2 rounded-lg border border-line-strong bg-surface px-3 shadow-card hover:bg-sunken"
              >
                <MessageSquare className="size-4" aria-hidden="true" /> Try it
              </Link>
              {!agent.system && (
                <Button icon={<History className="size-4" aria-hidden="true" />} onClick={() => setOpen('versions')}>
                  Versions
                </Button>
              )}
              {mayWrite && (
                <Button
                  look="danger"
                  icon={<Trash2 className="size-4" aria-hidden="true" />}
                  onClick={() => setOpen('delete')}
                >
                  Delete
                </Button>
              )}
            </>
          )}
          {mayWrite && (
            <Button
              look="primary"
              disabled={(agent !== null && !isDirty) || broken.length > 0}
              isBusy={save.isPending}
              onClick={() => save.mutate()}
            >
              Save
            </Button>
          )}
        </>
      }
    >
      {save.error && (
        <p role="alert" className="mb-4 rounded-lg bg-bad-soft px-4 py-3 break-words text-bad">
          {save.error instanceof SwitchyardError && save.error.status === 412
            ? 'Somebody has saved this agent since you opened it. Open it again to see their version; what you wrote is still here.'
            : save.error.message}
        </p>
      )}
      <AgentFields draft={draft} setDraft={setDraft} broken={broken} problem={save.error} isReadOnly={!mayWrite} />
      {agent && <CallIt agent={agent} />}
      {agent && open === 'versions' && (
        <AgentVersions agent={agent} mayRestore={mayWrite} onClose={() => setOpen(null)} />
      )}
      <ConfirmDialog open={open === 'delete'} onClose={() => setOpen(null)} deed="Delete agent" onConfirm={remove}>
        “{agent?.name}” goes, with all its versions. Its chats stay readable.
      </ConfirmDialog>
      <UnsavedDialog isDirty={isDirty} />
    </Page>
  );
}
