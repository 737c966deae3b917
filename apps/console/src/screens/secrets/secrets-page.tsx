import { type ReactNode, useState } from 'react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { Secret } from '@switchyard/client';
import { Plus, Shield } from 'lucide-react';
import { isBlank, useList } from '../../api/use-list';
import { useClient, useMay } from '../../session/session-context';
import { Button } from '../../ui/button';
import { ConfirmDialog } from '../../ui/dialog';
import { CheckField } from '../../ui/field';
import { Page } from '../../ui/page';
import { Empty } from '../../ui/states';
import { type Column, Table } from '../../ui/table';
import { Time } from '../../ui/time';
import { toast } from '../../ui/toast';
import { SecretForm } from './secret-form';

type Chosen = { action: 'change' | 'delete'; secret: Secret } | null;

export function SecretsPage(): ReactNode {
  const client = useClient();
  const mayWrite = useMay('ADMIN');
  const [isNew, setNew] = useState(false);
  const [chosen, setChosen] = useState<Chosen>(null);
  const list = useList(['secrets', 'list'], (cursor) =>
    client.secrets.list({ limit: 100, ...(cursor ? { cursor } : {}) }),
  );
  const newSecret = mayWrite && (
    <Button look="primary" icon={<Plus className="size-4" aria-hidden="true" />} onClick={() => setNew(true)}>
      Create secret
    </Button>
  );
  const columns: Column<Secret>[] = [
    {
      name: 'Name',
      cell: ({ name, description }) => (
        <span title={description ?? undefined}>
          <span className="block truncate font-mono text-sm font-medium stacked:whitespace-normal">{name}</span>
          {description !== null && (
            <span className="block truncate text-sm text-soft stacked:whitespace-normal">{description}</span>
          )}
        </span>
      ),
    },
    {
      name: 'Allowed hosts',
      cell: ({ hosts }) => <span className="text-soft">{hosts.length === 0 ? 'Any host' : hosts.join(', ')}</span>,
    },
    { name: 'Changed', width: '8rem', cell: ({ updatedAt }) => <Time at={updatedAt} /> },
    {
      name: 'Last used',
      width: '8rem',
      cell: ({ lastUsedAt }) => (lastUsedAt === null ? 'Never' : <Time at={lastUsedAt} />),
    },
    ...(mayWrite
      ? [
          {
            name: 'Actions',
            saysItself: true,
            width: '11rem',
            align: 'right' as const,
            cell: (secret: Secret) => (
              <span className="inline-flex gap-1">
                <Button size="small" onClick={() => setChosen({ action: 'change', secret })}>
                  Change
                </Button>
                <Button size="small" look="danger" onClick={() => setChosen({ action: 'delete', secret })}>
                  Delete
                </Button>
              </span>
            ),
          },
        ]
      : []),
  ];
  return (
    <Page
      title="Secrets"
      description="Values that tasks and agents send to other services. A stored value cannot be read again."
      actions={!isBlank(list) && newSecret}
    >
      <Table
        name="Secrets"
        list={list}
        columns={columns}
        keyOf={({ id }) => id}
        empty={
          <Empty
            title="No secrets yet"
            icon={<Shield className="size-5" aria-hidden="true" />}
            action={isBlank(list) && newSecret}
          >
            Keep a token here and write {'{{ secrets.NAME }}'} in the headers of a step or of an MCP server. The value
            is never shown.
          </Empty>
        }
      />
      <SecretForm open={isNew} secret={null} onClose={() => setNew(false)} />
      <SecretForm
        open={chosen?.action === 'change'}
        secret={chosen?.action === 'change' ? chosen.secret : null}
        onClose={() => setChosen(null)}
      />
      {chosen?.action === 'delete' && (
        <DeleteSecret key={chosen.secret.id} secret={chosen.secret} onClose={() => setChosen(null)} />
      )}
    </Page>
  );
}

/** Mounted for one secret: what was ticked for another does not count for it. */
function DeleteSecret({ secret, onClose }: { secret: Secret; onClose: () => void }): ReactNode {
  const client = useClient();
  const queries = useQueryClient();
  const [isForced, setForced] = useState(false);
  const found = useQuery({
    queryKey: ['secrets', secret.id, 'users'],
    queryFn: () => client.secrets.get(secret.id),
  });
  const users = found.data?.usedBy ?? [];
  const remove = async (): Promise<void> => {
    await client.secrets.remove(secret.id, { force: isForced });
    toast.done(`${secret.name} deleted.`);
    await queries.invalidateQueries({ queryKey: ['secrets'] });
  };
  return (
    <ConfirmDialog open onClose={onClose} action="Delete secret" onConfirm={remove}>
      <p className="mb-3">{secret.name} and its value are deleted. This cannot be undone.</p>
      {users.length > 0 && (
        <>
          <p>In use by:</p>
          <ul className="my-2 list-disc pl-5">
            {users.map(({ kind, id, name }) => (
              <li key={id}>
                {name} ({kind})
              </li>
            ))}
          </ul>
          <CheckField label="Delete even though it is in use" checked={isForced} onChange={setForced} />
        </>
      )}
    </ConfirmDialog>
  );
}
