import { Injectable } from '@nestjs/common';
import { USAGE_GROUPS } from '@switchyard/contracts';
import type { Read, Tx } from '@switchyard/database';
import { BUSY_DAY_CALLS } from '../domain/usage-period-split';
import { VALUES } from './usage-group-keys';

/**
 * So many entries of a Space may wait: with a question they are read in a millisecond. Each look reads those that wait
 * in all Spaces at work, so more would make it dearer.
 */
const WAITING = 500;
/** A transaction sums up no more, so that it takes a tenth of a second. */
const ENTRIES_AT_ONCE = 2_000;

const COLUMNS = `created_at, tokens, prompt_tokens, completion_tokens, cost, ${Object.values(VALUES).slice(1).join(', ')}`;
const DIMENSIONS = USAGE_GROUPS.map((group) => `('${group}', ${VALUES[group]})`).join(', ');

/** Adds the entries of `slice` to the sums of one grain. */
const addSums = (grain: 'day' | 'hour'): string => `
  sums as (
    select dimension, date_trunc('${grain}', created_at, 'UTC') as start, value, count(*) as calls,
      coalesce(sum(prompt_tokens), 0) as prompt_tokens, coalesce(sum(completion_tokens), 0) as completion_tokens,
      sum(-tokens) as tokens, coalesce(sum(cost), 0) as cost
    from slice cross join lateral (values ${DIMENSIONS}) as of (dimension, value) group by 1, 2, 3),
  added as (
    insert into usage_sums as s
      (space_id, dimension, grain, start, value, calls, prompt_tokens, completion_tokens, tokens, cost)
    select $1, dimension, '${grain}', start, value, calls, prompt_tokens, completion_tokens, tokens, cost from sums
    on conflict (space_id, dimension, grain, start, value) do update set calls = s.calls + excluded.calls,
      prompt_tokens = s.prompt_tokens + excluded.prompt_tokens,
      completion_tokens = s.completion_tokens + excluded.completion_tokens,
      tokens = s.tokens + excluded.tokens, cost = s.cost + excluded.cost
    returning s.dimension, s.start, s.calls)`;

/**
 * Sums up the ledger. Every settlement locks the account of its Space before it writes, so the entries of a Space
 * commit in the order of `seq`: once one is seen, all before it are, and none comes later. So what is summed up needs
 * no clock, no lock of an account, and no waiting.
 */
@Injectable()
export class UsageSumsRepository {
  /**
   * Spaces after `after`, in order, and whether more of their entries wait than may; without `isFirst`, only those that
   * have settled something since yesterday.
   */
  spacesAfter(after: string, limit: number, isFirst: boolean): Read {
    return {
      name: 'spaces-to-sum-up',
      params: [after, limit, isFirst],
      sql: `select a.space_id as id, (select l.seq from ledger l where l.space_id = a.space_id
                and l.seq > coalesce((select until from usage_summed u where u.space_id = a.space_id), 0)
              order by l.seq offset ${WAITING - 1} limit 1) is not null as is_due
            from accounts a
            where a.space_id > $1::uuid and ($3::boolean or a.day >= (statement_timestamp() at time zone 'utc')::date - 1)
            order by a.space_id limit $2::int`,
    };
  }

  /**
   * Sums the next entries of a Space: those after the last sum, up to `limit`. Sum and position commit together, so no
   * entry counts twice. Says whether there may be more; while another process sums up this Space, it says no.
   */
  async sumUp(tx: Tx, spaceId: string, limit = ENTRIES_AT_ONCE): Promise<boolean> {
    if (!(await lock(tx, spaceId))) return false;
    const slice = await nextSlice(tx, spaceId, limit);
    if (slice === null) return false;
    const days = await addDays(tx, spaceId, slice);
    await addHours(tx, spaceId, slice, days);
    await tx.run(
      `insert into usage_summed (space_id, until) values ($1, $2)
       on conflict (space_id) do update set until = excluded.until`,
      [spaceId, slice.until],
    );
    return slice.isFull;
  }
}

interface Slice {
  since: number;
  until: number;
  isFull: boolean;
}

interface DaySum {
  start: string;
  calls: number;
  /** Of those, by this slice. */
  added: number;
}

async function lock(tx: Tx, spaceId: string): Promise<boolean> {
  const row = await tx.one<{ isMine: boolean }>('select pg_try_advisory_xact_lock(74103, hashtext($1)) as is_mine', [
    spaceId,
  ]);
  return row?.isMine ?? false;
}

async function nextSlice(tx: Tx, spaceId: string, limit: number): Promise<Slice | null> {
  const row = await tx.one<{ since: number; full: number | null; last: number | null }>(
    `select since, (select seq from ledger where space_id = $1 and seq > since order by seq offset $2 limit 1) as full,
       (select seq from ledger where space_id = $1 order by seq desc limit 1) as last
     from (select coalesce((select until from usage_summed where space_id = $1), 0)::bigint as since) s`,
    [spaceId, limit - 1],
  );
  const until = row?.full ?? row?.last ?? null;
  if (!row || until === null || until <= row.since) return null;
  return { since: row.since, until, isFull: row.full !== null };
}

function addDays(tx: Tx, spaceId: string, { since, until }: Slice): Promise<DaySum[]> {
  return tx.query<DaySum>(
    `with slice as (
       select ${COLUMNS} from ledger where space_id = $1 and type = 'SETTLEMENT' and seq > $2 and seq <= $3),
     ${addSums('day')}
     select start, added.calls, sums.calls as added from added join sums using (dimension, start)
      where dimension = 'day'`,
    [spaceId, since, until],
  );
}

/** Of busy days alone: of others their hours would take more room than their entries, which are soon read. */
async function addHours(tx: Tx, spaceId: string, { since, until }: Slice, days: readonly DaySum[]): Promise<void> {
  const busy = days.filter(({ calls }) => calls > BUSY_DAY_CALLS);
  if (busy.length === 0) return;
  const hadHours = busy.filter(({ calls, added }) => calls - added > BUSY_DAY_CALLS);
  const starts = (some: readonly DaySum[]): string[] => some.map(({ start }) => start);
  await tx.run(
    `with slice as (
       select ${COLUMNS} from ledger where space_id = $1 and type = 'SETTLEMENT' and seq > $2 and seq <= $3
          and date_trunc('day', created_at, 'UTC') = any($4::timestamptz[])
       union all
       select ${COLUMNS} from unnest($5::timestamptz[]) as day (at) join ledger on space_id = $1 and type = 'SETTLEMENT'
          and seq <= $3 and created_at >= day.at and created_at < day.at + interval '24 hours'),
     ${addSums('hour')}
     select count(*) from added`,
    [spaceId, since, until, starts(hadHours), starts(busy.filter((day) => !hadHours.includes(day)))],
  );
}
