import { type ReactNode, useState } from 'react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Agent } from '@switchyard/client';
import { useList } from '../../api/use-list';
import { useClient } from '../../session/session-context';
import { Button } from '../../ui/button';
import { Dialog } from '../../ui/dialog';
import { Json } from '../../ui/json';
import { ErrorState, Loading } from '../../ui/states';
import { Time } from '../../ui/time';
import { toast } from '../../ui/toast';

interface Props {
  agent: Agent;
  mayRestore: boolean;
  onClose: () => void;
}

/** Every version; what is different in it from the one that counts now is read when it is opened. */
export function AgentVersions({ agent, mayRestore, onClose }: Props): ReactNode {
  const client = useClient();
  const queries = useQueryClient();
  const list = useList(['agent', agent.id, 'versions'], (cursor) =>
    client.agents.versions(agent.id, { limit: 50, cursor }),
  );
  const restore = useMutation({
    mutationFn: (version: number) => client.agents.restore(agent.id, version),
    onSuccess: (restored) => {
      queries.setQueryData(['agent', agent.id], restored);
      toast.done(`Restored as version ${restored.version}.`);
      onClose();
    },
    onError: toast.failed,
  });
  return (
    <Dialog open onClose={onClose} title="Versions" wide>
      {list.isLoading && <Loading label="Loading versions" />}
      {list.error && <ErrorState error={list.error} onRetry={list.retry} />}
      <ol className="grid gap-2">
        {list.rows.map((version) => {
          const isCurrent = version.version === agent.version;
          return (
            <li key={version.version} className="rounded-lg border border-line">
              <div className="flex flex-wrap items-center gap-3 px-3 py-2">
                <span className="font-medium">Version {version.version}</span>
                <span className="flex-1 text-sm text-faint">
                  <Time at={version.createdAt} />
                </span>
                {isCurrent ? (
                  <span className="text-sm text-faint">current</span>
                ) : (
                  mayRestore && (
                    <Button size="small" isBusy={restore.isPending} onClick={() => restore.mutate(version.version)}>
                      Restore
                    </Button>
                  )
                )}
              </div>
              {!isCurrent && <VersionDifferences agent={agent} version={version.version} />}
            </li>
          );
        })}
      </ol>
    </Dialog>
  );
}

function VersionDifferences({ agent, version }: { agent: Agent; version: number }): ReactNode {
  const client = useClient();
  const [isOpen, setOpen] = useState(false);
  const stored = useQuery({
    queryKey: ['agent', agent.id, 'version', version],
    queryFn: () => client.agents.version(agent.id, version),
    enabled: isOpen,
    staleTime: Infinity,
  });
  const changed = stored.data ? differences(agent, stored.data.agent) : [];
  return (
    <details className="border-t border-line" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="px-3 py-1.5 text-sm text-soft">What is different</summary>
      {stored.isLoading && <Loading label="Loading the version" />}
      {stored.error && <ErrorState error={stored.error} onRetry={() => void stored.refetch()} />}
      {stored.data && changed.length === 0 && <p className="p-3 text-sm text-faint">Nothing.</p>}
      <div className="grid gap-3 p-3">
        {changed.map(({ field, then, now }) => (
          <div key={field} className="grid gap-2 sm:grid-cols-2">
            <div>
              <p className="mb-1 text-xs text-faint">{field}, then</p>
              <Json label={`${field} then`} value={then} />
            </div>
            <div>
              <p className="mb-1 text-xs text-faint">{field}, now</p>
              <Json label={`${field} now`} value={now} />
            </div>
          </div>
        ))}
      </div>
    </details>
  );
}

const OWN = new Set(['id', 'version', 'createdAt', 'updatedAt', 'createdBy']);

function differences(now: object, then: object): { field: string; then: unknown; now: unknown }[] {
  const current = now as Record<string, unknown>;
  return Object.entries(then as Record<string, unknown>)
    .filter(
      ([field, value]) =>
        !OWN.has(field) && field in current && JSON.stringify(value) !== JSON.stringify(current[field]),
    )
    .map(([field, value]) => ({ field, then: value, now: current[field] }));
}
