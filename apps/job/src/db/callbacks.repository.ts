import { Injectable } from '@nestjs/common';
import type { JobCallbackView } from '@switchyard/contracts';
import { type Read, type RetryOutcome, type Tx, isQuiet, notRetried, setApart } from '@switchyard/database';
import { newId } from '@switchyard/kernel';

export interface CallbackRow {
  spaceId: string;
  id: string;
  jobId: string;
  url: string;
  body: string;
  attempts: number;
}

const IS_OPEN = 'delivered_at is null and given_up_at is null';
const IS_DUE = `${IS_OPEN} and due_at <= (select clock_timestamp())`;
/** Not being delivered by a process, and not lost with one: a lost callback is retried alone. None while it is. */
const IS_FREE = `not ${isQuiet} and id <> all(${setApart('callback')})`;
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

  /** Spaces that have some that are due, the longest waiting first, without those of `except`. Costs a look at each Space. */
  async dueSpaces(tx: Tx, limit: number, except: readonly string[]): Promise<string[]> {
    const rows = await tx.query<{ spaceId: string }>(
      `with recursive spaces as (
         (select space_id, due_at from callbacks where ${IS_OPEN} order by space_id, due_at limit 1)
         union all
         select next.space_id, next.due_at from spaces cross join lateral (
           select space_id, due_at from callbacks where ${IS_OPEN} and callbacks.space_id > spaces.space_id
            order by space_id, due_at limit 1) next)
       select space_id from spaces where due_at <= (select clock_timestamp()) and space_id <> all($2::uuid[]) and not ${isQuiet}
        order by due_at limit $1`,
      [limit, except],
    );
    return rows.map(({ spaceId }) => spaceId);
  }

  /** Claims due callbacks, up to the free slots of each Space. The claim lasts as long as one delivery can take. */
  claim(tx: Tx, slots: ReadonlyMap<string, number>): Promise<CallbackRow[]> {
    return tx.query<CallbackRow>(
      `with due as (
         select found.space_id, found.id from unnest($1::uuid[], $2::int[]) as room (space_id, places) cross join lateral (
           select space_id, id from callbacks where callbacks.space_id = room.space_id and ${IS_DUE} and ${IS_FREE}
            order by due_at limit room.places for update skip locked) found)
       update callbacks c set attempts = attempts + 1, due_at = clock_timestamp() + interval '60 seconds'
       from due where c.space_id = due.space_id and c.id = due.id returning c.space_id, c.id, c.job_id, c.url, c.body, c.attempts`,
      [[...slots.keys()], [...slots.values()]],
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
  async startAgain(tx: Tx, spaceId: string, id: string): Promise<RetryOutcome> {
    const again = await tx.count(
      `update callbacks set given_up_at = null, attempts = 0, due_at = clock_timestamp()
       where space_id = $1 and id = $2 and delivered_at is null and given_up_at is not null`,
      [spaceId, id],
    );
    const found = 'select 1 from callbacks where space_id = $1 and id = $2';
    return again > 0 ? 'again' : notRetried(tx, found, [spaceId, id]);
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
