import { preleasedIn } from './token-accounts.repository';
import { THIS_MONTH, TODAY } from './key-accounts.repository';

/**
 * Locks all accounts first, in a fixed order: later statements see current rows, and concurrent batches cannot
 * deadlock. So the entries of a Space commit in the order of `seq`, on which its usage sums build.
 */
export const LOCK = 'select 1 from accounts where space_id = any($1::uuid[]) order by space_id for update';

/**
 * Settles calls and writes leases. A Space without an account is missing in the result.
 *
 * A call is charged once, also if several relays settle it: its ledger row has the call's id. A request key that was
 * charged before is not charged again. A lease is written as the sum of its relay, and the account moves by the
 * difference to the stored lease, so a repeated write changes nothing and the next write corrects a lost one. Preleased
 * tokens (`ahead`) are kept apart from reservations of running calls. Each lease is looked up by itself: a join could
 * get a plan that reads all leases of the relay.
 *
 * A batch without settlements does not wait for the disk: if the database crashes, the last reservations are lost as a
 * whole, account and lease together. Settlements do wait.
 */
export const SETTLE = `
  with due as (
    select space_id, id, tokens, nullif(entry, 'null') as entry, ord
    from rows from (unnest($2::uuid[], $3::uuid[], $4::bigint[]), jsonb_array_elements($5::jsonb)) with ordinality
      as d (space_id, id, tokens, entry, ord)
  ), gone as (
    delete from reservations r using due d where r.space_id = d.space_id and r.id = d.id
    returning r.space_id, r.id, r.tokens as held, r.key_id as held_key
  ), charged as (
    select d.space_id, d.id, d.ord, d.entry, coalesce(g.held, 0) as held, g.held_key,
      coalesce(g.held_key, d.entry ->> 'keyId') as key_id, a.balance,
      case when d.entry is null
        or (select true from ledger l where l.space_id = d.space_id and l.id = d.id limit 1)
        or (select true from ledger l where l.space_id = d.space_id and l.request_key = d.entry ->> 'requestKey' limit 1)
      then null else d.tokens end as charge
    from due d join accounts a using (space_id) left join gone g using (space_id, id)
  ), written as (
    insert into ledger (space_id, id, type, tokens, balance_after, source, agent_id, session_id, turn_id, task_id, job_id,
      user_id, key_id, model, upstream, prompt_tokens, completion_tokens, cost, estimated, outcome, request_key)
    select c.space_id, c.id, 'SETTLEMENT', -c.charge,
      c.balance - sum(c.charge) over (partition by c.space_id order by c.ord),
      e.source, e."agentId", e."sessionId", e."turnId", e."taskId", e."jobId", e."userId", e."keyId", e.model, e.upstream,
      e."promptTokens", e."completionTokens", e.cost, e.estimated, e.outcome, e."requestKey"
    from charged c, jsonb_to_record(c.entry) as e (source text, "agentId" uuid, "sessionId" uuid, "turnId" uuid, "taskId" uuid,
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
  ), lease as (
    select l.space_id, l.key_id, l.tokens, l.ahead, l.tokens - coalesce(o.tokens, 0) as moved, l.ahead - coalesce(o.ahead, 0) as moved_ahead
    from unnest($6::uuid[], $7::text[], $8::bigint[], $9::bigint[]) as l (space_id, key_id, tokens, ahead)
    join accounts a using (space_id)
    left join lateral (
      select tokens, ahead from leases o where o.space_id = l.space_id and o.holder = $1::uuid and o.key_id = l.key_id limit 1) o on true
  ), kept as (
    insert into leases (space_id, holder, key_id, tokens, ahead)
    select space_id, $1::uuid, key_id, tokens, ahead from lease where moved <> 0 or moved_ahead <> 0
    on conflict (space_id, holder, key_id)
      do update set tokens = excluded.tokens, ahead = excluded.ahead, written_at = excluded.written_at
  ), change as (
    select space_id, sum(charge) as charge, sum(held) as held, sum(moved) as moved, sum(moved_ahead) as moved_ahead,
      sum(calls) as calls, sum(cost) as cost
    from (
      select space_id, coalesce(charge, 0) as charge, held, 0::bigint as moved, 0::bigint as moved_ahead,
        (charge is not null)::int as calls,
        case when charge is not null then coalesce((entry ->> 'cost')::numeric, 0) else 0 end as cost
      from charged
      union all
      select space_id, 0, 0, moved, moved_ahead, 0, 0 from lease) changes
    group by space_id
  ), moved as (
    update accounts a set balance = a.balance - c.charge, reserved = a.reserved - c.held + c.moved,
      daily_used = case when a.day = ${TODAY} then a.daily_used else 0 end + c.charge, day = ${TODAY},
      monthly_used = case when a.month = ${THIS_MONTH} then a.monthly_used else 0 end + c.charge,
      monthly_calls = case when a.month = ${THIS_MONTH} then a.monthly_calls else 0 end + c.calls,
      monthly_cost = case when a.month = ${THIS_MONTH} then a.monthly_cost else 0 end + c.cost, month = ${THIS_MONTH}
    from change c where a.space_id = c.space_id
    returning a.space_id, a.balance, a.reserved, a.daily_used, a.monthly_used, c.moved_ahead
  )
  select space_id, balance, reserved, (${preleasedIn('moved.space_id')} + moved_ahead)::bigint as ahead, daily_used, monthly_used
  from moved`;

