import { type ReactNode, useMemo } from 'react';
import { Curve } from './curve';
import { number, percent } from './format';

/** Records that ended in an hour or a day. */
export interface Ends {
  failed: number;
  all: number;
}

interface Props {
  times: number[];
  ends: readonly Ends[];
  /** Plural: "records". */
  noun: string;
  onBrush?: (from: number, to: number) => void;
}

const HEIGHT = 120;

/** The share that failed, on a scale of its own. Without a failure it is one line of text. */
export function FailureRate({ times, ends, noun, onBrush }: Props): ReactNode {
  const failed = ends.reduce((sum, one) => sum + one.failed, 0);
  const all = ends.reduce((sum, one) => sum + one.all, 0);
  const series = useMemo(
    () => [
      {
        name: 'Failed',
        color: 'bad',
        values: ends.map((one) => (one.all === 0 ? null : one.failed / one.all)),
        figure: `${percent(failed / Math.max(1, all))} (${number(failed)} of ${number(all)})`,
      },
    ],
    [ends, failed, all],
  );
  if (all === 0) return null;
  return (
    <Curve
      name="Failure rate"
      unit={`Share of the ${noun} that ended`}
      empty={`None of ${number(all)} ${noun} failed.`}
      look="stacked"
      isShare
      height={HEIGHT}
      times={times}
      series={series}
      format={percent}
      formatCell={percent}
      {...(onBrush ? { onBrush } : {})}
    />
  );
}
