import { type ReactNode, useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { EvidenceItem } from '@switchyard/client';
import { BookOpen } from 'lucide-react';
import { useClient } from '../../session/session-context';
import { Button } from '../../ui/button';
import { Dialog } from '../../ui/dialog';
import { isNotFound } from '../../ui/errors';
import { Note } from '../../ui/note';
import { passagesOf, titleOf } from './source';

/** More sources are shown on request. */
const FIRST = 6;

/** Records that the agent read before it answered, best first. Each opens its passage. */
export function Sources({ items }: { items: readonly EvidenceItem[] }): ReactNode {
  const [isWhole, setWhole] = useState(false);
  const [opened, setOpened] = useState<number | null>(null);
  const shown = isWhole ? items : items.slice(0, FIRST);
  const item = opened === null ? undefined : items[opened];
  return (
    <div role="group" aria-label="Sources" className="grid gap-1.5">
      <p className="flex items-center gap-1.5 text-xs font-medium text-faint">
        <BookOpen className="size-3.5" aria-hidden="true" />
        {items.length === 1 ? '1 source' : `${items.length} sources`}
      </p>
      <ol className="flex flex-wrap gap-1.5">
        {shown.map((source, index) => (
          <li key={`${source.record_id}-${index}`} className="max-w-full min-w-0">
            <Button
              size="small"
              className="max-w-full min-w-0 shrink!"
              title={titleOf(source)}
              onClick={() => setOpened(index)}
            >
              <span className="text-faint tabular-nums">{index + 1}</span>
              <span className="max-w-72 min-w-0 truncate" dir="auto">
                {titleOf(source)}
              </span>
            </Button>
          </li>
        ))}
        {shown.length < items.length && (
          <li>
            <Button size="small" look="ghost" onClick={() => setWhole(true)}>
              Show all {items.length} sources
            </Button>
          </li>
        )}
      </ol>
      {opened !== null && item && <Source item={item} at={opened} onClose={() => setOpened(null)} />}
    </div>
  );
}

/** The passage as the agent read it, and the way to its record. */
export function Source({ item, at, onClose }: { item: EvidenceItem; at: number; onClose: () => void }): ReactNode {
  const client = useClient();
  const { dataset_id: datasetId, record_id: recordId } = item;
  const filter = { id: { eq: recordId } };
  const dataset = useQuery({
    queryKey: ['datasets', datasetId, 'dataset'],
    queryFn: () => client.datasets.get(datasetId),
  });
  const record = useQuery({
    queryKey: ['datasets', datasetId, 'record', recordId],
    queryFn: async () => (await client.datasets.query(datasetId, { filter, limit: 1 })).items,
  });
  const { passages, isCut } = passagesOf(item);
  const isDeleted = record.data?.length === 0 || isNotFound(record.error);
  return (
    <Dialog
      open
      onClose={onClose}
      title={titleOf(item)}
      description={`Source ${at + 1}${dataset.data ? ` · ${dataset.data.name}` : ''} · relevance ${item.score.toFixed(2)}`}
    >
      <dl aria-label="Passage" className="grid gap-3">
        {passages.map(({ field, text }) => (
          <div key={field}>
            <dt className="text-xs text-faint">{field}</dt>
            <dd className="whitespace-pre-wrap wrap-anywhere" dir="auto">
              {text}
            </dd>
          </div>
        ))}
      </dl>
      {isCut && <p className="mt-3 text-sm text-faint">The record is longer: the agent read this part.</p>}
      {isDeleted ? (
        <Note tone="warn" className="mt-4">
          This record has been deleted. The agent read what you see here.
        </Note>
      ) : (
        record.data && (
          <p className="mt-4">
            <Link
              to="/datasets/$datasetId"
              params={{ datasetId }}
              search={{ filter }}
              className="font-medium text-accent underline-offset-2 hover:underline"
            >
              Open the record
            </Link>
          </p>
        )
      )}
    </Dialog>
  );
}
