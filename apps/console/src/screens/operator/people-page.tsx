import { type ReactNode, useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import type { Account } from '@switchyard/client';
import { Users } from 'lucide-react';
import { useFilters } from '../../api/use-filters';
import { useList } from '../../api/use-list';
import { resetLink } from '../../session/reset-link';
import { useSession } from '../../session/session-context';
import { Badge, StatusBadge } from '../../ui/badge';
import { Button } from '../../ui/button';
import { ConfirmDialog } from '../../ui/dialog';
import { Menu } from '../../ui/menu';
import { SearchField } from '../../ui/search-field';
import { OneTimeSecret } from '../../ui/one-time-secret';
import { Empty } from '../../ui/states';
import { type Column, Table } from '../../ui/table';
import { Time } from '../../ui/time';
import { toast } from '../../ui/toast';
import { OperatorFrame } from './operator-frame';
import { peopleSearch } from './search-params';

type DeedName = 'reset' | 'disable' | 'enable' | 'grant' | 'revoke';

const DEEDS: Record<DeedName, { label: string; says: (account: Account) => string }> = {
  reset: {
    label: 'Reset password',
    says: ({ email }) =>
      `${email} gets a link that sets a new password, valid for an hour. The old password works until it is used.`,
  },
  disable: {
    label: 'Disable account',
    says: ({ email }) =>
      `Sign-ins and keys of ${email} are refused in all Spaces within a second, and their tasks do not start. Memberships stay.`,
  },
  enable: {
    label: 'Enable account',
    says: ({ email }) => `${email} can sign in again, and their keys work. Sign-ins from before stay ended.`,
  },
  grant: {
    label: 'Make operator',
    says: ({ email }) => `${email} may do everything that you see in this area. It gives no right inside a Space.`,
  },
  revoke: { label: 'Revoke operator', says: ({ email }) => `${email} and the operator keys they made lose this area.` },
};

const deedsOf = (account: Account): DeedName[] => [
  ...(account.operator ? [] : ['reset' as const]),
  account.status === 'ACTIVE' ? 'disable' : 'enable',
  account.operator ? 'revoke' : 'grant',
];

export function OperatorPeoplePage(): ReactNode {
  const { client } = useSession();
  const queries = useQueryClient();
  const [{ q }, setFilters] = useFilters(peopleSearch);
  const [chosen, setChosen] = useState<{ action: DeedName; account: Account } | null>(null);
  const [link, setLink] = useState<string | null>(null);
  const list = useList(['operator', 'users', q], (cursor) =>
    client.operator.users({ limit: 50, ...(q ? { q } : {}), ...(cursor ? { cursor } : {}) }),
  );
  const act = async (): Promise<void> => {
    if (chosen === null) return;
    const { action, account } = chosen;
    if (action === 'reset') setLink(resetLink((await client.operator.resetPassword(account.id)).token));
    else {
      await client.operator[action](account.id);
      toast.done(`${DEEDS[action].label}: ${account.email}.`);
    }
    await queries.invalidateQueries({ queryKey: ['operator', 'users'] });
  };
  const columns: Column<Account>[] = [
    {
      name: 'Person',
      cell: ({ name, email, operator }) => (
        <span className="block min-w-0">
          <span className="flex items-center gap-2">
            <span className="truncate font-medium stacked:whitespace-normal" dir="auto">
              {name === '' ? email : name}
            </span>
            {operator && <Badge tone="busy">Operator</Badge>}
          </span>
          {name !== '' && <span className="block truncate text-sm text-soft stacked:whitespace-normal">{email}</span>}
        </span>
      ),
    },
    { name: 'State', saysItself: true, width: '7rem', cell: ({ status }) => <StatusBadge status={status} /> },
    {
      name: 'Spaces',
      cell: ({ spaces }) => (
        <span className="block truncate text-sm text-soft stacked:whitespace-normal" dir="auto">
          {spaces.length === 0 ? 'None' : spaces.map(({ name }) => name).join(', ')}
        </span>
      ),
    },
    {
      name: 'Last sign-in',
      width: '7.5rem',
      cell: ({ lastSignInAt }) => (lastSignInAt === null ? 'Never' : <Time at={lastSignInAt} />),
    },
    {
      name: 'Actions',
      saysItself: true,
      width: '7rem',
      align: 'right',
      cell: (account) => (
        <Menu
          label={account.email}
          trigger={
            <Button size="small" aria-label={`Actions for ${account.email}`}>
              Actions
            </Button>
          }
          items={deedsOf(account).map((action) => ({
            label: DEEDS[action].label,
            onSelect: () => setChosen({ action, account }),
          }))}
        />
      ),
    },
  ];
  return (
    <OperatorFrame description="Everybody with an account on this platform.">
      <div className="mb-3 flex">
        <SearchField
          label="Search by name or e-mail"
          value={q ?? ''}
          onChange={(next) => setFilters({ q: next })}
          className="w-full sm:w-72"
        />
      </div>
      <Table
        name="People"
        list={list}
        columns={columns}
        keyOf={({ id }) => id}
        empty={
          <Empty title="No people found" icon={<Users className="size-5" aria-hidden="true" />}>
            No account fits this search.
          </Empty>
        }
      />
      <ConfirmDialog
        open={chosen !== null}
        onClose={() => setChosen(null)}
        action={chosen === null ? '' : DEEDS[chosen.action].label}
        onConfirm={act}
      >
        {chosen !== null && DEEDS[chosen.action].says(chosen.account)}
      </ConfirmDialog>
      <OneTimeSecret title="Password reset" label="Link" value={link} onDone={() => setLink(null)}>
        <p className="text-soft">Send this link to the person. It works once, within an hour.</p>
      </OneTimeSecret>
    </OperatorFrame>
  );
}
