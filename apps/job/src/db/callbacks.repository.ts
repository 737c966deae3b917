import { Injectable } from '@nestjs/common';
import type { JobCallbackView } from '@switchyard/contracts';
import { type Read, type Tx, setApart } from '@switchyard/database';
import { newId } from '@switchyard/kernel';

export interface CallbackRow {
  spaceId: string;
  id: string;
  jobId: string;
  url: string;
  body: string;
  attempts: number;
}

/** How much a claim may take: `share` is what one Space may have of this process, `held` what each has by now. */
export interface CallbackRoom {
  room: number;
  share: number;
  held: ReadonlyMap<string, number>;
}

const IS_DUE = 'delivered_at is null and given_up_at is null and due_at <= (select clock_timestamp())';

/** One that some process delivers, or that was lost, is delivered by nobody else. */
const IS_FREE = `id <> all(${setApart('callback')})`;
const IS_OPEN = 'delivered_at is null and given_up_at is null';
const COLUMNS = 'space_id, id, job_id, url, body, attempts';

@Injectable()
export class CallbacksRepository {
  async add(tx: Tx, job: { spaceId: string; id: string }, url: string, body: string): Promise<void> {
    await tx.run(
      'insert into callbacks (space_id, id, job_id, url, body) values ($1, $2, $3, $4, $5) on conflict do nothing',
      [job.spaceId, newId(), job.id, url, body],
    );
  }

  /** Null until the job has ended. */
  async find(tx: Tx, spaceId: string, jobId: string): Promise<Omit<JobCallbackView, 'url'> | null> {
    const row = await tx.one<{
      attempts: number;
      dueAt: string;
      lastResult: string | null;
      deliveredAt: string | null;
      givenUpAt: string | null;
    }>(
      `select attempts, due_at as "dueAt", last_result as "lastResult", delivered_at as "deliveredAt", given_up_at as "givenUpAt"
       from callbacks where space_id = $1 and job_id = $2`,
      [spaceId, jobId],
    );
    if (!row) return null;
    const { attempts, lastResult, dueAt, deliveredAt, givenUpAt } = row;
    const finishedAt = deliveredAt ?? givenUpAt;
    const status = deliveredAt ? 'DELIVERED' : givenUpAt ? 'GIVEN_UP' : 'PENDING';
    const nextAttemptAt = status === 'PENDING' ? dueAt : null;
    return { status, attempts, lastResult, nextAttemptAt, finishedAt };
  }

  readonly anyDue: Read = {
    name: 'any-callback-due',
    params: [],
    sql: `select 1 from callbacks where ${IS_DUE} limit 1`,
  };

  /** What is due, kept from others for as long as one delivery can take. No Space has more than its share. */
  claim(tx: Tx, { room, share, held }: CallbackRoom): Promise<CallbackRow[]> {
    const full = [...held].filter(([, deliveries]) => deliveries >= share).map(([spaceId]) => spaceId);
    return tx.query<CallbackRow>(
      `with first as (
         select space_id, id, due_at from callbacks where ${IS_DUE}
           and space_id <> all($2::uuid[]) order by due_at limit 8 * $1),
       placed as (select space_id, id, due_at as since, row_number() over (partition by space_id order by due_at) as place from first),
       due as (
         select space_id, id from callbacks join placed using (space_id, id) left join unnest($4::uuid[], $5::int[]) as held (space_id, n) using (space_id)
         where place + coalesce(n, 0) <= $3 and ${IS_DUE} and ${IS_FREE}
         order by place, since limit $1 for update of callbacks skip locked)
       update callbacks c set attempts = attempts + 1, due_at = clock_timestamp() + interval '60 seconds'
       from due where c.space_id = due.space_id and c.id = due.id returning c.space_id, c.id, c.job_id, c.url, c.body, c.attempts`,
      [room, full, share, [...held.keys()], [...held.values()]],
    );
  }

  /** One that lost its process, whenever it is due. Null where it has ended. */
  take(tx: Tx, id: string): Promise<CallbackRow | null> {
    return tx.one<CallbackRow>(
      `update callbacks set attempts = attempts + 1, due_at = clock_timestamp() + interval '60 seconds'
       where id = $1 and ${IS_OPEN} returning ${COLUMNS}`,
      [id],
    );
  }

  /** It has lost its process twice. */
  giveUp(tx: Tx, id: string, result: string): Promise<{ spaceId: string } | null> {
    return tx.one(
      `update callbacks set given_up_at = clock_timestamp(), last_result = $2 where id = $1 and ${IS_OPEN} returning space_id`,
      [id, result],
    );
  }

  /** By an operator: all of its attempts again. */
  async startAgain(tx: Tx, spaceId: string, id: string): Promise<boolean> {
    const again = await tx.count(
      `update callbacks set given_up_at = null, attempts = 0, due_at = clock_timestamp()
       where space_id = $1 and id = $2 and delivered_at is null and given_up_at is not null`,
      [spaceId, id],
    );
    return again > 0;
  }

  async delivered(tx: Tx, callback: CallbackRow, result: string): Promise<void> {
    await tx.run(
      'update callbacks set delivered_at = clock_timestamp(), last_result = $3 where space_id = $1 and id = $2',
      [callback.spaceId, callback.id, result],
    );
  }

  /** It was not sent, and counts as no attempt. */
  async putOff(tx: Tx, callback: CallbackRow, delayMs: number): Promise<void> {
    await tx.run(
      `update callbacks set attempts = attempts - 1, due_at = clock_timestamp() + make_interval(secs => $3::float8 / 1000)
       where space_id = $1 and id = $2`,
      [callback.spaceId, callback.id, delayMs],
    );
  }

  /** `delayMs` null: never again. */
  async failed(tx: Tx, callback: CallbackRow, result: string, delayMs: number | null): Promise<void> {
    await tx.run(
      `update callbacks set last_result = $3, given_up_at = case when $4::float8 is null then clock_timestamp() end,
         due_at = clock_timestamp() + make_interval(secs => coalesce($4::float8, 0) / 1000) where space_id = $1 and id = $2`,
      [callback.spaceId, callback.id, result, delayMs],
    );
  }
}
