import { type ReactNode, useEffect, useRef, useSyncExternalStore } from 'react';
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
  /** What was chosen by dragging over it, in seconds. */
  onBrush?: (from: number, to: number) => void;
  format?: (value: number) => string;
}

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
}: Props): ReactNode {
  const place = useRef<HTMLDivElement>(null);
  // Its colours are read when it is drawn.
  const theme = useSyncExternalStore(followTheme, currentTheme);
  const brush = useRef(onBrush);
  useEffect(() => {
    brush.current = onBrush;
  });
  useEffect(() => {
    const box = place.current;
    if (!box) return;
    const stacked = look === 'stacked' ? stack(series) : series.map(({ values }) => values);
    const step = (times[1] ?? 0) - (times[0] ?? 0);
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
        axes: [axis, { ...axis, size: 46, values: (_, values) => values.map(format) }],
        series: [
          {},
          ...series.map(({ name: label, color, isDashed }): Plot.Series => ({
            label,
            stroke: colorOf(color),
            width: look === 'stacked' ? 0 : 2,
            ...(isDashed === true ? { dash: [6, 4] } : {}),
            ...(look === 'stacked'
              ? { fill: colorOf(color), paths: Plot.paths.bars?.({ size: [0.75, 18] }), points: { show: false } }
              : { fill: isDashed === true ? undefined : `${colorOf(color)}1c`, points: { show: times.length < 2 } }),
          })),
        ],
        hooks: {
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
    const watcher = new ResizeObserver(() => plot.setSize({ width: box.clientWidth, height }));
    watcher.observe(box);
    return () => {
      watcher.disconnect();
      plot.destroy();
    };
  }, [times, series, height, look, format, theme]);
  return (
    <figure className="min-w-0">
      <div ref={place} aria-hidden="true" className="w-full overflow-hidden" style={{ height }} />
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
                <th scope="row">{exactTime(new Date(time * 1000).toISOString())}</th>
                {series.map((one) => (
                  <td key={one.name}>{one.values[row] ?? ''}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </figure>
  );
}

/** Each on top of those that come after it: the first is drawn first, and is the highest. */
function stack(series: readonly Series[]): (number | null)[][] {
  return series.map((_, from) =>
    (series[from]?.values ?? []).map((_value, at) =>
      series.slice(from).reduce((sum, one) => sum + (one.values[at] ?? 0), 0),
    ),
  );
}
