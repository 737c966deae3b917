import type { ReactNode } from 'react';
import { classes } from './class-names';
import { compactNumber, number } from './format';

/** How much of a limit is used, or how far something is; the numbers say the same as the bar. */
export function Meter({
  label,
  used,
  cap,
  note,
  isGoal = false,
  isSmall = false,
}: {
  label: string;
  used: number;
  cap: number | null;
  note?: ReactNode;
  /** To reach the end is good: progress, not a limit. */
  isGoal?: boolean;
  /** In a list: rounded numbers, the exact ones on hover. */
  isSmall?: boolean;
}): ReactNode {
  const isSpent = cap !== null && used >= cap && !isGoal;
  const share = isSpent ? 1 : cap === null || cap === 0 ? 0 : Math.min(1, used / cap);
  const wordOf = isSmall ? compactNumber : number;
  const text = (write: (value: number) => string): string =>
    cap === null ? `${write(used)}, no limit` : `${write(used)} of ${write(cap)}`;
  return (
    <div className={classes('grid', isSmall ? 'gap-0.5 text-xs' : 'gap-1.5 text-sm')}>
      <div className="flex flex-wrap justify-between gap-x-3">
        <span className={isSmall ? 'text-faint' : 'font-medium'}>{label}</span>
        <span
          className={classes('tabular-nums', isSpent ? 'font-medium text-bad' : 'text-soft')}
          title={isSmall ? text(number) : undefined}
        >
          {text(wordOf)}
        </span>
      </div>
      {cap !== null && (
        <div
          role="meter"
          aria-label={label}
          aria-valuemin={0}
          aria-valuemax={cap}
          aria-valuenow={Math.min(used, cap)}
          className={classes('overflow-hidden rounded-full', isSmall ? 'h-1 bg-line' : 'h-2 bg-sunken')}
        >
          <div
            className={share > 0.9 && !isGoal ? 'h-full rounded-full bg-bad' : 'h-full rounded-full bg-accent'}
            style={{ width: `${share * 100}%` }}
          />
        </div>
      )}
      {note !== undefined && <p className={isSpent ? 'text-bad' : 'text-faint'}>{note}</p>}
    </div>
  );
}
