import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import Plot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { exactTime } from './format';

export interface Series {
  name: string;
  /** The name of a token: `good`. */
  color: string;
  values: (number | null)[];
  isDashed?: boolean;
}

interface Props {
  name: string;
  /** Seconds since 1970. */
  times: number[];
  series: readonly Series[];
  height?: number;
  /** Bars that stand on each other, or lines. */
  look?: 'stacked' | 'lines';
  /** The selected range, in seconds. */
  onBrush?: (from: number, to: number) => void;
  format?: (value: number) => string;
  /** In the table. */
  formatCell?: (value: number) => string;
}

/** Two lines: the time, and the day where it changes. */
const AXIS_HEIGHT = 38;

const colorOf = (token: string): string =>
  getComputedStyle(document.documentElement).getPropertyValue(`--${token}`).trim() || '#888';

const followTheme = (onChange: () => void): (() => void) => {
  const watcher = new MutationObserver(onChange);
  watcher.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  return () => watcher.disconnect();
};
const currentTheme = (): string => document.documentElement.dataset['theme'] ?? '';

/** Values over time. Readers who do not see it find the same as a table. */
export function Curve({
  name,
  times,
  series,
  height = 120,
  look = 'lines',
  onBrush,
  format = String,
  formatCell = String,
}: Props): ReactNode {
  const container = useRef<HTMLDivElement>(null);
  const drawn = useRef<Plot | null>(null);
  /** The point that is looked at, by mouse or keys, and where a choice by keys began. */
  const [at, setAt] = useState<number | null>(null);
  const [anchor, setAnchor] = useState<number | null>(null);
  // Its colours are read when it is drawn.
  const theme = useSyncExternalStore(followTheme, currentTheme);
  const brush = useRef(onBrush);
  useEffect(() => {
    brush.current = onBrush;
  });
  useEffect(() => {
    const box = container.current;
    if (!box) return;
    const stacked = look === 'stacked' ? stack(series) : series.map(({ values }) => values);
    const step = stepOf(times);
    const axis: Plot.Axis = {
      stroke: colorOf('ink-faint'),
      grid: { stroke: colorOf('line'), width: 1 },
      ticks: { show: false },
      font: '11px system-ui, sans-serif',
    };
    const plot = new Plot(
      {
        width: box.clientWidth,
        height,
        legend: { show: false },
        cursor: { drag: { x: true, y: false, setScale: false }, points: { show: look === 'lines' } },
        select: { show: true, left: 0, top: 0, width: 0, height: 0 },
        scales: {
          // The first and the last bar are whole.
          x: { range: (_, least, most) => (look === 'stacked' ? [least - step / 2, most + step / 2] : [least, most]) },
          y: { range: (_, __, most) => [0, Math.max(1, most * 1.1)] },
        },
        axes: [
          { ...axis, size: AXIS_HEIGHT },
          { ...axis, size: 46, values: (_, values) => values.map(format) },
        ],
        series: [
          {},
          ...series.map(({ name: label, color, isDashed, values }): Plot.Series => ({
            label,
            stroke: colorOf(color),
            width: look === 'stacked' ? 0 : 2,
            ...(isDashed === true ? { dash: [6, 4] } : {}),
            ...(look === 'stacked'
              ? { fill: colorOf(color), paths: Plot.paths.bars?.({ size: [0.75, 18] }), points: { show: false } }
              : {
                  fill: isDashed === true ? undefined : `${colorOf(color)}1c`,
                  points: { show: times.length < 2 || values.includes(null) },
                }),
          })),
        ],
        hooks: {
          setCursor: [(self) => setAt(self.cursor.idx ?? null)],
          setSelect: [
            (self) => {
              const { left, width } = self.select;
              if (width > 4) brush.current?.(self.posToVal(left, 'x'), self.posToVal(left + width, 'x'));
              self.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
            },
          ],
        },
      },
      [times, ...stacked],
      box,
    );
    drawn.current = plot;
    const watcher = new ResizeObserver(() => plot.setSize({ width: box.clientWidth, height }));
    watcher.observe(box);
    return () => {
      watcher.disconnect();
      plot.destroy();
      drawn.current = null;
    };
  }, [times, series, height, look, format, theme]);
  const last = times.length - 1;
  const lookAt = (next: number): void => {
    const plot = drawn.current;
    const time = times[next];
    if (!plot || time === undefined) return;
    plot.setCursor({ left: plot.valToPos(time, 'x'), top: 0 });
    setAt(next);
  };
  const leave = (): void => {
    setAnchor(null);
    drawn.current?.setCursor({ left: -10, top: -10 });
  };
  const press = (event: KeyboardEvent): void => {
    const slots: Record<string, number> = {
      ArrowLeft: at === null ? last : Math.max(0, at - 1),
      ArrowRight: at === null ? 0 : Math.min(last, at + 1),
      Home: 0,
      End: last,
    };
    const next = slots[event.key];
    if (next !== undefined) {
      setAnchor(event.shiftKey && onBrush ? (anchor ?? at ?? next) : null);
      lookAt(next);
    } else if (event.key === 'Enter' && at !== null && onBrush) {
      const [first, past] = [Math.min(at, anchor ?? at), Math.max(at, anchor ?? at)];
      onBrush(times[first] ?? 0, (times[past] ?? 0) + stepOf(times));
      setAnchor(null);
    } else if (event.key === 'Escape' && at !== null) leave();
    else return;
    event.preventDefault();
  };
  // The focused point, or a range selected with Shift.
  const sent = at === null || times[at] === undefined ? null : at;
  const [from, to] = sent === null ? [0, -1] : [Math.min(sent, anchor ?? sent), Math.max(sent, anchor ?? sent)];
  const values = series.map((one) => `${one.name} ${wordOf(sumOf(one.values.slice(from, to + 1)), format)}`);
  const when = from < to ? `${timeOf(times[from])} to ${timeOf(times[to])}` : timeOf(times[from]);
  return (
    <figure className="min-w-0">
      <div
        role="slider"
        tabIndex={0}
        aria-label={`${name}, point in time`}
        aria-valuemin={0}
        aria-valuemax={Math.max(0, last)}
        aria-valuenow={sent ?? last}
        aria-valuetext={sent === null ? 'None' : `${when}: ${values.join(', ')}`}
        aria-description={onBrush ? 'Arrows read, with Shift they choose, Enter filters.' : 'Arrows read.'}
        onKeyDown={press}
        onBlur={leave}
        className="w-full overflow-hidden rounded-md outline-offset-2"
        style={{ height }}
      >
        <div ref={container} aria-hidden="true" />
      </div>
      {/* Room is kept for it, so that nothing moves under the mouse. */}
      <p aria-hidden="true" className="mt-1 min-h-4 text-xs text-soft tabular-nums">
        {sent !== null && (
          <>
            <span className="font-medium text-ink">{when}</span> {values.join(' · ')}
          </>
        )}
      </p>
      <figcaption className="mt-1 flex flex-wrap gap-x-4 gap-y-1 text-xs text-soft">
        {series.map((one) => (
          <span key={one.name} className="inline-flex items-center gap-1.5">
            <span aria-hidden="true" className="size-2 rounded-xs" style={{ background: `var(--${one.color})` }} />
            {one.name}
          </span>
        ))}
      </figcaption>
      <div className="sr-only">
        <table aria-label={name}>
          <thead>
            <tr>
              <th scope="col">Time</th>
              {series.map((one) => (
                <th key={one.name} scope="col">
                  {one.name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {times.map((time, row) => (
              <tr key={time}>
                <th scope="row">{timeOf(time)}</th>
                {series.map((one) => (
                  <td key={one.name}>{wordOf(one.values[row] ?? null, formatCell)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </figure>
  );
}

const stepOf = (times: readonly number[]): number => (times[1] ?? 0) - (times[0] ?? 0);
const timeOf = (seconds = 0): string => exactTime(new Date(seconds * 1000).toISOString());

/** Null where there is no value to add. */
const sumOf = (values: readonly (number | null)[]): number | null =>
  values.reduce<number | null>((sum, value) => (value === null ? sum : (sum ?? 0) + value), null);
const wordOf = (value: number | null, format: (value: number) => string): string =>
  value === null ? 'none' : format(value);

/** Each on top of those that come after it: the first is drawn first, and is the highest. */
function stack(series: readonly Series[]): (number | null)[][] {
  return series.map((_, from) =>
    (series[from]?.values ?? []).map((_value, at) =>
      series.slice(from).reduce((sum, one) => sum + (one.values[at] ?? 0), 0),
    ),
  );
}
