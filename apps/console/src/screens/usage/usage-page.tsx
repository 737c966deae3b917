import { type ReactNode, useMemo, useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useFilters } from '../../api/use-filters';
import { useClient, useMay } from '../../session/session-context';
import { Button } from '../../ui/button';
import { ChipSelect, Chips } from '../../ui/chips';
import { Page } from '../../ui/page';
import { ErrorState, Loading } from '../../ui/states';
import { BalanceCards } from './balance-cards';
import { Breakdown } from './breakdown';
import { BurnCurves } from './burn-curves';
import { CreditsDialog } from './credits-dialog';
import { dayOf, everyDay, forecastOf } from './forecast';
import { Ledger } from './ledger';
import { GROUPS, SPANS, usageSearch } from './search-params';
import { useNames } from './use-names';

const DAY_MS = 86_400_000;

export function UsagePage(): ReactNode {
  const client = useClient();
  const isOwner = useMay('OWNER');
  // An operator of the platform credits Spaces, unless its configuration leaves that to their owners.
  const { data: me } = useQuery({ queryKey: ['me'], queryFn: () => client.auth.me(), enabled: isOwner });
  const mayCredit = isOwner && me?.platform?.ownersMayCredit === true;
  const names = useNames();
  const [{ days = '30', by = 'model' }, change] = useFilters(usageSearch);
  const [isCrediting, setCrediting] = useState(false);
  const span = Number(days);
  const today = dayOf(Date.now());
  const from = `${dayOf(Date.parse(today) - (span - 1) * DAY_MS)}T00:00:00.000Z`;
  const { data, error, refetch } = useQuery({
    queryKey: ['usage', 'burn', from],
    queryFn: async () => {
      const [balance, rows] = await Promise.all([client.usage.balance(), client.usage.read({ groupBy: 'day', from })]);
      return { balance, rows: rows.map(({ day, tokens }) => ({ day: day ?? '', tokens })), now: Date.now() };
    },
    refetchInterval: 30_000,
    placeholderData: (before) => before,
  });
  const burn = useMemo(() => {
    if (data === undefined) return null;
    const { balance, rows, now } = data;
    const remaining = balance.balance - (balance.minimumBalance ?? 0);
    return { balance, now, burns: everyDay(rows, span, now), forecast: forecastOf(rows, remaining, now) };
  }, [data, span]);
  return (
    <Page
      title="Usage"
      description="Tokens and cost of this Space, and how long the balance lasts."
      actions={
        mayCredit && (
          <Button
            look="primary"
            icon={<Plus className="size-4" aria-hidden="true" />}
            onClick={() => setCrediting(true)}
          >
            Add credits
          </Button>
        )
      }
    >
      {burn === null ? (
        error ? (
          <ErrorState error={error} onRetry={() => void refetch()} />
        ) : (
          <Loading label="Loading the balance" lines={6} />
        )
      ) : (
        <>
          <BalanceCards {...burn} />
          <BurnCurves {...burn} />
        </>
      )}
      <div className="mb-3">
        <Chips label="Filters">
          <ChipSelect
            label="Time"
            value={String(span)}
            onChange={(days) => change({ days })}
            options={SPANS.map((days) => ({ value: days, label: `Last ${days} days` }))}
          />
          <ChipSelect
            label="Group by"
            value={by}
            onChange={(next) => change({ by: next })}
            options={GROUPS.map((group) => ({ value: group, label: `By ${group}` }))}
          />
        </Chips>
      </div>
      <Breakdown by={by} from={from} names={names} />
      <h2 className="mt-6 mb-2 text-lg font-semibold">Ledger</h2>
      <Ledger names={names} />
      <CreditsDialog open={isCrediting} onClose={() => setCrediting(false)} />
    </Page>
  );
}
