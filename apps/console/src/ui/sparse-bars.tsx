import type { MouseEvent, ReactNode } from 'react';
import { classes } from './class-names';
import { pointTime } from './format';

interface Props {
  /** Seconds since 1970. */
  times: readonly number[];
  series: readonly { color: string; values: readonly (number | null)[] }[];
  /** Values stand on each other; otherwise the highest of a time is shown. */
  isStacked: boolean;
  /** Values are parts of a whole, from 0 to 1. */
  isShare: boolean;
  /** The focused point. */
  at: number | null;
  onFocus: (at: number | null) => void;
  onSelect: (at: number) => void;
}

/** A value is seen, however small it is beside the highest. */
const LEAST_PERCENT = 20;
/** More cells than this have no gaps. */
const SPACED = 48;

/** One or two values of a long time: a low row of cells, where a chart would be an empty grid around a bar. */
export function SparseBars({ times, series, isStacked, isShare, at, onFocus, onSelect }: Props): ReactNode {
  const cells = times.map((_, index) => {
    const parts = series
      .map(({ color, values }) => ({ color, value: values[index] ?? 0 }))
      .filter(({ value }) => value > 0);
    const shown = isStacked ? parts : parts.toSorted((a, b) => b.value - a.value).slice(0, 1);
    return { parts: shown, sum: shown.reduce((sum, { value }) => sum + value, 0) };
  });
  const most = isShare ? 1 : Math.max(...cells.map(({ sum }) => sum));
  const indexOf = ({ clientX, currentTarget }: MouseEvent): number => {
    const { left, width } = currentTarget.getBoundingClientRect();
    return Math.max(0, Math.min(times.length - 1, Math.floor(((clientX - left) / width) * times.length)));
  };
  return (
    <>
      <div
        className={classes('flex h-6', times.length <= SPACED && 'gap-0.5')}
        onMouseMove={(event) => onFocus(indexOf(event))}
        onMouseLeave={() => onFocus(null)}
        onClick={(event) => onSelect(indexOf(event))}
      >
        {cells.map(({ parts, sum }, index) => (
          <span
            key={index}
            className={classes(
              'flex min-w-0 flex-1 flex-col justify-end overflow-hidden',
              times.length <= SPACED && 'rounded-xs',
              index === at ? 'bg-line-strong' : 'bg-sunken',
            )}
          >
            {sum > 0 && (
              <span
                className="flex flex-col"
                style={{ height: `${Math.max(LEAST_PERCENT, Math.min(1, sum / most) * 100)}%` }}
              >
                {parts.map(({ color, value }) => (
                  <span key={color} style={{ flexGrow: value / sum, background: `var(--${color})` }} />
                ))}
              </span>
            )}
          </span>
        ))}
      </div>
      <div className="mt-1 flex justify-between text-xs text-faint">
        <span>{pointTime(times[0] ?? 0, times)}</span>
        {times.length > 1 && <span>{pointTime(times.at(-1) ?? 0, times)}</span>}
      </div>
    </>
  );
}
