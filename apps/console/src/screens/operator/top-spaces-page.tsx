import { type ReactNode, useState } from 'react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { SPACE_USES, type SpaceUse } from '@switchyard/client';
import { useSession } from '../../session/session-context';
import { SelectField } from '../../ui/field';
import { compactNumber, shortId, size } from '../../ui/format';
import { Empty, ErrorState, Loading } from '../../ui/states';
import { OperatorFrame } from './operator-frame';

const LABELS: Record<SpaceUse, string> = {
  turns: 'Turns',
  runs: 'Runs of tasks and jobs',
  emissions: 'Emissions',
  bytes: 'Bytes through the gateway',
  connections: 'Open connections',
  tokens: 'Tokens',
  queue: 'Waiting in queues',
  frames: 'Frames of streams',
};
const MINUTES = [1, 5, 15, 60];
const EVERY_MS = 5_000;

const options = SPACE_USES.map((use) => ({ value: use, label: LABELS[use] }));

/** The ten Spaces that use most: the answer to "who is it?" while the platform is slow. */
export function OperatorLoadPage(): ReactNode {
  const { client, user } = useSession();
  const [by, setBy] = useState<SpaceUse>('turns');
  const [minutes, setMinutes] = useState(5);
  const { data, error, refetch } = useQuery({
    queryKey: ['operator', 'top', by, minutes],
    queryFn: () => client.operator.top({ by, minutes }),
    enabled: user.operator === true,
    refetchInterval: EVERY_MS,
    placeholderData: keepPreviousData,
  });
  const isNow = by === 'connections' || by === 'queue';
  const largest = Math.max(1, ...(data ?? []).map(({ value }) => value));
  return (
    <OperatorFrame description="The ten Spaces that use the most.">
      <div className="mb-3 flex flex-wrap gap-2">
        <SelectField
          label="Measure"
          hideLabel
          value={by}
          onChange={(next) => setBy(next as SpaceUse)}
          options={options}
        />
        {!isNow && (
          <SelectField
            label="Time"
            hideLabel
            value={String(minutes)}
            onChange={(next) => setMinutes(Number(next))}
            options={MINUTES.map((value) => ({
              value: String(value),
              label: value === 1 ? 'Last minute' : `Last ${value} minutes`,
            }))}
          />
        )}
      </div>
      {data === undefined && error !== null && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Loading label="Loading the Spaces" lines={6} />}
      {data?.length === 0 && (
        <div className="card">
          <Empty title="No use in this period">Choose a longer period or another measure.</Empty>
        </div>
      )}
      {data !== undefined && data.length > 0 && (
        <ol className="card divide-y divide-line" aria-label={LABELS[by]}>
          {data.map(({ spaceId, name, value }) => (
            <li key={spaceId} className="grid grid-cols-[1fr_auto] items-center gap-x-4 gap-y-1 px-4 py-2.5">
              <Link
                to="/operator/spaces/$spaceId"
                params={{ spaceId }}
                className="min-w-0 truncate rounded font-medium hover:underline"
                dir="auto"
              >
                {name ?? shortId(spaceId)}
              </Link>
              <span className="tabular-nums">{by === 'bytes' ? size(value) : compactNumber(value)}</span>
              <span className="col-span-2 h-1.5 rounded-full bg-sunken" aria-hidden="true">
                <span
                  className="block h-full rounded-full bg-accent"
                  style={{ width: `${(value / largest) * 100}%` }}
                />
              </span>
            </li>
          ))}
        </ol>
      )}
    </OperatorFrame>
  );
}
