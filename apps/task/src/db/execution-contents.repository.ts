import { Injectable } from '@nestjs/common';
import { type ContentPart, type Tx, contentPartSql } from '@switchyard/database';
import type { FieldSize } from '@switchyard/kernel';
import { type ExecutionRow, executionColumns } from './executions.repository';
import { STEP_COLUMNS, type StepRow } from './steps.repository';

const unlessLinked = (columns: string, replaced: Record<string, string>): string =>
  columns
    .split(',')
    .map((name) => replaced[name.trim()] ?? name)
    .join(',');

// The trigger is shown beside the inputs that hold it.
const SHORT_EXECUTION = executionColumns('', {
  inputs: `case when 'inputs' = any($3::text[]) then jsonb_build_object('trigger', inputs->'trigger') else inputs end as inputs`,
  output: `case when 'output' = any($3::text[]) then null else output end as output`,
});

const SHORT_STEP = unlessLinked(STEP_COLUMNS, {
  input: `case when 'steps.' || step_id || '.input' = any($3::text[]) then null else input end as input`,
  output: `case when 'steps.' || step_id || '.output' = any($3::text[]) then null else output end as output`,
});

const OF_EXECUTION = 'from executions where space_id = $1 and id = $2';
const OF_STEP = `from executions e left join execution_steps s on s.space_id = $1 and s.execution_id = $2 and s.step_id = $4
  where e.space_id = $1 and e.id = $2 and exists (select 1 from jsonb_array_elements(e.steps) step where step->>'id' = $4)`;

/** The fields of an execution that may be long: how long they are, the record without some of them, and their JSON. */
@Injectable()
export class ExecutionContentsRepository {
  sizes(tx: Tx, spaceId: string, executionId: string): Promise<FieldSize[]> {
    return tx.prepared(
      'execution-field-sizes',
      `select 'inputs' as field, octet_length(inputs::text) as bytes ${OF_EXECUTION}
       union all select 'trigger', coalesce(octet_length((inputs->'trigger')::text), 0) ${OF_EXECUTION}
       union all select 'output', coalesce(octet_length(output::text), 0) ${OF_EXECUTION}
       union all select 'steps.' || step_id || '.input', coalesce(octet_length(input::text), 0) from execution_steps where space_id = $1 and execution_id = $2
       union all select 'steps.' || step_id || '.output', coalesce(octet_length(output::text), 0) from execution_steps where space_id = $1 and execution_id = $2`,
      [spaceId, executionId],
    );
  }

  /** Content in `linked` is copied within the database. */
  async findWithout(tx: Tx, spaceId: string, id: string, linked: string[]): Promise<ExecutionRow | null> {
    const sql = `select ${SHORT_EXECUTION} ${OF_EXECUTION}`;
    const [execution = null] = await tx.prepared<ExecutionRow>('read-execution', sql, [spaceId, id, linked]);
    return execution;
  }

  stepsWithout(tx: Tx, spaceId: string, executionId: string, linked: string[]): Promise<StepRow[]> {
    const sql = `select ${SHORT_STEP} from execution_steps where space_id = $1 and execution_id = $2`;
    return tx.prepared('read-steps', sql, [spaceId, executionId, linked]);
  }

  part(tx: Tx, spaceId: string, executionId: string, field: string, offset: number): Promise<ContentPart | null> {
    const [first, stepId, ofStep] = field.split('.');
    if (first === 'inputs' || first === 'output')
      return tx.one(contentPartSql(first, OF_EXECUTION, '$3'), [spaceId, executionId, offset]);
    const column = ofStep === 'input' ? 's.input' : 's.output';
    return tx.one(contentPartSql(column, OF_STEP, '$3'), [spaceId, executionId, offset, stepId]);
  }
}
