import type { ReactNode } from 'react';
import { Link } from '@tanstack/react-router';
import { StatusBadge, wordsOf } from '../../ui/badge';
import { between, cost, duration, exactTime, number } from '../../ui/format';
import { linkOf } from './cause-names';
import type { Cause } from './cause-time';
import { type PartOf, RecordParts } from './record-parts';

const partOf = ({ kind, id, agentId, sessionId }: Cause): PartOf | undefined =>
  id === null ? undefined : { kind, id, agentId: agentId ?? null, sessionId: sessionId ?? null };

interface DetailsProps {
  cause: Cause;
  above: Cause | undefined;
  ownTime: number | null;
  name: string;
}

export function CauseDetails({ cause, above, ownTime, name }: DetailsProps): ReactNode {
  const page = linkOf(cause) ?? (above ? linkOf(above) : null);
  const part = partOf(cause);
  const facts: [string, ReactNode][] = [
    ['Kind', wordsOf(cause.kind)],
    ['Status', cause.status ? <StatusBadge key="status" status={cause.status} /> : '–'],
    ['Started', cause.startedAt ? exactTime(cause.startedAt) : '–'],
    ['Took', between(cause.startedAt, cause.finishedAt) ?? '–'],
    ['Own time', ownTime === null ? '–' : duration(ownTime)],
    ['Tokens', cause.tokens === null || cause.tokens === undefined ? '–' : number(cause.tokens)],
    ['Cost', cause.cost === null || cause.cost === undefined ? '–' : cost(cause.cost)],
  ];
  return (
    <aside aria-label="Selected record" className="card min-w-0 p-4">
      <h2 className="mb-3 font-semibold wrap-anywhere" dir="auto">
        {name}
      </h2>
      {cause.hidden === true || part === undefined ? (
        <p className="text-soft">You do not have access to this record.</p>
      ) : (
        <>
          <dl className="grid grid-cols-[5rem_1fr] gap-y-1.5">
            {facts.map(([label, value]) => (
              <div key={label} className="contents">
                <dt className="text-faint">{label}</dt>
                <dd className="min-w-0">{value}</dd>
              </div>
            ))}
          </dl>
          {page !== null && (
            <Link to={page} className="mt-3 inline-block font-medium text-accent underline-offset-2 hover:underline">
              Open it
            </Link>
          )}
          <div className="mt-4 grid gap-3 border-t border-line pt-4">
            <RecordParts key={cause.key} of={part} above={above && partOf(above)} />
          </div>
        </>
      )}
    </aside>
  );
}
