import { Injectable } from '@nestjs/common';
import { EXECUTION_STATUSES, TASK_TYPES } from '@switchyard/contracts';
import type { Read } from '@switchyard/database';
import { hasReadableSteps } from './executions.repository';

/** The most runs of one trigger and status that are counted. */
export const COUNTED_RUNS = 10_000;
/** The most runs whose cost is read: each has up to several turns. */
export const COSTED_RUNS = 500;

/** Skipped runs are left out. */
const RUN_STATUSES = EXECUTION_STATUSES.filter((status) => status !== 'SKIPPED');

interface Period {
  from: string;
  to: string;
}

/** Each pair of trigger and status is one range of the index `executions_of_task`. */
const RANGES = `unnest($3::text[]) as kinds (kind) cross join unnest($4::text[]) as statuses (status)`;
const IN_RANGE = `x.space_id = $1 and x.task_id = $2 and x.kind = kinds.kind and x.status = statuses.status`;

@Injectable()
export class TaskUsageRepository {
  counts(spaceId: string, taskId: string, { from, to }: Period): Read {
    return {
      name: 'count-runs-of-task',
      params: [spaceId, taskId, TASK_TYPES, RUN_STATUSES, from, to, COUNTED_RUNS + 1],
      sql: `select statuses.status, least(counted.runs, $7::bigint - 1) as runs, counted.runs >= $7::bigint as is_more, newest.last
              from ${RANGES}
             cross join lateral (
               select count(*) as runs from (
                 select 1 from executions x where ${IN_RANGE} and x.created_at >= $5::timestamptz and x.created_at < $6::timestamptz
                  limit $7::bigint) found) counted
             cross join lateral (select max(x.created_at) as last from executions x where ${IN_RANGE}) newest
             where newest.last is not null`,
    };
  }

  /** The newest runs of the period, with the attempts of their agent steps. */
  newest(spaceId: string, taskId: string, { from, to }: Period): Read {
    return {
      name: 'newest-runs-of-task',
      params: [spaceId, taskId, TASK_TYPES, RUN_STATUSES, from, to, COSTED_RUNS],
      sql: `with newest as materialized (
              select found.* from ${RANGES}
               cross join lateral (
                 select x.id, x.created_at from executions x
                  where ${IN_RANGE} and x.created_at >= $5::timestamptz and x.created_at < $6::timestamptz
                  order by x.created_at desc, x.id desc limit $7::bigint) found
               order by found.created_at desc, found.id desc limit $7::bigint)
            select e.id, case when ${hasReadableSteps('e.')} and e.steps @> '[{"type":"agent"}]' then (
              select jsonb_agg(jsonb_build_object('step', s.step_id, 'attempt', s.attempt)) from execution_steps s
               where s.space_id = e.space_id and s.execution_id = e.id and s.attempt > 0
                 and e.steps @> jsonb_build_array(jsonb_build_object('id', s.step_id, 'type', 'agent'))) end as agent_steps
              from newest join executions e on e.space_id = $1 and e.id = newest.id
             order by newest.created_at desc, newest.id desc`,
    };
  }
}
