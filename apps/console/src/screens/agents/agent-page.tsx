import { type ReactNode, lazy, useState } from 'react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { type Agent, type NewAgent, SwitchyardError } from '@switchyard/client';
import { History, MessageSquare, Trash2 } from 'lucide-react';
import { useDraft } from '../../api/use-draft';
import { useIdempotencyKey } from '../../api/use-idempotency-key';
import { useClient, useMay, useSession } from '../../session/session-context';
import { Badge } from '../../ui/badge';
import { Button } from '../../ui/button';
import { ConfirmDialog } from '../../ui/dialog';
import { LazyPart } from '../../ui/lazy-part';
import { NewerVersion } from '../../ui/newer-version';
import { Refusal } from '../../ui/note';
import { Page } from '../../ui/page';
import { RecordOf } from '../../ui/record';
import { toast } from '../../ui/toast';
import { UnsavedDialog } from '../../ui/unsaved-dialog';
import { useMedia } from '../../ui/use-media';
import { AgentFields } from './agent-fields';
import { AgentLatency } from './agent-latency';
import { AgentMemories } from './agent-memories';
import { AgentUsage } from './agent-usage';
import { AgentVersions } from './agent-versions';
import { CallExamples } from './call-examples';
import { type AgentDraft, brokenFields, changesOf, draftOf, emptyDraft } from './agent-form';
import { McpTools } from './mcp-tools';
import { MissingModel } from './missing-model';

const TrialChat = lazy(async () => ({ default: (await import('./trial-chat')).TrialChat }));

const crumbs = [{ label: 'Agents', to: '/agents' }];

export function AgentPage(): ReactNode {
  const { agentId = '' }: { agentId?: string } = useParams({ strict: false });
  const client = useClient();
  const isNew = agentId === 'new';
  const query = useQuery({
    queryKey: ['agent', agentId],
    queryFn: () => client.agents.get(agentId),
    enabled: !isNew,
  });
  if (isNew) return <Editor key="new" agent={null} />;
  return (
    <RecordOf query={query} noun="agent" crumbs={crumbs}>
      {(agent) => <Editor key={agent.id} agent={agent} />}
    </RecordOf>
  );
}

const isConflict = (error: unknown): boolean => error instanceof SwitchyardError && error.status === 412;
const agentDraftOf = (agent: Agent | null): AgentDraft => (agent ? draftOf(agent) : emptyDraft);

function Editor({ agent }: { agent: Agent | null }): ReactNode {
  const client = useClient();
  const { user } = useSession();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const isMember = useMay('MEMBER');
  const isAdmin = useMay('ADMIN');
  const mayWrite = agent === null ? isMember : !agent.system && (isAdmin || (isMember && agent.createdBy === user.id));
  const keys = useIdempotencyKey();
  const form = useDraft(agent, agentDraftOf);
  const { draft, before, isDirty } = form;
  const [open, setOpen] = useState<'versions' | 'delete' | 'trial' | null>(null);
  const broken = brokenFields(draft);
  const isPhone = useMedia('(width < 40rem)');
  const save = useMutation({
    mutationFn: async (): Promise<Agent> => {
      const changes = changesOf(draft, agent ? before : { ...emptyDraft, name: ' ', systemPrompt: ' ', model: ' ' });
      return agent
        ? client.agents.update(agent.id, changes, { ifVersion: form.version ?? agent.version })
        : client.agents.create(changes as NewAgent, { idempotencyKey: keys.keyFor(changes) });
    },
    onError: (error) => {
      // The newer version is read, to be chosen or replaced.
      if (isConflict(error)) void queries.invalidateQueries({ queryKey: ['agent', agent?.id] });
    },
    onSuccess: async (saved) => {
      if (agent) form.saved(saved);
      else form.leave();
      queries.setQueryData(['agent', saved.id], saved);
      toast.done(agent ? `Saved as version ${saved.version}.` : `Agent “${saved.name}” created.`);
      await queries.invalidateQueries({ queryKey: ['agents'] });
      if (!agent) await navigate({ to: `/agents/${saved.id}`, ignoreBlocker: true });
    },
  });
  const remove = async (): Promise<void> => {
    if (!agent) return;
    await client.agents.remove(agent.id);
    form.leave();
    await queries.invalidateQueries({ queryKey: ['agents'] });
    await navigate({ to: '/agents', ignoreBlocker: true });
  };
  return (
    <>
      {/* Beside the trial the form keeps its buttons; on a phone the trial covers it. */}
      <div inert={isPhone && open === 'trial'} className={open === 'trial' ? 'xl:pr-112' : ''}>
        <Page
          title={agent?.name ?? 'Create agent'}
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
                  <Button
                    icon={<MessageSquare className="size-4" aria-hidden="true" />}
                    aria-expanded={open === 'trial'}
                    onClick={() => setOpen(open === 'trial' ? null : 'trial')}
                  >
                    Try it
                  </Button>
                  {!agent.system && (
                    <Button
                      icon={<History className="size-4" aria-hidden="true" />}
                      onClick={() => setOpen('versions')}
                    >
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
                  {agent ? 'Save' : 'Create agent'}
                </Button>
              )}
            </>
          }
        >
          <NewerVersion of={form} noun="agent" />
          {!isConflict(save.error) && <Refusal error={save.error} className="mb-4" />}
          <MissingModel agent={agent ?? undefined} className="mb-4" />
          <AgentFields
            agent={agent}
            draft={draft}
            setDraft={form.set}
            broken={broken}
            problem={save.error}
            isReadOnly={!mayWrite}
          />
          {agent && agent.mcpServers.length > 0 && <McpTools agent={agent} mayApprove={mayWrite} />}
          {agent && <AgentMemories agentId={agent.id} />}
          {agent && <AgentLatency agentId={agent.id} />}
          {agent && <AgentUsage agentId={agent.id} />}
          {agent && <CallExamples agent={agent} />}
          {agent && open === 'versions' && (
            <AgentVersions agent={agent} mayRestore={mayWrite} onClose={() => setOpen(null)} />
          )}
          <ConfirmDialog
            open={open === 'delete'}
            onClose={() => setOpen(null)}
            action="Delete agent"
            onConfirm={remove}
          >
            Deletes “{agent?.name}” and all its versions. Its chats stay readable.
          </ConfirmDialog>
          <UnsavedDialog isDirty={isDirty} />
        </Page>
      </div>
      {agent && open === 'trial' && (
        <LazyPart name="The trial">
          <TrialChat key={agent.id} agent={agent} hasChanges={isDirty} onClose={() => setOpen(null)} />
        </LazyPart>
      )}
    </>
  );
}
