import { type ReactNode, useMemo } from 'react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { beginOf } from '../../api/period';
import { type RecordOutcome, hasEnded, outcomeOf } from '../../api/status';
import { useRefresh } from '../../api/use-refresh';
import { useInboxCount } from '../../frame/use-inbox-count';
import { useClient } from '../../session/session-context';
import { classes } from '../../ui/class-names';
import { compactNumber } from '../../ui/format';

const LINK = 'rounded underline-offset-2 hover:underline';

/** The last 24 hours in one line, the worst first: each number leads to what it counts. */
export function Summary({ isReady }: { isReady: boolean }): ReactNode {
  const client = useClient();
  const waiting = useInboxCount();
  const { data } = useQuery({
    queryKey: ['activity', 'summary'],
    queryFn: () => client.activity.counts({ from: beginOf('day') }),
    enabled: isReady,
    refetchInterval: 30_000,
  });
  useRefresh(['activity', 'summary'], ({ status }) => hasEnded(status));
  const counts = useMemo(() => {
    const sums: Record<RecordOutcome, number> = { failed: 0, waiting: 0, running: 0, done: 0, none: 0 };
    for (const { status, count } of data ?? []) sums[outcomeOf(status)] += count;
    return sums;
  }, [data]);
  if (!data) return <div className="shimmer mb-4 h-7 max-w-md" role="status" aria-label="Loading the summary" />;
  const parts: { key: string; text: string; to: string; search: Record<string, string>; tone: string }[] = [
    {
      key: 'failed',
      text: `${compactNumber(counts.failed)} failed`,
      to: '/activity',
      search: { status: 'failed', since: 'day' },
      tone: counts.failed > 0 ? 'text-bad' : 'text-soft',
    },
    {
      key: 'waiting',
      text: waiting === 1 ? '1 waits for you' : `${waiting > 99 ? '99+' : waiting} wait for you`,
      to: '/inbox',
      search: {},
      tone: waiting > 0 ? 'text-warn' : 'text-soft',
    },
    ...(counts.running > 0
      ? [
          {
            key: 'running',
            text: `${compactNumber(counts.running)} under way`,
            to: '/activity',
            search: { status: 'running', since: 'day' },
            tone: 'text-busy',
          },
        ]
      : []),
    {
      key: 'fine',
      text: `${compactNumber(counts.done)} fine`,
      to: '/activity',
      search: { status: 'done', since: 'day' },
      tone: counts.done > 0 ? 'text-good' : 'text-soft',
    },
  ];
  return (
    <section aria-label="Summary" className="mb-4 text-lg">
      {parts.map(({ key, text, to, search, tone }, at) => (
        <span key={key}>
          {at > 0 && <span className="text-soft">, </span>}
          <Link to={to} search={search} className={classes(LINK, 'font-semibold', tone)}>
            {text}
          </Link>
        </span>
      ))}{' '}
      <span className="text-sm text-faint">in the last 24 hours</span>
    </section>
  );
}
