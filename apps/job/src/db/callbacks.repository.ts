import { Injectable } from '@nestjs/common';
import type { JobCallbackView } from '@switchyard/contracts';
import type { Tx } from '@switchyard/database';
import { newId } from '@switchyard/kernel';
import {
  type AfterAttempt,
  type AttemptResult,
  DELIVERY_LEASE,
  type Delivery,
  DeliveryRows,
  type QueueCapacity,
  type QueueRef,
} from '@switchyard/service';

/** A callback that this process delivers. */
export interface ClaimedCallback extends Delivery {
  jobId: string;
  url: string;
  body: string;
  /** Before this one. */
  attempts: number;
}

const KIND = 'callback';

/**
 * One queue for each Space. A claim also moves `due_at`: processes of 0.1.0, which may run side by side with these
 * during an upgrade, know no other lease.
 */
const ROWS = new DeliveryRows({
  table: 'callbacks',
  kind: KIND,
  queue: ['space_id'],
  dueAt: 'due_at',
  bytes: 'octet_length(body)',
  attemptCount: 'attempts',
  attemptLog: 'attempt_log',
  isOpen: (row) => `${row}delivered_at is null and ${row}given_up_at is null`,
  hasFailed: 'delivered_at is null and given_up_at is not null',
  onClaim: 'due_at = clock_timestamp() + chosen.lease',
  onCrashed: `given_up_at = clock_timestamp(), last_result = 'RUNTIME_UNAVAILABLE'`,
  onAgain: 'given_up_at = null',
});

const DUE = `${ROWS.queues}
  select space_id, space_id as queue_id from queues where due_at <= (select clock_timestamp()) and space_id <> all($2::uuid[])
   order by due_at limit $1`;

const CLAIM = ROWS.claimSql({
  capacities: `
    select requested.space_id, requested.id, requested.slots, requested.bytes as max_bytes, ${DELIVERY_LEASE} as lease
      from unnest($1::uuid[], $2::uuid[], $3::int[], $4::bigint[]) as requested (space_id, id, slots, bytes)`,
  columns: ['job_id', 'url', 'body', 'attempts'],
  select:
    'select space_id, id, space_id as queue_id, job_id, url, body, attempts, bytes, is_suspect from claimed order by id',
});

const OUTCOME = `last_result = $6, delivered_at = case when $7 = 'delivered' then clock_timestamp() end,
  given_up_at = case when $7 = 'ended' then clock_timestamp() end`;

/** The names that results of callbacks have in the API. */
const RESULTS: Readonly<Record<string, string>> = {
  ADDRESS_NOT_ALLOWED: 'VALIDATION_ERROR',
  UNREACHABLE: 'SERVICE_UNAVAILABLE',
};

const resultOf = ({ status, error }: AttemptResult): string | null => {
  if (status !== null) return String(status);
  return error && (RESULTS[error.code] ?? error.code);
};

/** Ends of jobs that are delivered to their callback URLs: one for each job. */
@Injectable()
export class CallbacksRepository {
  readonly kind = KIND;
  readonly rows = ROWS;

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

  /** Spaces whose next callback is due, the longest waiting first. Reads the index once for each that has an open one. */
  due(tx: Tx, limit: number, exceptSpaces: readonly string[]): Promise<QueueRef[]> {
    return tx.prepared<QueueRef>('due-callbacks', DUE, [limit, exceptSpaces]);
  }

  claim(tx: Tx, worker: string, capacities: readonly QueueCapacity[]): Promise<ClaimedCallback[]> {
    return ROWS.claim<ClaimedCallback>(tx, CLAIM, worker, capacities);
  }

  /** False if the lease is another's by now: the attempt was made all the same. */
  settle(
    tx: Tx,
    worker: string,
    callback: Delivery,
    { attempt, after }: { attempt: AttemptResult; after: AfterAttempt },
  ): Promise<boolean> {
    const nextInMs = after.kind === 'again' ? after.inMs : null;
    const params = [resultOf(attempt), after.kind];
    return ROWS.settle(tx, worker, callback, { attempt, nextInMs }, { assignments: OUTCOME, params });
  }
}
