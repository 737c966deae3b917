import { type KeyboardEvent, type ReactNode, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import Plot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { SparseBars } from './sparse-bars';
import { exactTime, pointTime } from './format';

export interface Series {
  name: string;
  /** The name of a token: `good`. */
  color: string;
  values: (number | null)[];
  isDashed?: boolean;
  /** Beside its name: its sum, its last value. */
  figure?: string;
}

interface Props {
  name: string;
  /** Above the curve, beside the names: the unit of its values, and their time. */
  unit: string;
  /** Said in place of a curve without values. */
  empty: string;
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
  /** Values are parts of a whole, from 0 to 1. */
  isShare?: boolean;
}

/** Two lines: the time, and the day where it changes. */
const AXIS_HEIGHT = 38;
/** Fewer values than this are cells in a row, without a grid. */
const FEW = 3;
const WHOLE_STEPS = [1, 2, 5]
  .flatMap((step) => Array.from({ length: 15 }, (_, power) => step * 10 ** power))
  .sort((a, b) => a - b);
/** The least that the scale of shares shows: 2% must not look like everything. */
const LEAST_SHARE = 0.1;

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
  unit,
  empty,
  times,
  series,
  height = 120,
  look = 'lines',
  onBrush,
  format = String,
  formatCell = String,
  isShare = false,
}: Props): ReactNode {
  const values = useMemo(() => series.filter(({ isDashed }) => isDashed !== true), [series]);
  const filled = times.filter((_, at) => values.some((one) => (one.values[at] ?? 0) !== 0));
  const isLow = filled.length < FEW && times.length > FEW;
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
  const isEmpty = filled.length === 0;
  useEffect(() => {
    const box = container.current;
    if (!box) return;
    const isBar = ({ isDashed }: Series): boolean => look === 'stacked' && isDashed !== true;
    const drawnValues = look === 'stacked' ? stack(series) : series.map(({ values }) => values);
    const top = topOf(series, drawnValues);
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
          y: {
            range: () => [0, isShare ? Math.min(1, Math.max(LEAST_SHARE, top)) : Math.max(1, top * 1.1)],
          },
        },
        axes: [
          { ...axis, size: AXIS_HEIGHT },
          {
            ...axis,
            size: 46,
            values: (_, values) => values.map(format),
            ...(isShare ? {} : { incrs: WHOLE_STEPS }),
          },
        ],
        series: [
          {},
          ...series.map((one): Plot.Series => ({
            label: one.name,
            stroke: colorOf(one.color),
            width: isBar(one) ? 0 : 2,
            ...(one.isDashed === true ? { dash: [6, 4] } : {}),
            ...(isBar(one)
              ? { fill: colorOf(one.color), paths: Plot.paths.bars?.({ size: [0.75, 18] }), points: { show: false } }
              : {
                  fill: one.isDashed === true ? undefined : `${colorOf(one.color)}1c`,
                  points: { show: one.isDashed !== true && (times.length < 2 || one.values.includes(null)) },
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
      [times, ...drawnValues],
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
  }, [times, series, height, look, format, theme, isEmpty, isLow, isShare]);
  const last = times.length - 1;
  const lookAt = (next: number): void => {
    const plot = drawn.current;
    const time = times[next];
    if (time === undefined) return;
    plot?.setCursor({ left: plot.valToPos(time, 'x'), top: 0 });
    setAt(next);
  };
  const leave = (): void => {
    setAnchor(null);
    setAt(null);
    drawn.current?.setCursor({ left: -10, top: -10 });
  };
  const choose = (first: number, past: number): void =>
    onBrush?.(times[first] ?? 0, (times[past] ?? 0) + stepOf(times));
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
      choose(Math.min(at, anchor ?? at), Math.max(at, anchor ?? at));
      setAnchor(null);
    } else if (event.key === 'Escape' && at !== null) leave();
    else return;
    event.preventDefault();
  };
  // The focused point, or a range selected with Shift.
  const sent = at === null || times[at] === undefined ? null : at;
  const [from, to] = sent === null ? [0, -1] : [Math.min(sent, anchor ?? sent), Math.max(sent, anchor ?? sent)];
  const words = series.map((one) => `${one.name} ${wordOf(sumOf(one.values.slice(from, to + 1)), format)}`);
  const when = from < to ? `${timeOf(times[from])} to ${timeOf(times[to])}` : timeOf(times[from]);
  return (
    <figure className="min-w-0" aria-label={`${name}, ${unit}`}>
      <figcaption className="mb-1.5 flex flex-wrap gap-x-4 gap-y-0.5 text-xs text-soft">
        <span className="text-faint">{unit}</span>
        {!isEmpty && series.filter(isNamed).map((one) => <Named key={one.name} of={one} />)}
      </figcaption>
      {isEmpty ? (
        <p className="text-sm text-soft">{empty}</p>
      ) : (
        <>
          <div
            role="slider"
            tabIndex={0}
            aria-label={`${name}, point in time`}
            aria-valuemin={0}
            aria-valuemax={Math.max(0, last)}
            aria-valuenow={sent ?? last}
            aria-valuetext={sent === null ? 'None' : `${when}: ${words.join(', ')}`}
            aria-description={onBrush ? 'Arrows read, with Shift they choose, Enter filters.' : 'Arrows read.'}
            onKeyDown={press}
            onBlur={leave}
            className="w-full overflow-hidden rounded-md outline-offset-2"
            style={isLow ? undefined : { height }}
          >
            {isLow ? (
              <div aria-hidden="true">
                <SparseBars
                  {...{ times, at, isShare }}
                  series={values}
                  isStacked={look === 'stacked'}
                  onFocus={setAt}
                  onSelect={(index) => choose(index, index)}
                />
              </div>
            ) : (
              <div ref={container} aria-hidden="true" />
            )}
          </div>
          {/* Always as high as a line, so that nothing moves under the mouse. */}
          <p aria-hidden="true" className="mt-1 min-h-[1lh] text-xs text-soft tabular-nums">
            {sent !== null && (
              <>
                <span className="font-medium text-ink">{when}</span> {words.join(' · ')}
              </>
            )}
            {sent === null && isLow && `${filled.map((time) => pointTime(time, times)).join(' and ')} only`}
          </p>
        </>
      )}
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

/** A series of zeros has no name above the curve; the table has it. */
const isNamed = ({ values }: Series): boolean => values.some((value) => (value ?? 0) !== 0);

const Named = ({ of: { name, color, isDashed, figure } }: { of: Series }): ReactNode => (
  <span className="inline-flex items-center gap-1.5">
    <span
      aria-hidden="true"
      className={isDashed === true ? 'w-3 border-t-2 border-dashed' : 'size-2 rounded-xs'}
      style={isDashed === true ? { borderColor: `var(--${color})` } : { background: `var(--${color})` }}
    />
    {name}
    {figure !== undefined && <span className="font-semibold text-ink tabular-nums">{figure}</span>}
  </span>
);

const stepOf = (times: readonly number[]): number => (times[1] ?? 0) - (times[0] ?? 0);
const timeOf = (seconds = 0): string => exactTime(new Date(seconds * 1000).toISOString());

/** Null where there is no value to add. */
const sumOf = (values: readonly (number | null)[]): number | null =>
  values.reduce<number | null>((sum, value) => (value === null ? sum : (sum ?? 0) + value), null);
const wordOf = (value: number | null, format: (value: number) => string): string =>
  value === null ? 'none' : format(value);

/** A line this many times as high as the highest value is off the scale, or it would flatten all values. */
const FAR = 4;

/** The highest value that is drawn. */
function topOf(series: readonly Series[], drawn: readonly (number | null)[][]): number {
  const highest = (isLine: boolean): number[] =>
    series.flatMap(({ isDashed = false }, at) =>
      isDashed === isLine ? (drawn[at] ?? []).map((value) => value ?? 0) : [],
    );
  const most = Math.max(0, ...highest(false));
  return Math.max(most, ...highest(true).filter((line) => line <= most * FAR));
}

/** Each on top of those that come after it: the first is drawn first, and is the highest. Dashed lines stay as they are. */
function stack(series: readonly Series[]): (number | null)[][] {
  return series.map(({ values, isDashed }, from) =>
    isDashed === true
      ? values
      : values.map((_value, at) =>
          series.slice(from).reduce((sum, one) => sum + (one.isDashed === true ? 0 : (one.values[at] ?? 0)), 0),
        ),
  );
}
