import { type ReactNode, lazy, useMemo } from 'react';
import { useQuery } from '@tanstack/react-query';
import type { AgentLatency as Latency } from '@switchyard/client';
import { useFilters } from '../../api/use-filters';
import { useClient } from '../../session/session-context';
import { SelectField } from '../../ui/field';
import { Facts } from '../../ui/facts';
import { duration, number } from '../../ui/format';
import { LazyPart } from '../../ui/lazy-part';
import { Section } from '../../ui/page';
import { ErrorState, Loading } from '../../ui/states';
import { agentSearch, type LatencyPeriod } from './search-params';

const Curve = lazy(async () => ({ default: (await import('../../ui/curve')).Curve }));
const FailureRate = lazy(async () => ({ default: (await import('../../ui/failure-rate')).FailureRate }));

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const PERIODS: Record<LatencyPeriod, { name: string; interval: Latency['interval']; points: number }> = {
  day: { name: 'Last 24 hours', interval: 'hour', points: 24 },
  week: { name: 'Last 7 days', interval: 'hour', points: 7 * 24 },
  quarter: { name: 'Last 90 days', interval: 'day', points: 90 },
};

/** How long the turns of an agent took: half of them, and nearly all of them. */
export function AgentLatency({ agentId }: { agentId: string }): ReactNode {
  const client = useClient();
  const [{ latency: period = 'day' }, change] = useFilters(agentSearch);
  const { interval, points } = PERIODS[period];
  const stepMs = interval === 'hour' ? HOUR_MS : DAY_MS;
  const query = useQuery({
    queryKey: ['agent', agentId, 'latency', period],
    queryFn: () => {
      const last = Math.floor(Date.now() / stepMs) * stepMs;
      const [from, to] = [new Date(last - (points - 1) * stepMs), new Date(last + stepMs)];
      return client.agents.latency(agentId, { interval, from: from.toISOString(), to: to.toISOString() });
    },
    refetchInterval: 60_000,
    placeholderData: (before) => before,
  });
  const { data } = query;
  const drawn = useMemo(() => (data ? drawingOf(data) : null), [data]);
  return (
    <Section
      title="Latency"
      actions={
        <SelectField
          label="Latency of"
          hideLabel
          value={period}
          onChange={(next) => change({ latency: next })}
          options={Object.entries(PERIODS).map(([value, { name }]) => ({ value, label: name }))}
          className="w-40"
        />
      }
    >
      {query.error && !data && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
      {query.isPending && <Loading label="Loading the latency" lines={4} />}
      {data && drawn && (
        <div className="grid gap-4">
          <Facts
            of={[
              ['Turns', number(data.total.count)],
              ['Failed', number(data.total.failed)],
              ['Half took at most', lengthOf(data.total.p50Ms)],
              ['95% took at most', lengthOf(data.total.p95Ms)],
              ['Longest', lengthOf(data.total.longestMs)],
            ]}
          />
          {data.total.count === 0 ? (
            <p className="text-soft">No turn of this agent has ended in this time.</p>
          ) : (
            <LazyPart name="The curve" fallback={<div className="h-46" />}>
              <div className="grid gap-3">
                <Curve
                  name="Latency"
                  unit={`Time of a turn, by the ${interval}`}
                  empty="No turn of this agent has ended in this time."
                  height={160}
                  format={duration}
                  formatCell={duration}
                  times={drawn.times}
                  series={drawn.series}
                />
                <FailureRate times={drawn.times} ends={drawn.ends} noun="turns" />
              </div>
            </LazyPart>
          )}
          <p className="text-sm text-faint">
            From the start of a turn to its end, without the time in which it waited for a person. Cancelled turns are
            left out.
          </p>
        </div>
      )}
    </Section>
  );
}

const lengthOf = (ms: number | null): string => (ms === null ? '–' : duration(ms));

/** One place for each hour or day, also where no turn has ended. */
function drawingOf({ from, to, interval, overTime }: Latency) {
  const stepMs = interval === 'hour' ? HOUR_MS : DAY_MS;
  const byId = new Map(overTime.map((one) => [Date.parse(one.at), one]));
  const starts = Array.from(
    { length: Math.round((Date.parse(to) - Date.parse(from)) / stepMs) },
    (_, index) => Date.parse(from) + index * stepMs,
  );
  return {
    times: starts.map((start) => start / 1000),
    ends: starts.map((start) => {
      const { count = 0, failed = 0 } = byId.get(start) ?? {};
      return { all: count, failed };
    }),
    series: [
      { name: '95% took at most', color: 'warn', values: starts.map((start) => byId.get(start)?.p95Ms ?? null) },
      { name: 'Half took at most', color: 'accent', values: starts.map((start) => byId.get(start)?.p50Ms ?? null) },
    ],
  };
}
