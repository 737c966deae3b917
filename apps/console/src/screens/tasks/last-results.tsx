import type { ReactNode } from 'react';
import { Link } from '@tanstack/react-router';
import { toneOf, wordsOf } from '../../ui/badge';
import { exactTime } from '../../ui/format';
import { useLastRuns } from './use-last-runs';

/** Each outcome has a height of its own: it is not told by the colour alone. */
const BARS = {
  good: 'h-4 bg-good',
  bad: 'h-6 bg-bad',
  warn: 'h-5 bg-warn',
  busy: 'h-3 bg-busy',
  none: 'h-2 bg-line-strong',
} as const;

interface Props {
  taskId: string;
}

/** The last ten as marks, the newest at the end; each says what it was, leads to it, and has room for a finger. */
export function LastResults({ taskId }: Props): ReactNode {
  const { data, isPending } = useLastRuns(taskId);
  if (isPending) return <span className="shimmer inline-block h-4 w-24" aria-hidden="true" />;
  // Without an answer nothing is claimed.
  if (data === undefined) return <span className="text-faint">–</span>;
  if (data.length === 0) return <span className="text-faint">no runs</span>;
  return (
    <span className="inline-flex max-w-60 flex-wrap items-end align-middle">
      {data.toReversed().map(({ id, status, createdAt }) => {
        const words = `${wordsOf(status)}, ${exactTime(createdAt)}`;
        return (
          <Link
            key={id}
            to={`/executions/${id}`}
            aria-label={words}
            title={words}
            className="flex size-6 items-end justify-center pb-1 hover:opacity-70"
          >
            <span className={`w-2 rounded-sm ${BARS[toneOf(status)]}`} />
          </Link>
        );
      })}
    </span>
  );
}
