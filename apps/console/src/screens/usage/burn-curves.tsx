import { type ReactNode, lazy, useMemo } from 'react';
import type { Balance } from '@switchyard/client';
import type { Series } from '../../ui/curve';
import { compactNumber } from '../../ui/format';
import { LazyPart } from '../../ui/lazy-part';
import { Section } from '../../ui/page';
import { type Burn, type Forecast, balanceAhead } from './forecast';

const Curve = lazy(async () => ({ default: (await import('../../ui/curve')).Curve }));

/** Noon of UTC: the same day in nearly every zone. */
const timesOf = (burns: readonly Burn[]): number[] => burns.map(({ day }) => Date.parse(`${day}T12:00:00Z`) / 1000);
const valuesOf = (burns: readonly Burn[]): number[] => burns.map(({ tokens }) => tokens);
const lineOf = (name: string, value: number | null, length: number): Series[] =>
  value === null
    ? []
    : [
        {
          name,
          color: 'bad',
          isDashed: true,
          values: Array<number>(length).fill(value),
          figure: compactNumber(value),
        },
      ];
const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

const AHEAD_DAYS = 90;

interface Props {
  burns: readonly Burn[];
  balance: Balance;
  forecast: Forecast;
  now: number;
}

/** Usage by day, and how long the balance lasts at that rate. Limits are drawn as lines. */
export function BurnCurves({ burns, balance: { balance, dailyCap, minimumBalance }, forecast, now }: Props): ReactNode {
  const burn = useMemo(
    () => ({
      times: timesOf(burns),
      series: [
        {
          name: 'Tokens',
          color: 'accent',
          values: valuesOf(burns),
          figure: `${compactNumber(sumOf(valuesOf(burns)))} in all, ${compactNumber(Math.max(0, ...valuesOf(burns)))} at most`,
        },
        ...lineOf('Daily token cap', dailyCap, burns.length),
      ],
    }),
    [burns, dailyCap],
  );
  const upcoming = useMemo(() => {
    const rows = balanceAhead(balance, forecast, AHEAD_DAYS, now);
    return {
      times: timesOf(rows),
      series: [
        {
          name: 'Balance',
          color: 'good',
          values: valuesOf(rows),
          figure: `${compactNumber(balance)} now, ${compactNumber(rows.at(-1)?.tokens ?? 0)} after ${rows.length - 1} days`,
        },
        ...lineOf('Minimum balance', minimumBalance, rows.length),
      ],
    };
  }, [balance, forecast, minimumBalance, now]);
  return (
    <div className="grid grid-cols-1 items-start gap-x-4 xl:grid-cols-2">
      <Section title="Tokens a day">
        <LazyPart name="The curve" fallback={<div className="h-46" />}>
          <Curve
            name="Tokens a day"
            unit={`Tokens, by the day (UTC), last ${burns.length} days`}
            empty="No tokens used in this time."
            look="stacked"
            height={160}
            format={compactNumber}
            {...burn}
          />
        </LazyPart>
      </Section>
      <Section title="Balance forecast">
        <LazyPart name="The curve" fallback={<div className="h-46" />}>
          <Curve
            name="Balance forecast"
            unit="Tokens left, at the use of the last days"
            empty="The balance is used up."
            height={160}
            format={compactNumber}
            {...upcoming}
          />
        </LazyPart>
      </Section>
    </div>
  );
}
