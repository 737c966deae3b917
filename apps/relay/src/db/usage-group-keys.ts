import type { UsageGroup } from '@switchyard/contracts';
import type { Tx } from '@switchyard/database';
import { BUSY_DAY_CALLS } from '../domain/usage-period-split';

/** SQL of the group key of a ledger entry, as text. Groups by day use the time of the sum. */
export const VALUES: Readonly<Record<UsageGroup, string>> = {
  day: 'null::text',
  model: 'model',
  agent: 'agent_id::text',
  user: 'user_id::text',
  key: 'key_id',
  source: 'source',
};

/** How far a Space is summed up. */
export interface Summed {
  /** The last entry that the sums hold, by `seq`; 0 before the first sum. */
  until: number;
  /** The last entry of the Space. */
  last: number;
  /** Of the days that were asked for, those that have sums of their hours. */
  busyDays: string[];
}

export async function readSummed(tx: Tx, spaceId: string, days: readonly string[] = []): Promise<Summed> {
  const row = await tx.one<Summed>(
    `select coalesce((select until from usage_summed where space_id = $1), 0)::bigint as until,
       coalesce((select seq from ledger where space_id = $1 order by seq desc limit 1), 0)::bigint as last,
       array(select (extract(epoch from start) * 1000)::bigint::text from usage_sums
              where space_id = $1 and dimension = 'day' and grain = 'day' and start = any($2::timestamptz[])
                and calls > ${BUSY_DAY_CALLS}) as busy_days`,
    [spaceId, days],
  );
  return row ?? { until: 0, last: 0, busyDays: [] };
}
