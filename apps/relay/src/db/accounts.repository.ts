import { Injectable } from '@nestjs/common';
import type { Database, Read as Statement, Tx } from '@switchyard/database';
import { newId } from '@switchyard/kernel';
import { THIS_MONTH, TODAY } from './key-accounts.repository';

/** What a reservation remembers of its call, for whoever has to settle it. */
export interface CallFacts {
  model: string;
  promptTokens: number;
  source: string;
  agentId?: string;
  sessionId?: string;
  turnId?: string;
  taskId?: string;
  jobId?: string;
  userId: string | null;
  keyId: string | null;
  requestKey?: string;
}

export interface Wanted {
  spaceId: string;
  id: string;
  tokens: number;
  minimumBalance: number | null;
  dailyTokenCap: number | null;
  facts: CallFacts;
  /** The caller's key, where it has token limits. */
  key?: WantedKey;
}

export interface WantedKey {
  id: string;
  dailyTokens: number | null;
  monthlyTokens: number | null;
}

export interface Verdict {
  id: string;
  admitted: boolean;
  balance: number;
  reserved: number;
  dailyUsed: number;
  /** The rest is only there for keys with limits. */
  keyMissing?: boolean;
  keyReserved?: number;
  keyDailyUsed?: number;
  keyMonthlyUsed?: number;
}

/** What a settled call leaves in the ledger; null releases the reservation and leaves nothing. */
export interface LedgerEntry extends Partial<CallFacts> {
  entryId: string;
  upstream: string | null;
  completionTokens: number;
  cost: number;
  estimated: boolean;
  outcome: string;
}

export interface Due {
  spaceId: string;
  id: string;
  tokens: number;
  entry: LedgerEntry | null;
}

export interface AccountRow {
  balance: number;
  reserved: number;
  dailyUsed: number;
}

/**
 * Decides and reserves for many calls, in their order, in one statement: the account rows are locked, so what is
 * decided here holds. A Space without an account yet is missing in the answer. `refusalOf` names the same rule.
 * It does not wait for the disk: should the database die, the reservations of its last moments are gone as a whole,
 * account and row together. What is owed is written by the settlement, which does wait.
 */
const ADMIT = `
  with wanted as (
    select * from unnest($1::uuid[], $2::uuid[], $3::bigint[], $4::bigint[], $5::bigint[], $6::text[])
      with ordinality as w (space_id, id, tokens, minimum, cap, facts, ord)
  ), account as (
    select a.space_id, a.balance, a.reserved, case when a.day = ${TODAY} then a.daily_used else 0 end as used
    from accounts a where a.space_id = any($1::uuid[]) order by a.space_id for update
  ), judged as (
    select w.*, a.balance, a.used,
      a.reserved + coalesce(sum(w.tokens) over (partition by w.space_id order by w.ord rows between unbounded preceding and 1 preceding), 0) as reserved
    from wanted w join account a using (space_id)
  ), verdict as (
    select *, balance - reserved > 0 and (minimum is null or balance >= minimum) and (cap is null or used + reserved < cap) as admitted
    from judged
  ), held as (
    insert into reservations (space_id, id, holder, tokens, facts)
    select space_id, id, $7::uuid, tokens, facts::jsonb from verdict where admitted
  ), moved as (
    update accounts a set reserved = a.reserved + t.tokens
    from (select space_id, sum(tokens) as tokens from verdict where admitted group by space_id) t
    where a.space_id = t.space_id
  )
  select id, admitted, balance, reserved::bigint as reserved, used::bigint as daily_used
  from verdict order by ord`;

/**
 * As `ADMIT`, where some callers' keys have limits of their own: a key's calls are judged in their order as well, and
 * what a key refuses does not count against its Space. The accounts of all Spaces are locked by the statement before,
 * and with them those of their keys.
 */
