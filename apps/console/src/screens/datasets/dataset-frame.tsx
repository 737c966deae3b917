import { type ReactNode, useState } from 'react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useLocation, useNavigate, useParams } from '@tanstack/react-router';
import type { Dataset } from '@switchyard/client';
import { Trash2 } from 'lucide-react';
import { NotFound } from '../../frame/not-found';
import { useClient, useMay } from '../../session/session-context';
import { Button } from '../../ui/button';
import { classes } from '../../ui/class-names';
import { ConfirmDialog } from '../../ui/dialog';
import { isNotFound } from '../../ui/errors';
import { number } from '../../ui/format';
import { Page } from '../../ui/page';
import { ErrorState, Loading } from '../../ui/states';

const crumbs = [{ label: 'Datasets', to: '/datasets' }];
const TABS = [
  { label: 'Records', path: '' },
  { label: 'Schema', path: '/schema' },
  { label: 'Imports', path: '/imports' },
];
const EMBEDDINGS = { label: 'Embeddings', path: '/embeddings' };

interface Props {
  actions?: ((dataset: Dataset) => ReactNode) | undefined;
  children: (dataset: Dataset) => ReactNode;
}

/** Header of all dataset pages: name, tabs, delete. */
export function DatasetFrame({ actions, children }: Props): ReactNode {
  const { datasetId = '' }: { datasetId?: string } = useParams({ strict: false });
  const client = useClient();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const mayWrite = useMay('MEMBER');
  const { pathname } = useLocation();
  const [isDeleting, setDeleting] = useState(false);
  const { data, error, refetch } = useQuery({
    queryKey: ['datasets', datasetId, 'dataset'],
    queryFn: () => client.datasets.get(datasetId),
  });
  if (!data && isNotFound(error)) return <NotFound />;
  if (error && !data)
    return (
      <Page title="Dataset" crumbs={crumbs}>
        <ErrorState error={error} onRetry={() => void refetch()} />
      </Page>
    );
  if (!data)
    return (
      <Page title="Dataset" crumbs={crumbs}>
        <Loading label="Loading the dataset" lines={8} />
      </Page>
    );
  const isEmbedded = data.schema.fields.some(({ vector }) => vector === true);
  const tabs = isEmbedded ? [...TABS, EMBEDDINGS] : TABS;
  const remove = async (): Promise<void> => {
    await client.datasets.remove(data.id);
    await navigate({ to: '/datasets', ignoreBlocker: true });
    queries.removeQueries({ queryKey: ['datasets', data.id] });
    await queries.invalidateQueries({ queryKey: ['datasets', 'list'] });
  };
  return (
    <Page
      title={data.name}
      crumbs={crumbs}
      description={data.description ?? undefined}
      aside={<span className="text-sm text-faint tabular-nums">{number(data.recordCount)} records</span>}
      actions={
        <>
          {mayWrite && (
            <Button
              look="danger"
              icon={<Trash2 className="size-4" aria-hidden="true" />}
              onClick={() => setDeleting(true)}
            >
              Delete
            </Button>
          )}
          {actions?.(data)}
        </>
      }
    >
      <nav aria-label="Parts of the dataset" className="mb-3 flex flex-wrap gap-1 border-b border-line max-sm:gap-0">
        {tabs.map(({ label, path }) => {
          const to = `/datasets/${data.id}${path}`;
          const isHere = pathname === to;
          return (
            <Link
              key={label}
              to={to}
              aria-current={isHere ? 'page' : undefined}
              className={classes(
                '-mb-px border-b-2 px-3 py-2 max-sm:px-2',
                isHere ? 'border-accent font-medium' : 'border-transparent text-soft hover:text-ink',
              )}
            >
              {label}
            </Link>
          );
        })}
      </nav>
      {children(data)}
      <ConfirmDialog open={isDeleting} onClose={() => setDeleting(false)} action="Delete dataset" onConfirm={remove}>
        “{data.name}” goes with all of its {number(data.recordCount)} records. This cannot be undone.
      </ConfirmDialog>
    </Page>
  );
}
