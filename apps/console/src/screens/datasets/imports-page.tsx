import { type ReactNode, useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import type { Dataset, ImportJob } from '@switchyard/client';
import { Upload } from 'lucide-react';
import { useList } from '../../api/use-list';
import { useClient, useMay } from '../../session/session-context';
import { StatusBadge } from '../../ui/badge';
import { Button } from '../../ui/button';
import { ConfirmDialog } from '../../ui/dialog';
import { between, number } from '../../ui/format';
import { Empty } from '../../ui/states';
import { type Column, Table } from '../../ui/table';
import { Time } from '../../ui/time';
import { DatasetFrame } from './dataset-frame';
import { isOver } from './import-progress';

const POLL_MS = 2_000;

export const ImportsPage = (): ReactNode => <DatasetFrame>{(dataset) => <Imports dataset={dataset} />}</DatasetFrame>;

function Imports({ dataset }: { dataset: Dataset }): ReactNode {
  const client = useClient();
  const queries = useQueryClient();
  const mayWrite = useMay('MEMBER');
  const [going, setGoing] = useState<ImportJob | null>(null);
  const list = useList(
    ['datasets', dataset.id, 'imports'],
    (cursor) => client.datasets.imports(dataset.id, { limit: 50, ...(cursor ? { cursor } : {}) }),
    { refetchInterval: POLL_MS },
  );
  const cancel = async (): Promise<void> => {
    if (going) await client.datasets.cancelImport(dataset.id, going.id);
    await queries.invalidateQueries({ queryKey: ['datasets', dataset.id] });
  };
  const columns: Column<ImportJob>[] = [
    { name: 'Begun', width: '8rem', cell: ({ createdAt }) => <Time at={createdAt} /> },
    { name: 'State', saysItself: true, width: '9rem', cell: ({ phase }) => <StatusBadge status={phase} /> },
    { name: 'Format', width: '6rem', cell: ({ format }) => format.toUpperCase() },
    { name: 'Progress', width: '6rem', cell: ({ progress }) => `${Math.round(progress)}%` },
    {
      name: 'Records',
      cell: ({ records, inserted, error }) => (
        <span className={error ? 'whitespace-normal wrap-anywhere' : ''}>
          {error ? error.message : `${number(inserted)} of ${number(records)} are in the dataset`}
        </span>
      ),
    },
    { name: 'Took', width: '7rem', cell: ({ startedAt, finishedAt }) => between(startedAt, finishedAt) ?? '–' },
    {
      name: 'Actions',
      saysItself: true,
      width: '7rem',
      align: 'right',
      cell: (job) =>
        mayWrite &&
        !isOver(job) &&
        job.phase !== 'CANCELLING' && (
          <Button size="small" look="danger" onClick={() => setGoing(job)}>
            Cancel
          </Button>
        ),
    },
  ];
  return (
    <>
      <Table
        name="Imports"
        list={list}
        columns={columns}
        keyOf={({ id }) => id}
        empty={
          <Empty title="No imports in the background" icon={<Upload className="size-5" aria-hidden="true" />}>
            A large file is checked while it is sent, then written in the background: it shows here how far it is.
          </Empty>
        }
      />
      <ConfirmDialog open={going !== null} onClose={() => setGoing(null)} action="Cancel import" onConfirm={cancel}>
        None of its records will be in the dataset.
      </ConfirmDialog>
    </>
  );
}
