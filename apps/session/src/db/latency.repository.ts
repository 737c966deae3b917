import { Injectable } from '@nestjs/common';
import { ACTIVE_TURN_STATUSES, TURN_STATUSES } from '@switchyard/contracts';
import type { Read, Tx } from '@switchyard/database';
import { sqlStates } from '@switchyard/kernel';
import { STEPS_A_DOUBLING } from '../domain/latency-histogram';

const ALL = `array[${TURN_STATUSES.map((status) => `'${status}'`).join(', ')}]`;
const ACTIVE = sqlStates(ACTIVE_TURN_STATUSES);
/** A turn that a person stopped says nothing of its agent. */
const ENDED = sqlStates(['COMPLETED', 'FAILED']);

/** A turn is seen by others when the transaction ends that began with its `started_at`. */
const SETTLED = `clock_timestamp() - interval '2 minutes'`;
/**
 * A sum costs as much for one turn as for hundreds, and what waits is read in a moment: a Space is summed up when its
 * turns have waited for so long, or are so many.
 */
const WAITED = `clock_timestamp() - interval '15 minutes'`;
const MANY = 1_000;
/** At most this many turns that are not summed yet are read one by one. */
const UNSUMMED = `clock_timestamp() - interval '2 hours'`;

/** Of the turns in `ended`, by agent and hour. The time in which a person was asked is not the agent's. */
const SUMS = `
  took as (
    select t.agent_id, date_trunc('hour', t.started_at, 'UTC') as hour, t.status = 'FAILED' as has_failed,
      greatest(1, 1000 * extract(epoch from t.finished_at - t.started_at - coalesce(asked.waited, interval '0')))::float8 as ms
    from ended t left join lateral (
      select sum(least(coalesce(i.answered_at, i.expires_at), t.finished_at) - i.created_at) as waited
        from interactions i where i.space_id = t.space_id and i.turn_key = t.id) asked on true),
  steps as (
    select agent_id, hour, floor(ln(ms) / ln(2) * ${STEPS_A_DOUBLING})::int as step, count(*)::int as n,
      count(*) filter (where has_failed)::int as failed, max(round(ms))::bigint as longest_ms
    from took group by 1, 2, 3),
  sums as (
    select agent_id, hour, sum(n)::int as count, sum(failed)::int as failed, max(longest_ms) as longest_ms,
      jsonb_object_agg(step, n) as durations
    from steps group by 1, 2)`;

const ADDED = `(select jsonb_object_agg(step, n) from (
  select step, sum(n::int) as n from (
    select * from jsonb_each_text(s.durations) union all select * from jsonb_each_text(excluded.durations)) parts (step, n)
  group by step) steps)`;

/** Turns of the Space `s` that began before `at` and are not summed up. */
const waiting = (at: string): string => `
  select 1 from turns t where t.space_id = s.id and t.status = any(${ALL}) and t.started_at < (select ${at})
     and t.started_at >= coalesce((select until from latency_sums where space_id = s.id), '-infinity')`;

@Injectable()
export class LatencyRepository {
  /**
   * Spaces after `after` that have turns, in order, and whether some of those are to be summed up. Where nothing waits,
   * as in most Spaces, one look says so.
   */
  spacesAfter(after: string, limit: number): Read {
    return {
      name: 'spaces-with-turns',
      params: [after, limit],
      sql: `with recursive spaces (id) as (
            (select space_id from turns where space_id > $1::uuid order by space_id limit 1)
            union all
            select (select t.space_id from turns t where t.space_id > spaces.id order by t.space_id limit 1)
              from spaces where spaces.id is not null)
          select s.id, exists (
                select 1 from late_turns l where l.space_id = s.id
                   and not exists (select 1 from turns t where t.space_id = l.space_id and t.id = l.id and t.status in ${ACTIVE}))
              or (exists (${waiting(SETTLED)})
                and (exists (${waiting(WAITED)}) or exists (${waiting(SETTLED)} offset ${MANY - 1}))) as is_due
            from (select id from spaces where id is not null limit $2::int) s`,
    };
  }

  /** Takes the lock for summing this Space until the transaction ends; false if another process has it. */
  async lock(tx: Tx, spaceId: string): Promise<boolean> {
    return (
      (await tx.one<{ isMine: boolean }>('select pg_try_advisory_xact_lock(74102, hashtext($1)) as is_mine', [spaceId]))
        ?.isMine ?? false
    );
  }

