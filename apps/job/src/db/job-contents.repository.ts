import { Injectable } from '@nestjs/common';
import type { JobContentField } from '@switchyard/contracts';
import { type ContentPart, type Tx, contentPartSql } from '@switchyard/database';
import type { FieldSize } from '@switchyard/kernel';
import { JOB_COLUMNS, type JobRow } from './jobs.repository';

const without = (field: JobContentField, instead: string): string =>
  `case when '${field}' = any($3::text[]) then ${instead} else j.${field} end as ${field}`;

const SHORT_JOB = JOB_COLUMNS.replace('j.input,', `${without('input', `'{}'::jsonb`)},`)
  .replace('j.result,', `${without('result', 'null')},`)
  .replace('j.metadata,', `${without('metadata', `'{}'::jsonb`)},`);

const OF_JOB = 'from jobs j where space_id = $1 and id = $2';

/** The fields of a job that may be long: how long they are, the record without some of them, and their JSON. */
@Injectable()
export class JobContentsRepository {
  sizes(tx: Tx, spaceId: string, jobId: string): Promise<FieldSize[]> {
    return tx.prepared(
      'job-field-sizes',
      `select s.field, coalesce(octet_length(s.value::text), 0) as bytes from jobs j
         cross join lateral (values ('input', j.input), ('result', j.result), ('metadata', j.metadata)) s (field, value)
        where j.space_id = $1 and j.id = $2`,
      [spaceId, jobId],
    );
  }

  /** Content in `linked` is copied within the database. */
  async findWithout(tx: Tx, spaceId: string, jobId: string, linked: string[]): Promise<JobRow | null> {
    const sql = `select ${SHORT_JOB} ${OF_JOB}`;
    const [job = null] = await tx.prepared<JobRow>('read-job', sql, [spaceId, jobId, linked]);
    return job;
  }

  /** `maker` null: of everybody. */
  part(
    tx: Tx,
    field: JobContentField,
    job: { spaceId: string; jobId: string; maker: string | null; offset: number },
  ): Promise<ContentPart | null> {
    return tx.one(contentPartSql(`j.${field}`, `${OF_JOB} and ($3::uuid is null or created_by = $3)`, '$4'), [
      job.spaceId,
      job.jobId,
      job.maker,
      job.offset,
    ]);
  }
}
