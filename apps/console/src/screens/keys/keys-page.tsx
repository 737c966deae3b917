import { type ReactNode, useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import type { ApiKey } from '@switchyard/client';
import { Ellipsis, KeyRound, Plus } from 'lucide-react';
import { useFilters } from '../../api/use-filters';
import { isBlank, useList } from '../../api/use-list';
import { wordsOf } from '../../api/status';
import { useClient, useMay } from '../../session/session-context';
import { StatusBadge } from '../../ui/badge';
import { Button } from '../../ui/button';
import { Chip, Chips } from '../../ui/chips';
import { CodeBlock } from '../../ui/code-block';
import { ConfirmDialog } from '../../ui/dialog';
import { Menu, type MenuItem } from '../../ui/menu';
import { Page } from '../../ui/page';
import { OneTimeSecret } from '../../ui/one-time-secret';
import { Empty } from '../../ui/states';
import { type Column, Table } from '../../ui/table';
import { Time } from '../../ui/time';
import { toast } from '../../ui/toast';
import { EditKey } from './edit-key';
import { KeyTokens } from './key-tokens';
import { KeyUsage } from './key-usage';
import { LegacyScopes } from './legacy-scopes';
import { NewKey } from './new-key';
import { RotateDialog } from './rotate-dialog';
import { scopeWords } from './scopes';
import { STATES, keysSearch } from './search-params';

const firstCall = (key: string): string =>
  `curl ${window.location.origin}/api/auth/me \\\n  -H 'Authorization: Bearer ${key}'`;

type Action = 'revoke' | 'rotate' | 'usage' | 'edit';
type Chosen = { action: Action; key: ApiKey } | null;

const SCOPES_SHOWN = 2;

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
      Create key
    </Button>
  );
  const actionsOf = (key: ApiKey): (MenuItem | null)[] => {
    const item = (label: string, action: Action, isDanger = false): MenuItem => ({
      label,
      isDanger,
      onSelect: () => setChosen({ action, key }),
    });
    const mayChange = mayWrite && key.status === 'ACTIVE' && key.type === 'USER';
    return [
      item('Usage', 'usage'),
      ...(mayChange ? [item('Edit', 'edit'), item('Rotate', 'rotate'), null, item('Revoke', 'revoke', true)] : []),
    ];
  };
  const columns: Column<ApiKey>[] = [
    {
      name: 'Name',
      cell: (key) => (
        <span className="grid min-w-0 justify-items-start" title={key.description ?? undefined}>
          <button
            type="button"
            className="max-w-full truncate rounded text-left font-medium hover:underline stacked:whitespace-normal stacked:wrap-anywhere"
            dir="auto"
            onClick={() => setChosen({ action: 'usage', key })}
          >
            {key.name}
          </button>
          <span className="font-mono text-xs text-faint">…{key.last4}</span>
        </span>
      ),
    },
    { name: 'State', saysItself: true, width: '7rem', cell: (key) => <StatusBadge status={key.status} /> },
    { name: 'Scopes', isWide: true, cell: (key) => <Scopes of={scopeWords(key.scopes)} /> },
    { name: 'Tokens used', isWide: true, width: '13rem', cell: (key) => <KeyTokens apiKey={key} /> },
    { name: 'Last used', width: '7rem', cell: (key) => (key.lastUsedAt ? <Time at={key.lastUsedAt} /> : 'Never') },
    { name: 'Expires', width: '7rem', cell: (key) => (key.expiresAt ? <Time at={key.expiresAt} /> : 'Never') },
    {
      name: 'Actions',
      saysItself: true,
      width: '5rem',
      align: 'right',
      cell: (key) => (
        <Menu
          trigger={
            <Button
              look="ghost"
              size="small"
              aria-label={`Actions of ${key.name}`}
              icon={<Ellipsis className="size-4" aria-hidden="true" />}
            />
          }
          items={actionsOf(key)}
        />
      ),
    },
  ];
  return (
    <Page title="Keys" description="Keys let programs act in this Space." actions={!isFirst && newKey}>
      <div className="mb-3">
        <Chips label="Filters">
          {STATES.map((state) => (
            <Chip
              key={state}
              isOn={status === state}
              onChange={(isOn) => setFilters({ status: isOn ? state : undefined })}
            >
              {wordsOf(state)}
            </Chip>
          ))}
        </Chips>
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
      <OneTimeSecret title="Your key" label="Key" value={value} onDone={() => setValue(null)}>
        {value !== null && <CodeBlock label="First call" text={firstCall(value)} />}
      </OneTimeSecret>
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
      <RotateDialog
        id={chosen?.action === 'rotate' ? chosen.key.id : null}
        title="Rotate key"
        description="The key gets a new value. The old one stays valid for the grace period, so that programs have time to change."
        submit="Rotate key"
        changes={['keys']}
        onClose={none}
        rotate={async (id, rotation, options) => show(await client.keys.rotate(id, rotation, options))}
      />
    </Page>
  );
}

/** As many areas as a row has lines for; its usage lists all. */
const Scopes = ({ of }: { of: readonly string[] }): ReactNode => (
  <span className="grid text-sm text-soft" title={of.join('\n')}>
    {of.slice(0, of.length > SCOPES_SHOWN + 1 ? SCOPES_SHOWN : of.length).map((words) => (
      <span key={words} className="truncate">
        {words}
      </span>
    ))}
    {of.length > SCOPES_SHOWN + 1 && <span className="text-faint">and {of.length - SCOPES_SHOWN} more areas</span>}
  </span>
);
