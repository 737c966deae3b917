import { Injectable } from '@nestjs/common';
import { EXECUTION_STATUSES, type SearchExecutions, TASK_TYPES } from '@switchyard/contracts';
import { CursorList, type PageWindow, type TimePosition, type Tx, isBefore } from '@switchyard/database';
import { LIST_VALUE_BYTES, type CursorPart, type JsonObject, isId } from '@switchyard/kernel';
import { type ExecutionRow, executionColumns } from './executions.repository';
import type { StepRow } from './steps.repository';

const NEWEST: TimePosition = { at: 'infinity', id: 'ffffffff-ffff-ffff-ffff-ffffffffffff' };
/** The time of a row as exactly as the database has it: a cursor must not skip rows of the same millisecond. */
const AT = `to_char(created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

export type ListedExecution = ExecutionRow & { at: string; listedTrigger: JsonObject | null };

/** Long values do not leave the database for a list. */
const short = (column: string): string =>
  `case when octet_length((${column})::text) > ${LIST_VALUE_BYTES}
     then jsonb_build_object('truncated', true, 'bytes', octet_length((${column})::text)) else ${column} end`;

/** Of the steps as they were defined a list shows which there are, and not what each was to do. */
const STEP_NAMES = `(select coalesce(jsonb_agg(jsonb_build_object('id', step->'id', 'type', step->'type') order by place), '[]')
   from jsonb_array_elements(e.steps) with ordinality as steps (step, place))`;

/** Maximum bytes of a column that a list loads. */
const weight = (column: string): string => `least(coalesce(octet_length(${column}::text), 0), ${LIST_VALUE_BYTES})`;

const COLUMNS = executionColumns('e.', {
  inputs: `${short('e.inputs')} as inputs`,
  output: `${short('e.output')} as output`,
  steps: STEP_NAMES,
});

/** Its cursors have the time as exactly as the database has it, in a form that Postgres reads as it stands. */
export const EXECUTION_LIST = new CursorList<TimePosition, TimePosition>('executions', {
  partsOf: ({ at, id }) => [at, id],
  positionOf: ([at, id, ...more]) => (isExactTime(at) && isId(id) && more.length === 0 ? { at, id } : undefined),
});

const isExactTime = (part: CursorPart | undefined): part is string =>
  typeof part === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/.test(part) && !Number.isNaN(Date.parse(part));

/** Lists of executions. Each pair of trigger and status is one range of an index, for every filter. */
@Injectable()
export class ExecutionSearchRepository {
  /** Newest first. */
  search(
    tx: Tx,
    spaceId: string,
    filter: SearchExecutions,
    { after, take }: PageWindow<TimePosition>,
  ): Promise<ListedExecution[]> {
    const { at, id } = after ?? NEWEST;
    const params = [
      spaceId,
      filter.trigger ? [filter.trigger] : TASK_TYPES,
      filter.status ? [filter.status] : EXECUTION_STATUSES,
      at,
      id,
      filter.from ?? '-infinity',
      filter.to ?? 'infinity',
      take,
      ...(filter.taskId === undefined ? [] : [filter.taskId]),
    ];
    const ofTask = filter.taskId === undefined ? '' : 'and x.task_id = $9';
    return tx.query<ListedExecution>(
      `with page as (
         select found.id, found.created_at from unnest($2::text[]) as kinds (kind) cross join unnest($3::text[]) as statuses (status)
         cross join lateral (
           select x.id, x.created_at from executions x
            where x.space_id = $1 and x.kind = kinds.kind and x.status = statuses.status ${ofTask}
              and ${isBefore('x.created_at', { at: '$4::timestamptz', id: '$5::uuid', to: '$7::timestamptz' })} and x.created_at >= $6::timestamptz
            order by x.created_at desc, x.id desc limit $8) found
         order by found.created_at desc, found.id desc limit $8)
       select ${COLUMNS}, ${AT.replace('created_at', 'e.created_at')} as at, ${short(`e.inputs->'trigger'`)} as listed_trigger
         from page join executions e on e.space_id = $1 and e.id = page.id order by page.created_at desc, page.id desc`,
      params,
    );
  }

  /** How much the listed steps of each of these would bring along. */
  stepBytes(tx: Tx, spaceId: string, executionIds: string[]): Promise<{ executionId: string; bytes: number }[]> {
    return tx.query(
      `select execution_id, sum(${[weight('input'), weight('output')].join(' + ')})::int as bytes
         from execution_steps where space_id = $1 and execution_id = any($2::uuid[]) group by execution_id`,
      [spaceId, executionIds],
    );
  }

  steps(tx: Tx, spaceId: string, executionIds: string[]): Promise<StepRow[]> {
    return tx.query<StepRow>(
      `select execution_id, step_id, status, attempt, tries, outages, ${short('input')} as input, ${short('output')} as output, error,
              started_at, finished_at
         from execution_steps where space_id = $1 and execution_id = any($2::uuid[])`,
      [spaceId, executionIds],
    );
  }
}
