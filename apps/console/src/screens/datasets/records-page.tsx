import { type ReactNode, useState } from 'react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { Dataset, DatasetField, Filter } from '@switchyard/client';
import { Download, Plus, Table2, Upload } from 'lucide-react';
import { useFilters } from '../../api/use-filters';
import type { List } from '../../api/use-list';
import { useClient, useMay } from '../../session/session-context';
import { Button } from '../../ui/button';
import { ConfirmDialog } from '../../ui/dialog';
import { number } from '../../ui/format';
import { Empty } from '../../ui/states';
import { useAction } from '../../ui/use-action';
import { DatasetFrame } from './dataset-frame';
import { FilterBuilder } from './filter-builder';
import { readFilter } from './filter';
import { Grid } from './grid';
import { ImportDialog } from './import-dialog';
import { InsertRow } from './insert-row';
import { MAX_NEAREST, type Row, type Sort, type Way } from './record-search';
import { saveExport, saveFound } from './save-export';
import { recordsSearch } from './search-params';
import { SearchBar, wayOf } from './search-bar';
import { useRows } from './use-rows';

type Open = 'insert' | 'import' | null;

export function RecordsPage(): ReactNode {
  const [open, setOpen] = useState<Open>(null);
  return (
    <DatasetFrame actions={(dataset) => <BulkActions dataset={dataset} onOpen={setOpen} />}>
      {(dataset) => (
        <>
          <Records key={dataset.id} dataset={dataset} onInsert={() => setOpen('insert')} />
          <InsertRow dataset={dataset} open={open === 'insert'} onClose={() => setOpen(null)} />
          {open === 'import' && <ImportDialog dataset={dataset} onClose={() => setOpen(null)} />}
        </>
      )}
    </DatasetFrame>
  );
}

function BulkActions({ dataset, onOpen }: { dataset: Dataset; onOpen: (open: Open) => void }): ReactNode {
  const client = useClient();
  const mayWrite = useMay('MEMBER');
  const exported = useAction(() => saveExport(client, dataset), { done: 'The export is saved.', saysRefusal: true });
  return (
    <>
      <Button
        icon={<Download className="size-4" aria-hidden="true" />}
        isBusy={exported.isBusy}
        onClick={() => void exported.run()}
      >
        Export
      </Button>
      {mayWrite && (
        <>
          <Button icon={<Upload className="size-4" aria-hidden="true" />} onClick={() => onOpen('import')}>
            Import
          </Button>
          <Button look="primary" icon={<Plus className="size-4" aria-hidden="true" />} onClick={() => onOpen('insert')}>
            Insert row
          </Button>
        </>
      )}
    </>
  );
}

const sortOf = (text: string | undefined): Sort | null => {
  if (text === undefined || text === '') return null;
  return { field: text.replace(/^-/u, ''), isDown: text.startsWith('-') };
};