  /**
   * Sums up the next turns of a Space: from where the last sum ended, up to so many of each status. Turns that are
   * under way are noted, and counted by a later sum when they have ended. Sum and position commit together, so no turn
   * counts twice. Says whether there are more.
   */
  async sumUp(tx: Tx, spaceId: string, limit: number): Promise<boolean> {
    const row = await tx.one<{ hasMore: boolean }>(
      `with settled as materialized (select ${SETTLED} as at),
       since as materialized (select coalesce((select until from latency_sums where space_id = $1), '-infinity') as at),
       filled as (
         select min(last.started_at) as at from unnest(${ALL}) as statuses (status) cross join lateral (
           select t.started_at from turns t where t.space_id = $1 and t.status = statuses.status and t.started_at >= (select at from since)
            order by t.started_at offset $2::int limit 1) last),
       slice as materialized (
         select since.at as since, least(settled.at, coalesce(filled.at + interval '1 microsecond', 'infinity')) as until,
           coalesce(filled.at < settled.at, false) as has_more
         from settled, since, filled),
       begun as materialized (
         select t.space_id, t.id, t.agent_id, t.status, t.started_at, t.finished_at from slice, turns t
          where t.space_id = $1 and t.status = any(${ALL}) and t.started_at >= slice.since and t.started_at < slice.until),
       late as (insert into late_turns (space_id, id) select space_id, id from begun where status in ${ACTIVE}),
       no_longer_late as (
         delete from late_turns l where l.space_id = $1 and not exists (
           select 1 from turns t where t.space_id = $1 and t.id = l.id and t.status in ${ACTIVE})
         returning l.id),
       ended as (
         select * from begun where status in ${ENDED}
         union all
         select t.space_id, t.id, t.agent_id, t.status, t.started_at, t.finished_at
           from no_longer_late n join turns t on t.space_id = $1 and t.id = n.id where t.status in ${ENDED}),
       ${SUMS},
       added as (
         insert into agent_latency as s (space_id, agent_id, hour, count, failed, longest_ms, durations)
         select $1, agent_id, hour, count, failed, longest_ms, durations from sums
         on conflict (space_id, agent_id, hour) do update set count = s.count + excluded.count,
           failed = s.failed + excluded.failed, longest_ms = greatest(s.longest_ms, excluded.longest_ms), durations = ${ADDED}),
       moved as (
         insert into latency_sums (space_id, until) select $1, until from slice
         on conflict (space_id) do update set until = excluded.until)
       select has_more from slice`,
      [spaceId, limit],
    );
    return row?.hasMore ?? false;
  }

  /** Of one agent, in whole hours: the stored sums, and the turns since then. */
  read(spaceId: string, agentId: string, { from, to }: { from: string; to: string }): Read {
    return {
      name: 'read-latency',
      params: [spaceId, agentId, from, to],
      sql: `with since as materialized (select coalesce((select until from latency_sums where space_id = $1), '-infinity') as at),
          ended as materialized (
            select t.* from turns t where t.space_id = $1 and t.status = any(array['COMPLETED', 'FAILED'])
               and t.started_at >= greatest((select at from since), ${UNSUMMED}) and t.agent_id = $2
            union all
            select t.* from late_turns l join turns t on t.space_id = l.space_id and t.id = l.id
             where l.space_id = $1 and t.status in ${ENDED} and t.agent_id = $2),
          ${SUMS}
          select hour, count, failed, longest_ms, durations from (
            select hour, count, failed, longest_ms, durations from sums
            union all
            select hour, count, failed, longest_ms, durations from agent_latency where space_id = $1 and agent_id = $2
          ) parts
          where hour >= date_trunc('hour', $3::timestamptz, 'UTC') and hour < $4::timestamptz`,
    };
  }

  forget(tx: Tx, days: number, limit: number): Promise<number> {
    return tx.count(
      `delete from agent_latency where ctid = any(array(
         select ctid from agent_latency where hour < (select clock_timestamp()) - make_interval(days => $1) limit $2 for update skip locked))`,
      [days, limit],
    );
  }
}
