import { type ReactNode, useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import type { ApiKey } from '@switchyard/client';
import { KeyRound, Plus } from 'lucide-react';
import { useFilters } from '../../api/use-filters';
import { useIdempotencyKey } from '../../api/use-idempotency-key';
import { isBlank, useList } from '../../api/use-list';
import { withAny } from '../../api/status';
import { useClient, useMay } from '../../session/session-context';
import { StatusBadge } from '../../ui/badge';
import { Button } from '../../ui/button';
import { CodeBlock } from '../../ui/code-block';
import { ConfirmDialog, Dialog } from '../../ui/dialog';
import { problemOf } from '../../ui/errors';
import { NumberField, SelectField } from '../../ui/field';
import { Form } from '../../ui/form';
import { Page } from '../../ui/page';
import { ShownOnce } from '../../ui/shown-once';
import { Empty } from '../../ui/states';
import { type Column, Table } from '../../ui/table';
import { Time } from '../../ui/time';
import { toast } from '../../ui/toast';
import { useAction } from '../../ui/use-action';
import { EditKey } from './edit-key';
import { KeyUsage } from './key-usage';
import { LegacyScopes } from './legacy-scopes';
import { NewKey } from './new-key';
import { STATES, keysSearch } from './search';

const firstCall = (key: string): string =>
  `curl ${window.location.origin}/api/auth/me \\\n  -H 'Authorization: Bearer ${key}'`;

type Chosen = { action: 'revoke' | 'rotate' | 'usage' | 'edit'; key: ApiKey } | null;

export function KeysPage(): ReactNode {
  const client = useClient();
  const queries = useQueryClient();
  const mayWrite = useMay('MEMBER');
  const isAdmin = useMay('ADMIN');
  const [{ status }, setFilters] = useFilters(keysSearch);
  const [isNew, setNew] = useState(false);
  const [value, setValue] = useState<string | null>(null);
  const [chosen, setChosen] = useState<Chosen>(null);
  const none = (): void => setChosen(null);
  const list = useList(['keys', 'list', status], (cursor) =>
    client.keys.list({ limit: 100, ...(status ? { status } : {}), ...(cursor ? { cursor } : {}) }),
  );
  const show = (key: { key?: string }): void => {
    setNew(false);
    setChosen(null);
    // The answer to the first request was lost, and its repeat comes without the value.
    if (key.key === undefined)
      toast.failed('The key has a new value, but it cannot be shown again. Rotate the key to get another one.');
    setValue(key.key ?? null);
  };
  const revoke = async (key: ApiKey): Promise<void> => {
    await client.keys.revoke(key.id);
    toast.done(`${key.name} revoked.`);
    await queries.invalidateQueries({ queryKey: ['keys'] });
  };
  const isFirst = status === undefined && isBlank(list);
  const newKey = mayWrite && (
    <Button look="primary" icon={<Plus className="size-4" aria-hidden="true" />} onClick={() => setNew(true)}>
      New key
    </Button>
  );
  const columns: Column<ApiKey>[] = [
    {
      name: 'Name',
      cell: (key) => (
        <span className="grid min-w-0" title={key.description ?? undefined}>
          <span className="truncate font-medium stacked:whitespace-normal" dir="auto">
            {key.name}
          </span>
          <span className="font-mono text-xs text-faint">…{key.last4}</span>
        </span>
      ),
    },
    { name: 'State', saysItself: true, width: '7rem', cell: (key) => <StatusBadge status={key.status} /> },
    {
      name: 'Scopes',
      width: '9rem',
      cell: (key) => (
        <span className="text-sm text-soft" title={key.scopes.join(', ')}>
          {key.scopes.map((scope) => (scope === '*' ? 'Full access' : scope)).join(', ')}
        </span>
      ),
    },
    { name: 'Last used', width: '7rem', cell: (key) => (key.lastUsedAt ? <Time at={key.lastUsedAt} /> : 'Never') },
    { name: 'Expires', width: '7rem', cell: (key) => (key.expiresAt ? <Time at={key.expiresAt} /> : 'Never') },
    {
      name: 'Actions',
      saysItself: true,
      width: '17.5rem',
      align: 'right',
      cell: (key) => (
        <span className="inline-flex gap-1">
          <Button size="small" look="ghost" onClick={() => setChosen({ action: 'usage', key })}>
            Usage
          </Button>
          {mayWrite && key.status === 'ACTIVE' && key.type === 'USER' && (
            <>
              <Button size="small" onClick={() => setChosen({ action: 'edit', key })}>
                Edit
              </Button>
              <Button size="small" onClick={() => setChosen({ action: 'rotate', key })}>
                Rotate
              </Button>
              <Button size="small" look="danger" onClick={() => setChosen({ action: 'revoke', key })}>
                Revoke
              </Button>
            </>
          )}
        </span>
      ),
    },
  ];
  return (
    <Page title="Keys" description="Keys let programs act in this Space." actions={!isFirst && newKey}>
      <div className="mb-3 flex">
        <SelectField
          label="State"
          hideLabel
          value={status ?? ''}
          onChange={(next) => setFilters({ status: next })}
          options={withAny('Any state', STATES)}
        />
      </div>
      {isAdmin && <LegacyScopes keys={list.rows} />}
      <Table
        name="Keys"
        list={list}
        columns={columns}
        keyOf={(key) => key.id}
        empty={
          <Empty
            title={status === undefined ? 'No keys yet' : 'No keys in this state'}
            icon={<KeyRound className="size-5" aria-hidden="true" />}
            action={isFirst && newKey}
          >
            Programs send a key with each request. Its scopes and limits decide what it can do. You can revoke it at any
            time.
          </Empty>
        }
      />
      <NewKey open={isNew} onClose={() => setNew(false)} onMade={show} />
      <ShownOnce title="Your key" label="Key" value={value} onDone={() => setValue(null)}>
        {value !== null && <CodeBlock label="First call" text={firstCall(value)} />}
      </ShownOnce>
      {chosen?.action === 'edit' && <EditKey key={chosen.key.id} apiKey={chosen.key} onClose={none} />}
      <KeyUsage apiKey={chosen?.action === 'usage' ? chosen.key : null} onClose={none} />
      <ConfirmDialog
        open={chosen?.action === 'revoke'}
        onClose={none}
        action="Revoke key"
        onConfirm={async () => chosen && revoke(chosen.key)}
      >
        {chosen?.key.name} stops working immediately, and its open streams end. This cannot be undone.
      </ConfirmDialog>
      <RotateKey apiKey={chosen?.action === 'rotate' ? chosen.key : null} onClose={none} onMade={show} />
    </Page>
  );
}

interface RotateProps {
  apiKey: ApiKey | null;
  onClose: () => void;
  onMade: (key: { key?: string }) => void;
}

function RotateKey({ apiKey, onClose, onMade }: RotateProps): ReactNode {
  const client = useClient();
  const [minutes, setMinutes] = useState<number | null>(60);
  const keys = useIdempotencyKey();
  // A second rotation would end the old value at once: a repeat after a lost answer must not be one.
  const rotate = useAction(
    async (id: string) => {
      const rotation = { graceSeconds: Math.round((minutes ?? 60) * 60) };
      const idempotencyKey = keys.keyFor({ id, ...rotation });
      const rotated = await client.keys.rotate(id, rotation, { idempotencyKey });
      keys.done();
      onMade(rotated);
    },
    { changes: [['keys']] },
  );
  return (
    <Dialog
      open={apiKey !== null}
      onClose={onClose}
      title="Rotate key"
      description="The key gets a new value. The old one stays valid for the grace period, so that programs have time to change."
    >
      <Form
        submit="Rotate key"
        isBusy={rotate.isBusy}
        error={rotate.error}
        onCancel={onClose}
        onSubmit={() => apiKey && rotate.run(apiKey.id)}
        canSubmit={minutes !== null}
      >
        <NumberField
          label="Grace period in minutes"
          min={0}
          value={minutes}
          onChange={setMinutes}
          // No period is sent as 0: an empty field must not mean it.
          problem={minutes === null ? 'Enter a number.' : problemOf(rotate.error, 'graceSeconds')}
        />
      </Form>
    </Dialog>
  );
}