function Records({ dataset, onInsert }: { dataset: Dataset; onInsert: () => void }): ReactNode {
  const client = useClient();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const mayWrite = useMay('MEMBER');
  const [given, change] = useFilters(recordsSearch);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [going, setGoing] = useState<readonly string[]>([]);
  const { fields } = dataset.schema;
  const filter = readFilter(given.filter);
  const words = given.q ?? '';
  const way = wayOf(given.by, fields);
  const sort = sortOf(given.sort);
  const search = words === '' || way === null ? null : { words, way };
  const request = JSON.stringify([filter, search]);
  const [chosenOf, setChosenOf] = useState(request);
  // Rows that are not seen any more are not deleted with those that are.
  if (chosenOf !== request) {
    setChosenOf(request);
    setChosen(new Set());
  }
  const { list, patch } = useRows(dataset.id, { filter, sort, search });
  const exported = useAction(() => saveFound(client, dataset, { filter, sort, search }), {
    done: 'The records found are saved.',
    saysRefusal: true,
  });
  const count = useQuery({
    queryKey: ['datasets', dataset.id, 'count', filter],
    queryFn: () => client.datasets.count(dataset.id, filter),
    enabled: filter !== undefined && search === null,
  });
  // As an object, so that the URL holds the JSON and not a text of JSON.
  const setFilter = (next: Filter | undefined): void =>
    void navigate({
      to: '.',
      search: (old: Record<string, unknown>) => {
        const { filter: _before, ...rest } = old;
        return next === undefined ? rest : { ...rest, filter: next };
      },
      replace: true,
      resetScroll: false,
    });
  const save = async (row: Row, field: DatasetField, value: unknown): Promise<void> => {
    const { updated } = await client.datasets.update(dataset.id, {
      ids: [row.record.id],
      set: { [field.name]: value },
    });
    if (updated === 0) throw new Error('Somebody has deleted this row.');
    patch(row.record.id, { [field.name]: value });
    await queries.invalidateQueries({ queryKey: ['datasets', dataset.id], refetchType: 'none' });
  };
  const remove = async (): Promise<void> => {
    await client.datasets.removeRecords(dataset.id, { ids: [...going] });
    setChosen(new Set());
    await queries.invalidateQueries({ queryKey: ['datasets'] });
  };
  const isNarrowed = filter !== undefined || search !== null;
  return (
    <div className="grid gap-3">
      <SearchBar fields={fields} words={words} way={way} onSearch={(q, by) => change({ q, by })} />
      <FilterBuilder fields={fields} filter={filter} onChange={setFilter} error={list.error} />
      {(chosen.size > 0 || (isNarrowed && !list.error)) && (
        <div className="flex min-h-8 flex-wrap items-center gap-3 text-sm text-soft">
          {isNarrowed && (
            <span role="status" aria-label="Found">
              {search === null
                ? count.data !== undefined && `${number(count.data)} of ${number(dataset.recordCount)} records`
                : foundWords(list, search.way)}
            </span>
          )}
          {isNarrowed && list.rows.length > 0 && (
            <Button
              size="small"
              icon={<Download className="size-4" aria-hidden="true" />}
              isBusy={exported.isBusy}
              onClick={() => void exported.run()}
            >
              Export found
            </Button>
          )}
          {chosen.size > 0 && (
            <>
              <span>{number(chosen.size)} selected</span>
              <Button size="small" look="danger" onClick={() => setGoing([...chosen])}>
                Delete rows
              </Button>
              <Button size="small" look="ghost" onClick={() => setChosen(new Set())}>
                Clear selection
              </Button>
            </>
          )}
        </div>
      )}
      <Grid
        name={dataset.name}
        fields={fields}
        list={list}
        hasScores={search !== null}
        mayWrite={mayWrite}
        sort={sort}
        onSort={
          search === null
            ? (next) => change({ sort: next === null ? '' : `${next.isDown ? '-' : ''}${next.field}` })
            : null
        }
        chosen={chosen}
        onChoose={setChosen}
        onDelete={(id) => setGoing([id])}
        onSave={save}
        empty={
          <Empty
            title={isNarrowed ? 'Nothing found' : 'No records yet'}
            icon={<Table2 className="size-5" aria-hidden="true" />}
            action={!isNarrowed && mayWrite && <Button onClick={onInsert}>Insert the first row</Button>}
          >
            {isNarrowed ? 'No record fits what you look for.' : 'Insert a row, or import a file.'}
          </Empty>
        }
      />
      <ConfirmDialog
        open={going.length > 0}
        onClose={() => setGoing([])}
        action={going.length > 1 ? 'Delete rows' : 'Delete row'}
        onConfirm={remove}
      >
        {going.length > 1 ? `${number(going.length)} records go.` : 'The record goes.'} This cannot be undone.
      </ConfirmDialog>
    </div>
  );
}

/** How many there are: of a ranking by meaning more may follow, which the API does not give. */
function foundWords({ rows, hasMore }: List<Row>, way: Way): string {
  if (hasMore) return `More than ${number(rows.length)} found`;
  if (way === 'words' || rows.length < MAX_NEAREST) return `${number(rows.length)} found`;
  return `The best ${number(MAX_NEAREST)} are shown. A filter narrows them.`;
}