/** The setting of the Space, as its calls say it; kept for the event `balance.low`. */
const MINIMUM = 'max(case when unmetered then null else minimum end)';

/** The rule of `refusalOf`, for what a Space allows. */
const ALLOWED = `(unmetered or (balance - reserved - ahead > 0 and (minimum is null or balance - reserved - ahead >= minimum)))
      and (cap is null or used + reserved + ahead < cap) and (month_cap is null or month_used + reserved + ahead < month_cap)`;

/**
 * Lets calls in, in their order, and adds them to what their relay holds; a Space without an account is missing in the
 * answer. `refusalOf` names the same rule. `reserved` counts the earlier calls of the batch, also refused ones: no limit
 * depends on a call's own tokens, so a Space that refuses one call refuses all later ones. `withoutRefused` corrects it.
 */
export const ADMIT = `
  with wanted as (
    select * from unnest($2::uuid[], $3::text[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[], $8::boolean[])
      with ordinality as w (space_id, key_id, tokens, minimum, cap, month_cap, unmetered, ord)
  ), judged as (
    select w.*, a.balance, ${preleasedIn('a.space_id')} as ahead, case when a.day = ${TODAY} then a.daily_used else 0 end as used,
      case when a.month = ${THIS_MONTH} then a.monthly_used else 0 end as month_used,
      a.reserved + coalesce(sum(w.tokens) over (partition by w.space_id order by w.ord rows between unbounded preceding and 1 preceding), 0) as reserved
    from wanted w join accounts a using (space_id)
  ), verdict as (
    select *, ${ALLOWED} as admitted
    from judged
  ), begun as (
    select space_id, key_id, sum(tokens) as tokens, ${MINIMUM} as minimum from verdict where admitted group by space_id, key_id
  ), kept as (
    insert into leases as l (space_id, holder, key_id, tokens, ahead)
    select space_id, $1::uuid, key_id, tokens, 0 from begun
    on conflict (space_id, holder, key_id)
      do update set tokens = l.tokens + excluded.tokens, written_at = excluded.written_at
  ), moved as (
    update accounts a set reserved = a.reserved + b.tokens, minimum_balance = b.minimum
    from (select space_id, sum(tokens) as tokens, max(minimum) as minimum from begun group by space_id) b
    where a.space_id = b.space_id
  )
  select ord, admitted, balance, reserved::bigint as reserved, ahead::bigint as ahead, used::bigint as daily_used,
    month_used::bigint as monthly_used
  from verdict order by ord`;

/**
 * As `ADMIT`, where callers' keys have limits of their own: a key's calls are judged in their order as
 * well, and what a key refuses does not count against its Space. Each holds its tokens by a row of its own.
 */
