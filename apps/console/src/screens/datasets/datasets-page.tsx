import type { ReactNode } from 'react';
import { Link, useNavigate } from '@tanstack/react-router';
import type { Dataset } from '@switchyard/client';
import { Database, Plus } from 'lucide-react';
import { useFilters } from '../../api/use-filters';
import { isBlank, useList } from '../../api/use-list';
import { useClient, useMay } from '../../session/session-context';
import { Button } from '../../ui/button';
import { number } from '../../ui/format';
import { Page } from '../../ui/page';
import { Empty } from '../../ui/states';
import { SearchField } from '../../ui/search-field';
import { type Column, Table } from '../../ui/table';
import { Time } from '../../ui/time';
import { datasetsSearch } from './search-params';

const columns: Column<Dataset>[] = [
  {
    name: 'Name',
    cell: ({ id, name, description }) => (
      <span title={description ?? undefined}>
        <Link to={`/datasets/${id}`} className="font-medium hover:underline" dir="auto">
          {name}
        </Link>
      </span>
    ),
  },
  {
    name: 'Fields',
    cell: ({ schema }) => (
      <span className="font-mono text-xs text-soft">{schema.fields.map(({ name }) => name).join(' ')}</span>
    ),
  },
  {
    name: 'Records',
    width: '8rem',
    align: 'right',
    cell: ({ recordCount }) => <span className="tabular-nums">{number(recordCount)}</span>,
  },
  { name: 'Changed', width: '8rem', align: 'right', cell: ({ updatedAt }) => <Time at={updatedAt} /> },
];

export function DatasetsPage(): ReactNode {
  const client = useClient();
  const navigate = useNavigate();
  const mayWrite = useMay('MEMBER');
  const [{ q }, change] = useFilters(datasetsSearch);
  const words = q ?? '';
  const list = useList(['datasets', 'list', words], (cursor) =>
    client.datasets.list({ limit: 50, ...(cursor ? { cursor } : {}), ...(words === '' ? {} : { q: words }) }),
  );
  const isFiltered = words !== '';
  const isFirst = !isFiltered && isBlank(list);
  const newDataset = mayWrite && (
    <Button
      look="primary"
      icon={<Plus className="size-4" aria-hidden="true" />}
      onClick={() => void navigate({ to: '/datasets/new' })}
    >
      Create dataset
    </Button>
  );
  return (
    <Page
      title="Datasets"
      description="Typed records that agents, tasks and programs share."
      actions={!isFirst && newDataset}
    >
      <SearchField
        label="Search datasets"
        value={words}
        onChange={(value) => change({ q: value })}
        className="mb-3 max-w-72"
      />
      <Table
        name="Datasets"
        list={list}
        columns={columns}
        keyOf={({ id }) => id}
        empty={
          <Empty
            title={isFiltered ? 'No dataset is called that' : 'No datasets yet'}
            icon={<Database className="size-5" aria-hidden="true" />}
            action={isFirst && newDataset}
          >
            {isFiltered
              ? 'Try another word.'
              : 'A dataset is a table with typed fields. Its records are filtered, searched by words and by meaning, and read by agents.'}
          </Empty>
        }
      />
    </Page>
  );
}
