import { type ReactNode, useState } from 'react';
import { Link } from '@tanstack/react-router';
import type { OperatorSpace } from '@switchyard/client';
import { Building2, Plus } from 'lucide-react';
import { useFilters } from '../../api/use-filters';
import { useList } from '../../api/use-list';
import { withAny } from '../../api/status';
import { useClient } from '../../session/session-context';
import { StatusBadge } from '../../ui/badge';
import { Button } from '../../ui/button';
import { SelectField } from '../../ui/field';
import { compactNumber, size } from '../../ui/format';
import { SearchField } from '../../ui/search-field';
import { Empty } from '../../ui/states';
import { type Column, Table } from '../../ui/table';
import { Time } from '../../ui/time';
import { NewSpace } from './new-space';
import { OperatorFrame } from './operator-frame';
import { SPACE_STATES, spacesSearch } from './search-params';

const SORTS = [
  { value: '', label: 'Newest first' },
  { value: 'tokens', label: 'Most tokens this month' },
  { value: 'bytes', label: 'Most stored' },
];

const columns: Column<OperatorSpace>[] = [
  {
    name: 'Space',
    cell: ({ id, name, owners }) => (
      <span className="block min-w-0">
        <Link
          to="/operator/spaces/$spaceId"
          params={{ spaceId: id }}
          className="block truncate rounded font-medium hover:underline stacked:whitespace-normal"
          dir="auto"
        >
          {name}
        </Link>
        <span className="block truncate text-sm text-soft stacked:whitespace-normal">
          {owners.map(({ email }) => email).join(', ')}
        </span>
      </span>
    ),
  },
  { name: 'State', saysItself: true, width: '7.5rem', cell: ({ status }) => <StatusBadge status={status} /> },
  { name: 'Members', width: '5.5rem', align: 'right', cell: ({ members }) => compactNumber(members) },
  {
    name: 'Balance',
    width: '7rem',
    align: 'right',
    cell: ({ balance, unmetered }) => (unmetered ? 'Unmetered' : compactNumber(balance)),
  },
  {
    name: 'This month',
    width: '7rem',
    align: 'right',
    cell: ({ usageThisMonth }) => <span title="Tokens">{compactNumber(usageThisMonth.tokens)}</span>,
  },
  { name: 'Stored', width: '6rem', align: 'right', cell: ({ bytesStored }) => size(bytesStored) },
  { name: 'Created', width: '6rem', align: 'right', cell: ({ createdAt }) => <Time at={createdAt} /> },
];

export function OperatorSpacesPage(): ReactNode {
  const client = useClient();
  const [{ q, status, sort }, setFilters] = useFilters(spacesSearch);
  const [isNew, setNew] = useState(false);
  const list = useList(['operator', 'spaces', q, status, sort], (cursor) =>
    client.operator.spaces({
      limit: 50,
      ...(q ? { q } : {}),
      ...(status ? { status } : {}),
      ...(sort ? { sort } : {}),
      ...(cursor ? { cursor } : {}),
    }),
  );
  return (
    <OperatorFrame
      description="All Spaces of this platform: what they use, may use and have paid for."
      actions={
        <Button look="primary" icon={<Plus className="size-4" aria-hidden="true" />} onClick={() => setNew(true)}>
          Create Space
        </Button>
      }
    >
      <div className="mb-3 flex flex-wrap gap-2">
        <SearchField label="Search by name" value={q ?? ''} onChange={(next) => setFilters({ q: next })} />
        <SelectField
          label="State"
          hideLabel
          value={status ?? ''}
          onChange={(next) => setFilters({ status: next })}
          options={withAny('Any state', SPACE_STATES)}
        />
        <SelectField
          label="Order"
          hideLabel
          value={sort === 'createdAt' ? '' : (sort ?? '')}
          onChange={(next) => setFilters({ sort: next })}
          options={SORTS}
        />
      </div>
      <Table
        name="Spaces"
        list={list}
        columns={columns}
        keyOf={({ id }) => id}
        empty={
          <Empty title="No Spaces found" icon={<Building2 className="size-5" aria-hidden="true" />}>
            No Space fits this search.
          </Empty>
        }
      />
      <NewSpace open={isNew} onClose={() => setNew(false)} />
    </OperatorFrame>
  );
}
