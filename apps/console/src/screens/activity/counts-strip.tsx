import { type ReactNode, lazy, useMemo } from 'react';
import { useQuery } from '@tanstack/react-query';
import type { ActivityCount } from '@switchyard/client';
import { hasEnded, hasFailed, isUnderWay, toneOf } from '../../api/status';
import { useClient } from '../../session/session-context';
import { compactNumber } from '../../ui/format';
import { LazyPart } from '../../ui/lazy-part';
import type { Series } from '../../ui/curve';
import type { Ends } from '../../ui/failure-rate';

const Curve = lazy(async () => ({ default: (await import('../../ui/curve')).Curve }));
const FailureRate = lazy(async () => ({ default: (await import('../../ui/failure-rate')).FailureRate }));

const HOUR_MS = 3_600_000;
/** The counters are by the hour: that many bars are one call each. */
const BARS = 12;

const WAITS = 'WAITING_INPUT';
const GROUPS: { name: string; color: string; has: (status: string) => boolean }[] = [
  { name: 'Done', color: 'good', has: (status) => toneOf(status) === 'good' },
  { name: 'Under way', color: 'busy', has: (status) => isUnderWay(status) && status !== WAITS },
  { name: 'Waiting for a person', color: 'warn', has: (status) => status === WAITS },
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

/** Numbers by state over the last twelve hours, and the share of failures. Dragging over it filters the list. */
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
  const ends = useMemo(() => endsOf(data?.hours ?? [], kinds), [data, kinds]);
  const brush = (from: number, to: number): void => onBrush({ from: isoOf(from), to: isoOf(to) });
  if (!data) return <div className="shimmer mb-4 h-44" role="status" aria-label="Loading the counts" />;
  return (
    <section aria-label="Counts by state" className="card mb-4 grid gap-2 p-4">
      <h2 className="text-sm font-semibold">Activity by hour</h2>
      <LazyPart name="The curve" fallback={<div className="h-45" />}>
        <div className="grid gap-x-6 gap-y-3 lg:grid-cols-[2fr_1fr]">
          <Curve
            name="Counts by state"
            unit={`Records an hour, last ${BARS} hours`}
            empty={`Nothing succeeded, runs or waits in the last ${BARS} hours.`}
            look="stacked"
            times={data.times}
            series={series}
            format={compactNumber}
            onBrush={brush}
          />
          <FailureRate times={data.times} ends={ends} onBrush={brush} noun="records" />
        </div>
      </LazyPart>
    </section>
  );
}

const isoOf = (seconds: number): string => new Date(Math.round(seconds) * 1000).toISOString();

const countOf = (hour: readonly ActivityCount[], kinds: readonly string[], has: (status: string) => boolean): number =>
  hour
    .filter(({ kind, status }) => has(status) && (kinds.length === 0 || kinds.includes(kind)))
    .reduce((sum, { count }) => sum + count, 0);

const seriesOf = (hours: readonly ActivityCount[][], kinds: readonly string[]): Series[] =>
  GROUPS.map(({ name, color, has }) => {
    const values = hours.map((hour) => countOf(hour, kinds, has));
    return { name, color, values, figure: compactNumber(values.reduce((sum, value) => sum + value, 0)) };
  });

const endsOf = (hours: readonly ActivityCount[][], kinds: readonly string[]): Ends[] =>
  hours.map((hour) => ({ failed: countOf(hour, kinds, hasFailed), all: countOf(hour, kinds, hasEnded) }));
