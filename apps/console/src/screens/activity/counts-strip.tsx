import { type ReactNode, lazy, useMemo } from 'react';
import { useQuery } from '@tanstack/react-query';
import type { ActivityCount } from '@switchyard/client';
import { hasEnded, hasFailed, isUnderWay, toneOf } from '../../api/status';
import { useClient } from '../../session/session-context';
import { compactNumber } from '../../ui/format';
import { LazyPart } from '../../ui/lazy-part';
import type { Series } from '../../ui/curve';

const Curve = lazy(async () => ({ default: (await import('../../ui/curve')).Curve }));

const HOUR_MS = 3_600_000;
/** The counters are by the hour: that many bars are one call each. */
const BARS = 12;

const WAITS = 'WAITING_INPUT';
const GROUPS: { name: string; color: string; has: (status: string) => boolean }[] = [
  { name: 'Done', color: 'good', has: (status) => toneOf(status) === 'good' },
  { name: 'Under way', color: 'busy', has: (status) => isUnderWay(status) && status !== WAITS },
  { name: 'Waiting for a person', color: 'warn', has: (status) => status === WAITS },
  { name: 'Failed', color: 'bad', has: hasFailed },
  {
    name: 'Cancelled or skipped',
    color: 'line-strong',
    has: (status) => hasEnded(status) && toneOf(status) === 'none',
  },
];

export interface Span {
  from: string;
  to: string;
}

/** Numbers by state over the last twelve hours. Dragging over it filters the list. */
export function CountsStrip({
  kinds,
  isReady,
  onBrush,
}: {
  kinds: readonly string[];
  /** Its many calls would stand before those of the list: a browser has six connections to a host. */
  isReady: boolean;
  onBrush: (span: Span) => void;
}): ReactNode {
  const client = useClient();
  const { data } = useQuery({
    queryKey: ['activity', 'counts'],
    refetchInterval: 30_000,
    enabled: isReady,
    queryFn: async () => {
      const end = Math.floor(Date.now() / HOUR_MS) * HOUR_MS + HOUR_MS;
      const starts = Array.from({ length: BARS }, (_, index) => end - (BARS - index) * HOUR_MS);
      const hours = await Promise.all(
        starts.map((start) =>
          client.activity.counts({ from: new Date(start).toISOString(), to: new Date(start + HOUR_MS).toISOString() }),
        ),
      );
      return { times: starts.map((start) => start / 1000), hours };
    },
  });
  const series = useMemo(() => seriesOf(data?.hours ?? [], kinds), [data, kinds]);
  if (!data) return <div className="shimmer mb-4 h-44" role="status" aria-label="Loading the counts" />;
  return (
    <section aria-label="Counts by state" className="card mb-4 p-4">
      <LazyPart name="The curve" fallback={<div className="h-38" />}>
        <Curve
          name="Counts by state"
          look="stacked"
          times={data.times}
          series={series}
          format={compactNumber}
          onBrush={(from, to) => onBrush({ from: isoOf(from), to: isoOf(to) })}
        />
      </LazyPart>
    </section>
  );
}

const isoOf = (seconds: number): string => new Date(Math.round(seconds) * 1000).toISOString();

function seriesOf(hours: readonly ActivityCount[][], kinds: readonly string[]): Series[] {
  const counts = (hour: readonly ActivityCount[], has: (status: string) => boolean): number =>
    hour
      .filter(({ kind, status }) => has(status) && (kinds.length === 0 || kinds.includes(kind)))
      .reduce((sum, { count }) => sum + count, 0);
  return GROUPS.map(({ name, color, has }) => ({
    name,
    color,
    values: hours.map((hour) => counts(hour, has)),
  }));
}
