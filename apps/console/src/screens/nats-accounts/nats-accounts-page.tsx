import { type ReactNode, useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import type { NatsAccount, NatsAccountWithSeed } from '@switchyard/client';
import { Ellipsis, Network, Plus } from 'lucide-react';
import { isBlank, useList } from '../../api/use-list';
import { useClient, useSession } from '../../session/session-context';
import { Badge, StatusBadge, wordsOf } from '../../ui/badge';
import { Button } from '../../ui/button';
import { ConfirmDialog } from '../../ui/dialog';
import { Menu, type MenuItem } from '../../ui/menu';
import { OneTimeSecret } from '../../ui/one-time-secret';
import { Page } from '../../ui/page';
import { Empty } from '../../ui/states';
import { type Column, Table } from '../../ui/table';
import { Time } from '../../ui/time';
import { toast } from '../../ui/toast';
import { RotateDialog } from '../keys/rotate-dialog';
import { AccountDetails, Subjects } from './account-details';
import { NewAccount } from './new-account';

type AccountAction = 'details' | 'rotate' | 'revoke';

export function NatsAccountsPage(): ReactNode {
  const client = useClient();
  const queries = useQueryClient();
  const { space } = useSession();
  const [isNew, setNew] = useState(false);
  const [made, setMade] = useState<NatsAccountWithSeed | null>(null);
  const [chosen, setChosen] = useState<{ action: AccountAction; account: NatsAccount } | null>(null);
  const none = (): void => setChosen(null);
  const list = useList(['nats-accounts', 'list'], (cursor) =>
    client.natsAccounts.list(space.id, { limit: 100, ...(cursor ? { cursor } : {}) }),
  );
  const show = (account: NatsAccountWithSeed): void => {
    setNew(false);
    none();
    if (account.seed === undefined)
      toast.failed('The account has a new seed, but it cannot be shown again. Rotate the account to get another one.');
    else setMade(account);
  };
  const revoke = async ({ id, name }: NatsAccount): Promise<void> => {
    await client.natsAccounts.revoke(space.id, id);
    toast.done(`${name} revoked.`);
    await queries.invalidateQueries({ queryKey: ['nats-accounts'] });
  };
  const newAccount = (
    <Button look="primary" icon={<Plus className="size-4" aria-hidden="true" />} onClick={() => setNew(true)}>
      Create NATS account
    </Button>
  );
  const columns: Column<NatsAccount>[] = [
    {
      name: 'Name',
      cell: (account) => (
        <button
          type="button"
          className="max-w-full truncate rounded text-left font-medium hover:underline stacked:whitespace-normal stacked:wrap-anywhere"
          onClick={() => setChosen({ action: 'details', account })}
        >
          {account.name}
        </button>
      ),
    },
    {
      name: 'State',
      saysItself: true,
      width: '11rem',
      cell: ({ status, admittedAt }) =>
        status === 'ACTIVE' && admittedAt === null ? (
          <Badge tone="warn">Not on the server yet</Badge>
        ) : (
          <StatusBadge status={status} />
        ),
    },
    { name: 'Role', width: '7rem', cell: ({ role }) => wordsOf(role) },
    { name: 'Last used', width: '8rem', cell: ({ lastUsedAt }) => (lastUsedAt ? <Time at={lastUsedAt} /> : 'Never') },
    { name: 'Created', width: '8rem', cell: ({ createdAt }) => <Time at={createdAt} /> },
    {
      name: 'Actions',
      saysItself: true,
      width: '5rem',
      align: 'right',
      cell: (account) => (
        <Menu
          trigger={
            <Button
              look="ghost"
              size="small"
              aria-label={`Actions of ${account.name}`}
              icon={<Ellipsis className="size-4" aria-hidden="true" />}
            />
          }
          items={itemsOf(account, (action) => setChosen({ action, account }))}
        />
      ),
    },
  ];
  const account = (action: AccountAction): NatsAccount | null => (chosen?.action === action ? chosen.account : null);
  return (
    <Page
      title="NATS accounts"
      description="Accounts with which your services act in this Space over NATS."
      actions={!isBlank(list) && newAccount}
    >
      <Table
        name="NATS accounts"
        list={list}
        columns={columns}
        keyOf={({ id }) => id}
        empty={
          <Empty
            title="No NATS accounts yet"
            icon={<Network className="size-5" aria-hidden="true" />}
            action={isBlank(list) && newAccount}
          >
            A service with an account sends requests to the Space and receives its events, without HTTP.
          </Empty>
        }
      />
      {isNew && <NewAccount onClose={() => setNew(false)} onMade={show} />}
      <OneTimeSecret
        title="The seed of your account"
        label="Seed"
        value={made?.seed ?? null}
        onDone={() => setMade(null)}
      >
        {made !== null && <Subjects account={made} />}
      </OneTimeSecret>
      <AccountDetails account={account('details')} onClose={none} />
      <RotateDialog
        id={account('rotate')?.id ?? null}
        title={`Rotate ${account('rotate')?.name ?? ''}`}
        description="The account gets a new seed. The old one stays valid for the grace period, so that the service has time to change."
        submit="Rotate account"
        changes={['nats-accounts']}
        onClose={none}
        rotate={async (id, rotation, options) =>
          show(await client.natsAccounts.rotate(space.id, id, rotation, options))
        }
      />
      <ConfirmDialog
        open={chosen?.action === 'revoke'}
        onClose={none}
        action="Revoke account"
        onConfirm={async () => chosen && revoke(chosen.account)}
      >
        Requests of {chosen?.account.name} are refused immediately, and its endpoints are disabled. This cannot be
        undone.
      </ConfirmDialog>
    </Page>
  );
}

const itemsOf = ({ status }: NatsAccount, choose: (action: AccountAction) => void): (MenuItem | null)[] => [
  { label: 'Details', onSelect: () => choose('details') },
  ...(status === 'ACTIVE'
    ? [
        { label: 'Rotate', onSelect: () => choose('rotate') },
        null,
        { label: 'Revoke', isDanger: true, onSelect: () => choose('revoke') },
      ]
    : []),
];
