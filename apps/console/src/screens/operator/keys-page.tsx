import { type ReactNode, useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import type { NewOperatorKey, OperatorKey } from '@switchyard/client';
import { KeyRound, Plus } from 'lucide-react';
import { useIdempotencyKey } from '../../api/use-idempotency-key';
import { useList } from '../../api/use-list';
import { useSession } from '../../session/session-context';
import { StatusBadge } from '../../ui/badge';
import { Button } from '../../ui/button';
import { ConfirmDialog, Dialog } from '../../ui/dialog';
import { problemOf } from '../../ui/errors';
import { CheckField, TextField } from '../../ui/field';
import { Form } from '../../ui/form';
import { OneTimeSecret } from '../../ui/one-time-secret';
import { Empty } from '../../ui/states';
import { type Column, Table } from '../../ui/table';
import { Time } from '../../ui/time';
import { toast } from '../../ui/toast';
import { useAction } from '../../ui/use-action';
import { OperatorFrame } from './operator-frame';

/** Keys that open the operator's routes and no Space: for monitoring, billing and the command. */
export function OperatorKeysPage(): ReactNode {
  const { client } = useSession();
  const queries = useQueryClient();
  const [isNew, setNew] = useState(false);
  const [value, setValue] = useState<string | null>(null);
  const [ending, setEnding] = useState<OperatorKey | null>(null);
  const list = useList(['operator', 'keys'], (cursor) =>
    client.operator.keys({ limit: 50, ...(cursor ? { cursor } : {}) }),
  );
  const revoke = async (key: OperatorKey): Promise<void> => {
    await client.operator.revokeKey(key.id);
    toast.done(`${key.name} revoked.`);
    await queries.invalidateQueries({ queryKey: ['operator', 'keys'] });
  };
  const columns: Column<OperatorKey>[] = [
    {
      name: 'Name',
      cell: ({ name, last4 }) => (
        <span className="grid min-w-0">
          <span className="truncate font-medium stacked:whitespace-normal" dir="auto">
            {name}
          </span>
          <span className="font-mono text-xs text-faint">…{last4}</span>
        </span>
      ),
    },
    { name: 'State', saysItself: true, width: '7rem', cell: ({ status }) => <StatusBadge status={status} /> },
    { name: 'Scopes', cell: ({ scopes }) => <span className="text-sm text-soft">{scopes.join(', ')}</span> },
    {
      name: 'Last used',
      width: '7rem',
      cell: ({ lastUsedAt }) => (lastUsedAt === null ? 'Never' : <Time at={lastUsedAt} />),
    },
    {
      name: 'Actions',
      saysItself: true,
      width: '7rem',
      align: 'right',
      cell: (key) =>
        key.status === 'ACTIVE' && (
          <Button size="small" look="danger" onClick={() => setEnding(key)}>
            Revoke
          </Button>
        ),
    },
  ];
  return (
    <OperatorFrame
      description="Keys for the operator API. They give no access to Spaces."
      actions={
        <Button look="primary" icon={<Plus className="size-4" aria-hidden="true" />} onClick={() => setNew(true)}>
          Create operator key
        </Button>
      }
    >
      <Table
        name="Operator keys"
        list={list}
        columns={columns}
        keyOf={({ id }) => id}
        empty={
          <Empty title="No operator keys yet" icon={<KeyRound className="size-5" aria-hidden="true" />}>
            A monitoring or billing system sends such a key.
          </Empty>
        }
      />
      {isNew && (
        <NewKey
          onClose={() => setNew(false)}
          onMade={(made) => {
            setNew(false);
            setValue(made);
          }}
        />
      )}
      <OneTimeSecret title="Your operator key" label="Key" value={value} onDone={() => setValue(null)} />
      <ConfirmDialog
        open={ending !== null}
        onClose={() => setEnding(null)}
        action="Revoke key"
        onConfirm={async () => ending && revoke(ending)}
      >
        {ending?.name} stops working within a second. This cannot be undone.
      </ConfirmDialog>
    </OperatorFrame>
  );
}

function NewKey({ onClose, onMade }: { onClose: () => void; onMade: (value: string) => void }): ReactNode {
  const { client } = useSession();
  const keys = useIdempotencyKey();
  const [name, setName] = useState('');
  const [mayWrite, setWrite] = useState(false);
  const create = useAction(
    async () => {
      const key: NewOperatorKey = { name, scopes: [mayWrite ? 'operator:write' : 'operator:read'] };
      const made = await client.operator.createKey(key, { idempotencyKey: keys.keyFor(key) });
      keys.done();
      if (made.key === undefined)
        toast.failed('The key was created, but its value cannot be shown again. Create another one.');
      onMade(made.key ?? '');
    },
    { changes: [['operator', 'keys']] },
  );
  return (
    <Dialog
      open
      onClose={onClose}
      title="Create operator key"
      description="It stops working when you are no longer an operator. To create one, you must have signed in within the last ten minutes."
    >
      <Form
        submit="Create operator key"
        isBusy={create.isBusy}
        error={create.error}
        onSubmit={() => create.run()}
        onCancel={onClose}
        canSubmit={name.trim() !== ''}
      >
        <TextField label="Name" value={name} onChange={setName} problem={problemOf(create.error, 'name')} />
        <CheckField label="May change things, not only read" checked={mayWrite} onChange={setWrite} />
      </Form>
    </Dialog>
  );
}
