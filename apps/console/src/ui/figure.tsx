import type { ReactNode } from 'react';
import type { UseQueryResult } from '@tanstack/react-query';
import { number, percent } from './format';

interface FigureProps<T> {
  of: UseQueryResult<T>;
  children: (value: T) => ReactNode;
}

/** One number of a row: a bar while it is read, a dash without an answer. */
export function Figure<T>({ of, children }: FigureProps<T>): ReactNode {
  if (of.isPending) return <span className="shimmer inline-block h-4 w-10" aria-hidden="true" />;
  return of.data === undefined ? <span className="text-faint">–</span> : children(of.data);
}

/** Failures and their share, red if there are some. */
export const FailureCount = ({ failed, count }: { failed: number; count: number }): ReactNode =>
  failed === 0 ? (
    <span className="text-faint">0</span>
  ) : (
    <span className="font-medium text-bad">
      {number(failed)} ({percent(failed / count)})
    </span>
  );
