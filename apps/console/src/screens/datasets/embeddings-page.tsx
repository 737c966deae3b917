import type { ReactNode } from 'react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Dataset, EmbeddingFailure, Embeddings } from '@switchyard/client';
import { RotateCw, Sparkles } from 'lucide-react';
import { useClient, useMay } from '../../session/session-context';
import { Button } from '../../ui/button';
import { Facts } from '../../ui/facts';
import { number } from '../../ui/format';
import { RetryNote } from '../../ui/note';
import { Section } from '../../ui/page';
import { Empty, ErrorState, Loading } from '../../ui/states';
import { type Column, Table } from '../../ui/table';
import { Time } from '../../ui/time';
import { useAction } from '../../ui/use-action';
import { DatasetFrame } from './dataset-frame';

const POLL_MS = 2_000;
/** The API counts no further. */
const MOST_COUNTED = 100_000;

export const EmbeddingsPage = (): ReactNode => (
  <DatasetFrame>{(dataset) => <EmbeddingsOf dataset={dataset} />}</DatasetFrame>
);

const counted = (texts: number): string => (texts >= MOST_COUNTED ? `${number(texts)} or more` : number(texts));

/** Texts that vector search does not find yet: those that wait for their vectors, and those that fail. */
function EmbeddingsOf({ dataset }: { dataset: Dataset }): ReactNode {
  const client = useClient();
  const { data, error, refetch } = useQuery({
    queryKey: ['datasets', dataset.id, 'embeddings'],
    queryFn: () => client.datasets.embeddings(dataset.id),
    refetchInterval: POLL_MS,
    placeholderData: keepPreviousData,
  });
  const fields = dataset.schema.fields.filter(({ vector }) => vector === true).map(({ name }) => name);
  if (!data && error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loading label="Loading the embeddings" lines={4} />;
  return (
    <>
      {error && <RetryNote tone="warn" action="Refresh" error={error} onRetry={() => void refetch()} />}
      <Section title="Embeddings" actions={data.failed > 0 && <Retry dataset={dataset} />}>
        <Facts
          of={[
            ['Pending', counted(data.pending)],
            ['Failed', counted(data.failed)],
            ['Vector fields', fields.length === 0 ? 'None' : fields.join(', ')],
          ]}
        />
        <p className="mt-3 max-w-prose text-sm text-soft">
          Vector search finds a text once it is embedded. A text that fails is tried again by itself, at most five
          minutes apart; after 40 attempts it waits for “Retry”.
        </p>
      </Section>
      <Failures dataset={dataset} embeddings={data} />
    </>
  );
}

function Retry({ dataset }: { dataset: Dataset }): ReactNode {
  const client = useClient();
  const mayWrite = useMay('MEMBER');
  const retry = useAction(() => client.datasets.retryEmbeddings(dataset.id), {
    changes: [['datasets', dataset.id, 'embeddings']],
    done: 'The failed texts are tried again.',
    saysRefusal: true,
  });
  if (!mayWrite) return null;
  return (
    <Button
      size="small"
      icon={<RotateCw className="size-4" aria-hidden="true" />}
      isBusy={retry.isBusy}
      onClick={() => void retry.run()}
    >
      Retry
    </Button>
  );
}

function Failures({ dataset, embeddings }: { dataset: Dataset; embeddings: Embeddings }): ReactNode {
  const { failures, failed, pending } = embeddings;
  const columns: Column<EmbeddingFailure>[] = [
    {
      name: 'Record',
      width: '8rem',
      saysItself: true,
      cell: ({ recordId }) => (
        <Link
          to="/datasets/$datasetId"
          params={{ datasetId: dataset.id }}
          search={{ filter: { id: recordId } }}
          className="rounded font-mono text-accent hover:underline"
          aria-label={`Record ${recordId}`}
        >
          {recordId.slice(-8)}
        </Link>
      ),
    },
    { name: 'Field', width: '9rem', cell: ({ field }) => field },
    {
      name: 'Reason',
      cell: ({ code, message }) => (
        <span className="whitespace-normal wrap-anywhere">
          {message ?? 'Not known'} {code !== null && <span className="font-mono text-xs text-faint">{code}</span>}
        </span>
      ),
    },
    { name: 'Attempts', width: '6rem', cell: ({ attempts }) => number(attempts) },
    {
      name: 'Next attempt',
      width: '9rem',
      cell: ({ retryAt }) => (retryAt === null ? 'On “Retry” only' : <Time at={retryAt} />),
    },
  ];
  const empty = (
    <Empty
      title={pending === 0 ? 'All texts are embedded' : 'No text has failed'}
      icon={<Sparkles className="size-5" aria-hidden="true" />}
    >
      {pending === 0 ? 'Vector search finds all of them.' : 'Those that wait are embedded soon.'}
    </Empty>
  );
  return (
    <>
      {failed > failures.length && (
        <p className="mb-2 text-sm text-soft">The first {number(failures.length)} of those that failed:</p>
      )}
      <Table name="Failed texts" list={asList(failures)} columns={columns} keyOf={keyOf} empty={empty} />
    </>
  );
}

const keyOf = ({ recordId, field }: EmbeddingFailure): string => `${recordId} ${field}`;

const asList = <T,>(rows: T[]) => ({
  rows,
  isLoading: false,
  error: null,
  hasMore: false,
  isLoadingMore: false,
  moreError: null,
  loadMore: () => undefined,
  retry: () => undefined,
});