const ADMIT_KEYED = `
  with wanted as (
    select * from unnest($1::uuid[], $2::uuid[], $3::bigint[], $4::bigint[], $5::bigint[], $6::text[], $8::text[], $9::bigint[], $10::bigint[])
      with ordinality as w (space_id, id, tokens, minimum, cap, facts, key_id, key_daily, key_monthly, ord)
  ), by_key as (
    select w.*, w.key_id is not null and k.key_id is null as key_missing,
      case when k.day = ${TODAY} then k.daily_used else 0 end as key_daily_used,
      case when k.month = ${THIS_MONTH} then k.monthly_used else 0 end as key_monthly_used,
      coalesce(k.reserved, 0) + coalesce(sum(w.tokens) over (partition by w.space_id, w.key_id order by w.ord rows between unbounded preceding and 1 preceding), 0) as key_reserved
    from wanted w left join key_accounts k on k.space_id = w.space_id and k.key_id = w.key_id
  ), allowed as (
    select b.*, b.key_id is null or (not b.key_missing
      and (b.key_daily is null or b.key_daily_used + b.key_reserved < b.key_daily)
      and (b.key_monthly is null or b.key_monthly_used + b.key_reserved < b.key_monthly)) as key_allows
    from by_key b
  ), judged as (
    select w.*, a.balance, case when a.day = ${TODAY} then a.daily_used else 0 end as used,
      a.reserved + coalesce(sum(case when w.key_allows then w.tokens else 0 end) over (partition by w.space_id order by w.ord rows between unbounded preceding and 1 preceding), 0) as reserved
    from allowed w join accounts a using (space_id)
  ), verdict as (
    select *, key_allows and balance - reserved > 0 and (minimum is null or balance >= minimum) and (cap is null or used + reserved < cap) as admitted
    from judged
  ), held as (
    insert into reservations (space_id, id, holder, tokens, facts, key_id)
    select space_id, id, $7::uuid, tokens, facts::jsonb, key_id from verdict where admitted
  ), moved as (
    update accounts a set reserved = a.reserved + t.tokens
    from (select space_id, sum(tokens) as tokens from verdict where admitted group by space_id) t
    where a.space_id = t.space_id
  ), keys_moved as (
    update key_accounts k set reserved = k.reserved + t.tokens
    from (select space_id, key_id, sum(tokens) as tokens from verdict where admitted and key_id is not null group by space_id, key_id) t
    where k.space_id = t.space_id and k.key_id = t.key_id
  )
  select id, admitted, balance, reserved::bigint as reserved, used::bigint as daily_used, key_missing,
    key_reserved::bigint as key_reserved, key_daily_used, key_monthly_used
  from verdict order by ord`;

/**
 * Settles many calls in one statement. Only who deletes the reservation charges for it, so a call is charged once,
 * whoever settles it and however often; a request key that was charged before is not charged again. The account is read
 * in `charged`, on which everything hangs: a row that this statement has changed already could not be locked any more.
 */
const SETTLE = `
  with due as (
    select * from unnest($1::uuid[], $2::uuid[], $3::bigint[], $4::text[]) with ordinality as d (space_id, id, tokens, entry, ord)
  ), gone as (
    delete from reservations r using due d where r.space_id = d.space_id and r.id = d.id
    returning r.space_id, r.id, r.tokens as held, r.key_id as held_key, coalesce(r.key_id, r.facts->>'keyId') as key_id
  ), account as (
    select a.space_id, a.balance from accounts a where a.space_id = any($1::uuid[]) order by a.space_id for update
  ), charged as (
    select d.space_id, d.id, d.ord, d.entry::jsonb as entry, g.held, g.held_key, g.key_id, a.balance,
      case when d.entry is null or exists (
        select 1 from ledger l where l.space_id = d.space_id and l.request_key = d.entry::jsonb ->> 'requestKey'
      ) then null else d.tokens end as charge
    from due d join gone g using (space_id, id) join account a using (space_id)
  ), written as (
    insert into ledger (space_id, id, type, tokens, balance_after, source, agent_id, session_id, turn_id, task_id, job_id,
      user_id, key_id, model, upstream, prompt_tokens, completion_tokens, cost, estimated, outcome, request_key)
    select c.space_id, e."entryId", 'SETTLEMENT', -c.charge,
      c.balance - sum(c.charge) over (partition by c.space_id order by c.ord),
      e.source, e."agentId", e."sessionId", e."turnId", e."taskId", e."jobId", e."userId", e."keyId", e.model, e.upstream,
      e."promptTokens", e."completionTokens", e.cost, e.estimated, e.outcome, e."requestKey"
    from charged c, jsonb_to_record(c.entry) as e ("entryId" uuid, source text, "agentId" uuid, "sessionId" uuid, "turnId" uuid, "taskId" uuid,
        "jobId" uuid, "userId" uuid, "keyId" text, model text, upstream text, "promptTokens" bigint, "completionTokens" bigint,
        cost numeric, estimated boolean, outcome text, "requestKey" text)
    where c.charge is not null order by c.ord
  ), keys_moved as (
    update key_accounts k set reserved = greatest(0, k.reserved - t.held), day = ${TODAY}, month = ${THIS_MONTH},
      daily_used = case when k.day = ${TODAY} then k.daily_used else 0 end + t.charge,
      monthly_used = case when k.month = ${THIS_MONTH} then k.monthly_used else 0 end + t.charge
    from (select space_id, key_id, coalesce(sum(charge), 0) as charge, coalesce(sum(held) filter (where held_key is not null), 0) as held
      from charged where key_id is not null group by space_id, key_id) t
    where k.space_id = t.space_id and k.key_id = t.key_id
  )
  update accounts a set balance = a.balance - t.charge, reserved = a.reserved - t.held,
    daily_used = case when a.day = ${TODAY} then a.daily_used else 0 end + t.charge, day = ${TODAY}
  from (select space_id, coalesce(sum(charge), 0) as charge, sum(held) as held from charged group by space_id) t
  where a.space_id = t.space_id`;