export const ADMIT_KEYED = `
  with wanted as (
    select * from unnest($1::uuid[], $2::uuid[], $3::bigint[], $4::bigint[], $5::bigint[], $6::text[], $8::text[], $9::bigint[], $10::bigint[],
        $11::bigint[], $12::boolean[], $13::text[])
      with ordinality as w (space_id, id, tokens, minimum, cap, facts, key_id, key_daily, key_monthly, month_cap, unmetered, makers, ord)
  ), by_key as (
    select w.*, k.key_id is null or m.missing as key_missing,
      case when w.makers <> '[]' then m.refusal end as maker_refusal,
      case when k.day = ${TODAY} then k.daily_used else 0 end as key_daily_used,
      case when k.month = ${THIS_MONTH} then k.monthly_used else 0 end as key_monthly_used,
      coalesce(k.reserved, 0) + coalesce(sum(w.tokens) over (partition by w.space_id, w.key_id order by w.ord rows between unbounded preceding and 1 preceding), 0) as key_reserved
    from (select w.*, coalesce(sum(w.tokens) over (partition by w.space_id, coalesce(w.makers::jsonb -> -1 ->> 'id', w.key_id)
        order by w.ord rows between unbounded preceding and 1 preceding), 0) as family_before from wanted w) w
    left join key_accounts k on k.space_id = w.space_id and k.key_id = w.key_id
    cross join lateral (
      select coalesce(bool_or(o.key_id is null), false) as missing,
        case when bool_or(m.daily <= case when o.day = ${TODAY} then o.daily_used else 0 end + o.reserved + w.family_before) then 'DAILY_LIMIT_EXCEEDED'
          when bool_or(m.monthly <= case when o.month = ${THIS_MONTH} then o.monthly_used else 0 end + o.reserved + w.family_before) then 'MONTHLY_LIMIT_EXCEEDED' end as refusal
      from jsonb_to_recordset(w.makers::jsonb) as m (id text, daily bigint, monthly bigint)
      left join key_accounts o on o.space_id = w.space_id and o.key_id = m.id) m
  ), allowed as (
    select b.*, not b.key_missing and b.maker_refusal is null
      and (b.key_daily is null or b.key_daily_used + b.key_reserved < b.key_daily)
      and (b.key_monthly is null or b.key_monthly_used + b.key_reserved < b.key_monthly) as key_allows
    from by_key b
  ), judged as (
    select w.*, a.balance, ${preleasedIn('a.space_id')} as ahead, case when a.day = ${TODAY} then a.daily_used else 0 end as used,
      case when a.month = ${THIS_MONTH} then a.monthly_used else 0 end as month_used,
      a.reserved + coalesce(sum(case when w.key_allows then w.tokens else 0 end) over (partition by w.space_id order by w.ord rows between unbounded preceding and 1 preceding), 0) as reserved
    from allowed w join accounts a using (space_id)
  ), verdict as (
    select *, key_allows and ${ALLOWED} as admitted
    from judged
  ), held as (
    insert into reservations (space_id, id, holder, tokens, facts, key_id)
    select space_id, id, $7::uuid, tokens, facts::jsonb, key_id from verdict where admitted
  ), moved as (
    update accounts a set reserved = a.reserved + t.tokens, minimum_balance = t.minimum
    from (select space_id, sum(tokens) as tokens, ${MINIMUM} as minimum from verdict where admitted group by space_id) t
    where a.space_id = t.space_id
  ), keys_moved as (
    update key_accounts k set reserved = k.reserved + t.tokens
    from (select space_id, key_id, sum(tokens) as tokens from verdict where admitted and key_id is not null group by space_id, key_id) t
    where k.space_id = t.space_id and k.key_id = t.key_id
  )
  select ord, admitted, balance, reserved::bigint as reserved, ahead::bigint as ahead, used::bigint as daily_used,
    month_used::bigint as monthly_used, key_missing, key_allows,
    key_reserved::bigint as key_reserved, key_daily_used, key_monthly_used, maker_refusal
  from verdict order by ord`;

/** A call that its lease holds gets a row as soon as there is something to pay for, should its relay die. */
export const NOTE = `
  insert into reservations (space_id, id, holder, tokens, facts, seen_tokens)
  select space_id, id, $1::uuid, 0, facts::jsonb, seen
  from unnest($2::uuid[], $3::uuid[], $4::text[], $5::bigint[]) as n (space_id, id, facts, seen)
  on conflict (space_id, id) do update set seen_tokens = excluded.seen_tokens`;
