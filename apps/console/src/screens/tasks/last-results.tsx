import type { ReactNode } from 'react';
import { Link } from '@tanstack/react-router';
import type { Execution } from '@switchyard/client';
import { toneOf, wordsOf } from '../../ui/badge';
import { exactTime } from '../../ui/format';

const BARS = { good: 'bg-good', bad: 'bg-bad', warn: 'bg-warn', busy: 'bg-busy', none: 'bg-line-strong' } as const;

/** The last ten as marks, the newest at the right; each says what it was and leads to it. */
export function LastResults({ executions }: { executions: readonly Execution[] }): ReactNode {
  if (executions.length === 0) return <span className="text-faint">no runs</span>;
  return (
    <span className="inline-flex gap-0.5">
      {executions.toReversed().map(({ id, status, createdAt }) => {
        const words = `${wordsOf(status)}, ${exactTime(createdAt)}`;
        return (
          <Link
            key={id}
            to={`/executions/${id}`}
            aria-label={words}
            title={words}
            className={`h-5 w-2 rounded-sm hover:opacity-70 ${BARS[toneOf(status)]}`}
          />
        );
      })}
    </span>
  );
}
