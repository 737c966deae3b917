import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Activity, ActivityKind } from '@switchyard/client';
import { X } from 'lucide-react';
import { pageOf } from '../../api/record-links';
import { recordName } from '../../api/record-names';
import { useClient } from '../../session/session-context';
import { StatusBadge, wordsOf } from '../../ui/badge';
import { Button } from '../../ui/button';
import { Facts } from '../../ui/facts';
import { between, cost, number } from '../../ui/format';
import { ErrorState, Loading } from '../../ui/states';
import { Time } from '../../ui/time';
import { RecordParts } from '../causes/record-parts';
import { useAgentNames } from '../jobs/use-agent-names';

type Shown = Pick<Activity, 'name' | 'agentId' | 'sessionId' | 'startedAt' | 'finishedAt' | 'tokens' | 'cost'> & {
  status: string | null;
};

interface Props {
  kind: ActivityKind;
  id: string;
  /** Null where the list does not have it: an older one, or one that the filters hide. */
  row: Activity | null;
  onClose: () => void;
}

/** A record beside the list that it was chosen from. */
export function RecordAside({ kind, id, row, onClose }: Props): ReactNode {
  const client = useClient();
  const { readName } = useAgentNames();
  const box = useRef<HTMLElement>(null);
  const found = useQuery({
    queryKey: ['causes', kind, id],
    queryFn: () => client.activity.causes(kind, id),
    enabled: row === null,
  });
  useEffect(() => {
    box.current?.focus({ preventScroll: true });
  }, [kind, id]);
  const node = found.data?.nodes.find((one) => one.kind === kind && one.id === id);
  const shown: Shown | null =
    row ??
    (node
      ? {
          name: node.name ?? null,
          status: node.status ?? null,
          agentId: node.agentId ?? null,
          sessionId: node.sessionId ?? null,
          startedAt: node.startedAt ?? null,
          finishedAt: node.finishedAt ?? null,
          tokens: node.tokens ?? null,
          cost: node.cost ?? null,
        }
      : null);
  const press = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || event.defaultPrevented) return;
    event.preventDefault();
    onClose();
  };
  const name = shown === null ? wordsOf(kind) : recordName({ ...shown, kind }, readName);
  return (
    <aside
      ref={box}
      tabIndex={-1}
      aria-label="Record"
      onKeyDown={press}
      className="card min-w-0 overflow-y-auto p-4 outline-none max-xl:fixed max-xl:top-12 max-xl:right-0 max-xl:bottom-0 max-xl:z-30 max-xl:w-[min(30rem,100vw)] max-xl:rounded-none max-xl:shadow-high xl:max-h-[calc(100dvh-8rem)]"
    >
      <div className="mb-3 flex items-start gap-2">
        <h2 className="min-w-0 flex-1 font-semibold wrap-anywhere" dir="auto">
          {name}
        </h2>
        {shown?.status && <StatusBadge status={shown.status} />}
        <Button
          look="ghost"
          size="small"
          aria-label="Close record"
          icon={<X className="size-4" aria-hidden="true" />}
          onClick={onClose}
        />
      </div>
      {shown === null ? (
        found.error ? (
          <ErrorState error={found.error} onRetry={() => void found.refetch()} />
        ) : found.data ? (
          <p className="text-soft">You do not have access to this record.</p>
        ) : (
          <Loading label="Loading the record" />
        )
      ) : (
        <>
          <Facts
            of={[
              ['Kind', wordsOf(kind)],
              ['Started', shown.startedAt && <Time key="started" at={shown.startedAt} />],
              ['Took', between(shown.startedAt, shown.finishedAt)],
              ['Tokens', shown.tokens === null ? null : number(shown.tokens)],
              ['Cost', shown.cost === null ? null : cost(shown.cost)],
            ]}
          />
          <p className="mt-3 flex flex-wrap gap-x-4 gap-y-1">
            <Link to={pageOf({ kind, id, sessionId: shown.sessionId })} className={link}>
              Open it
            </Link>
            <Link to={`/causes/${kind}/${id}`} className={link}>
              Its causes
            </Link>
          </p>
          <div className="mt-4 grid gap-3 border-t border-line pt-4">
            <RecordParts key={`${kind}:${id}`} of={{ kind, id, agentId: shown.agentId, sessionId: shown.sessionId }} />
          </div>
        </>
      )}
    </aside>
  );
}

const link = 'font-medium text-accent underline-offset-2 hover:underline';
