import type { ReactNode } from 'react';
import { number } from './format';

/** How much of a limit is used, or how far something is; the numbers say the same as the bar. */
export function Meter({
  label,
  used,
  cap,
  note,
  isGoal = false,
}: {
  label: string;
  used: number;
  cap: number | null;
  note?: ReactNode;
  /** To reach the end is good: progress, not a limit. */
  isGoal?: boolean;
}): ReactNode {
  const share = cap === null || cap === 0 ? 0 : Math.min(1, used / cap);
  return (
    <div className="grid gap-1.5">
      <div className="flex flex-wrap justify-between gap-x-3">
        <span className="text-sm font-medium">{label}</span>
        <span className="text-sm text-soft tabular-nums">
          {cap === null ? `${number(used)}, no limit` : `${number(used)} of ${number(cap)}`}
        </span>
      </div>
      {cap !== null && (
        <div
          role="meter"
          aria-label={label}
          aria-valuemin={0}
          aria-valuemax={cap}
          aria-valuenow={Math.min(used, cap)}
          className="h-2 overflow-hidden rounded-full bg-sunken"
        >
          <div
            className={share > 0.9 && !isGoal ? 'h-full rounded-full bg-bad' : 'h-full rounded-full bg-accent'}
            style={{ width: `${share * 100}%` }}
          />
        </div>
      )}
      {note !== undefined && <p className="text-sm text-faint">{note}</p>}
    </div>
  );
}