const LOCK = 'select 1 from accounts where space_id = any($1::uuid[]) order by space_id for update';

/** A reservation that is lost with the database's last moment has charged nobody: it need not wait for the disk. */
const RELAXED: Statement = { name: 'relax', sql: `select set_config('synchronous_commit', 'off', true)`, params: [] };

function reservation(holder: string, calls: readonly Wanted[]): Statement {
  const params = [
    calls.map((call) => call.spaceId),
    calls.map((call) => call.id),
    calls.map((call) => call.tokens),
    calls.map((call) => call.minimumBalance),
    calls.map((call) => call.dailyTokenCap),
    calls.map((call) => JSON.stringify(call.facts)),
    holder,
  ];
  if (!calls.some((call) => call.key)) return { name: 'admit', sql: ADMIT, params };
  const keys = [
    calls.map((call) => call.key?.id ?? null),
    calls.map((call) => call.key?.dailyTokens ?? null),
    calls.map((call) => call.key?.monthlyTokens ?? null),
  ];
  return { name: 'admit-keyed', sql: ADMIT_KEYED, params: [...params, ...keys] };
}

function settlement(calls: readonly Due[]): Statement {
  const params = [
    calls.map((call) => call.spaceId),
    calls.map((call) => call.id),
    calls.map((call) => call.tokens),
    calls.map((call) => (call.entry ? JSON.stringify(call.entry) : null)),
  ];
  return { name: 'settle', sql: SETTLE, params };
}

@Injectable()
export class AccountsRepository {
  /**
   * Settles and reserves in one transaction and one round trip: what is settled makes room for what is reserved. The
   * verdicts are in the order of the calls; none for a Space without an account.
   */
  async book(
    database: Database,
    holder: string,
    settled: readonly Due[],
    wanted: readonly Wanted[],
  ): Promise<Verdict[]> {
    const writes: Statement[] = [];
    // A key that is limited for the first time gets its account under the lock: who has waited for that must see it.
    const isKeyed = wanted.some((call) => call.key) || settled.some((call) => call.entry?.keyId);
    if (isKeyed || (settled.length > 0 && wanted.length > 0)) {
      // Two statements that lock several accounts must not meet another relay's in another order.
      const spaceIds = new Set([...settled, ...wanted].map((call) => call.spaceId));
      if (isKeyed || spaceIds.size > 1) writes.push({ name: 'lock-accounts', sql: LOCK, params: [[...spaceIds]] });
    }
    if (settled.length > 0) writes.push(settlement(settled));
    else writes.push(RELAXED);
    if (wanted.length > 0) writes.push(reservation(holder, wanted));
    const answers = await database.systemWrite('book model calls', writes);
    return (wanted.length > 0 ? answers.at(-1) : []) as unknown as Verdict[];
  }

  /** Makes the account of a Space that is seen for the first time, with the tokens that every Space starts with. */
  async open(tx: Tx, spaceId: string, initialTokens: number): Promise<void> {
    const made = await tx.count(
      'insert into accounts (space_id, balance) values ($1, $2) on conflict (space_id) do nothing',
      [spaceId, initialTokens],
    );
    if (made === 0 || initialTokens === 0) return;
    await tx.run(
      `insert into ledger (space_id, id, type, tokens, balance_after, note) values ($1, $2, 'CREDIT', $3, $3, 'Tokens that every Space starts with')`,
      [spaceId, newId(), initialTokens],
    );
  }

  /** Adds to the balance, or takes from it; the account is there. Returns the balance after. */
  async change(tx: Tx, spaceId: string, tokens: number): Promise<number> {
    const row = await tx.one<{ balance: number }>(
      'update accounts set balance = balance + $2 where space_id = $1 returning balance',
      [spaceId, tokens],
    );
    return row?.balance ?? 0;
  }

  async findAll(database: Database, spaceIds: readonly string[]): Promise<Map<string, AccountRow>> {
    const [rows] = await database.systemRead('read accounts', [
      {
        name: 'find-accounts',
        sql: `select space_id, balance, reserved, case when day = ${TODAY} then daily_used else 0 end as daily_used
              from accounts where space_id = any($1::uuid[])`,
        params: [spaceIds],
      },
    ]);
    const found = (rows ?? []) as unknown as (AccountRow & { spaceId: string })[];
    return new Map(found.map(({ spaceId, ...row }) => [spaceId, row]));
  }
}
