import type { ReactNode } from 'react';
import type { Balance } from '@switchyard/client';
import { exactTime, number } from '../../ui/format';
import { Meter } from '../../ui/meter';
import { FORECAST_DAYS, type Forecast } from './forecast';

const days = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' });
/** A forecast beyond this is not useful. */
const FAR_MS = 5 * 365 * 86_400_000;

interface Props {
  balance: Balance;
  forecast: Forecast;
  now: number;
}

/** Balance, reserved tokens, today's usage, and when the balance runs out. */
export function BalanceCards({ balance, forecast, now }: Props): ReactNode {
  const floor = balance.minimumBalance ?? 0;
  return (
    <div className="mb-4 grid gap-3 sm:grid-cols-2 xl:grid-cols-4">
      <Card
        name="Balance"
        value={number(balance.balance)}
        note={floor > 0 ? `Model calls stop below ${number(floor)}.` : 'Model calls stop at 0.'}
        isBad={balance.balance <= floor}
      />
      <Card
        name="Reserved"
        value={number(balance.reserved)}
        note="Reserved by running calls, released when they end."
      />
      <section aria-label="Today" className="card p-4">
        <Meter
          label="Today"
          used={balance.dailyUsed}
          cap={balance.dailyCap}
          note={`Resets at ${exactTime(balance.resetsAt)}.`}
        />
      </section>
      <Card name="Balance ends" {...endOf(balance.balance <= floor, forecast, now)} />
    </div>
  );
}

function endOf(isOver: boolean, { rate, endsAt }: Forecast, now: number): { value: string; note: string } {
  if (isOver) return { value: 'Now', note: 'The balance is used up.' };
  if (endsAt === null) return { value: 'No end date', note: `No model calls in ${FORECAST_DAYS} days.` };
  const note = `At ${number(Math.ceil(rate))} tokens a day, as in the last ${FORECAST_DAYS} days.`;
  return { value: endsAt - now > FAR_MS ? 'In more than 5 years' : days.format(endsAt), note };
}

interface CardProps {
  name: string;
  value: string;
  note: string;
  isBad?: boolean;
}

const Card = ({ name, value, note, isBad = false }: CardProps): ReactNode => (
  <section aria-label={name} className="card grid content-start gap-0.5 p-4">
    <h2 className="text-sm font-medium">{name}</h2>
    <p className={isBad ? 'text-xl font-semibold text-bad' : 'text-xl font-semibold'}>{value}</p>
    <p className="text-sm text-faint">{note}</p>
  </section>
);
