import { Injectable } from '@nestjs/common';
import {
  endedInOtherWork,
  type EndedWorkers,
  LOSSES_MAX,
  processOf,
  type Read,
  type RetryOutcome,
  type Tx,
} from '@switchyard/database';
import { sqlStatesByKey } from '@switchyard/kernel';
import type { Layout } from '../domain/table-layout';
import {
  hadOtherWork,
  IS_CAREFUL,
  IS_SUSPECT_WORK_RUNNING,
  IS_TRIAL,
  isRunning,
  isSuspectText,
  ONE_SUSPECT_AT_A_TIME,
  TRIED,
} from './sql/crash-suspects-sql';

/** A text that waits for its vector, taken by one worker until `due_at`. `revision` says which text is meant. */
export interface TextClaim {
  spaceId: string;
  datasetId: string;
  recordId: string;
  field: number;
  revision: number;
  attempts: number;
  actor: string | null;
}

/** A text whose worker does not embed it any more. */
export interface ReleasedText {
  spaceId: string;
  recordId: string;
  losses: number;
  /** Its process ended while it was embedded. */
  isLoss: boolean;
  /** It was lost before. */
  isSuspect: boolean;
  /** The process had other work as well, which may be to blame. */
  isInnocent: boolean;
  /** Null if its worker's name does not say it. */
  process: string | null;
  isGivenUp: boolean;
}

interface FirstDue {
  isSuspect: boolean;
  /** Fresh texts wait for what was lost. */
  isCareful: boolean;
}

/** Models take some thousand tokens; the beginning of a long text stands for it. */
export const EMBEDDED_CHARACTERS = 24_000;

/** Why a text could not be embedded, as its people may read it. */
export interface EmbeddingError {
  code: string;
  message: string;
}

export interface VectorChange {
  recordId: string;
  field: number;
  revision: number;
  vector: Buffer | null;
}

export interface ChangedVector extends VectorChange {
  changedIn: string;
}

const LEASE = `interval '90 seconds'`;
const MAX_ATTEMPTS = 40;
/** Spaces looked at in one query: a payer with so many more of them has a turn for each of these. */
const SPACES_MAX = 500;
const NO_ID = '00000000-0000-0000-0000-000000000000';

const placeAfter = (change: VectorChange | null): [string, number] => [change?.recordId ?? NO_ID, change?.field ?? -1];

@Injectable()
export class VectorsRepository {
  readonly anyPending: Read = {
    name: 'any-vector-pending',
    params: [],
    // In an order, so that it reads an index and not the table.
    sql: `select 1 from record_vectors where state = 'PENDING' order by due_at limit 1`,
  };

  /**
   * Spaces after this one that have a text which is due, in the order of their ids. It looks at no more than some Spaces;
   * `last` is then where to go on, and null at the end.
   */
  async dueSpaces(tx: Tx, after: string): Promise<{ spaces: string[]; last: string | null }> {
    const next = (from: string): string =>
      `select space_id, due_at from record_vectors where state = 'PENDING' and space_id > ${from} order by space_id, due_at limit 1`;
    const rows = await tx.query<{ spaceId: string; isDue: boolean }>(
      `with recursive step as (
         (select v.space_id, v.due_at, 1 as steps from (${next('$1::uuid')}) v)
         union all
         (select v.space_id, v.due_at, s.steps + 1 from step s, lateral (${next('s.space_id')}) v where s.steps < ${SPACES_MAX})
       )
       select space_id, due_at <= (select clock_timestamp()) as is_due from step order by steps`,
      [after],
    );
    return {
      spaces: rows.filter(({ isDue }) => isDue).map(({ spaceId }) => spaceId),
      last: rows.length === SPACES_MAX ? (rows.at(-1)?.spaceId ?? null) : null,
    };
  }

  /** How the oldest text of a Space is to be embedded, if it is due. */
  firstDue(tx: Tx, spaceId: string): Promise<FirstDue | null> {
    return tx.one<FirstDue>(
      `select losses > 0 as is_suspect, ${IS_CAREFUL} as is_careful from (
         select losses, due_at from record_vectors where state = 'PENDING' and space_id = $1 order by due_at limit 1) v
       where due_at <= (select clock_timestamp())`,
      [spaceId],
    );
  }

  /**
   * Sets texts free whose process has ended, and counts that as a loss; a failure of the provider is none. A text that
   * was lost once is embedded with no other such work beside it: if it is lost again, it has failed.
   */
  releaseEnded(tx: Tx, { ended, own, isSilenceLoss }: EndedWorkers, error: EmbeddingError): Promise<ReleasedText[]> {
    const losses = `case when not overdue.is_suspect then 1 when overdue.is_innocent then v.losses else v.losses + 1 end`;
    return tx.query<ReleasedText>(
      `with overdue as (
         select space_id, dataset_id, record_id, field, ${isSuspectText('o')} as is_suspect,
           ${endedInOtherWork('o.worker', TRIED)} or ${hadOtherWork('o.worker')} as is_innocent,
           ${processOf('o.worker')} as process, o.worker = any($1) or (o.worker is distinct from $2 and not ${isRunning('o.worker')}) as is_loss
         from record_vectors o where o.worker is not null and o.state = 'PENDING'
           and (o.worker = any($1) or (o.due_at < (select clock_timestamp()) and (o.worker = $2 or $3 or ${isRunning('o.worker')})))
         order by space_id, dataset_id, record_id, field for update skip locked)
       update record_vectors v set worker = null, due_at = clock_timestamp(), attempts = greatest(0, v.attempts - 1),
         losses = case when overdue.is_loss then ${losses} else v.losses end,
         lost_at = case when overdue.is_loss then clock_timestamp() else v.lost_at end,
         state = case when overdue.is_loss and ${losses} >= ${LOSSES_MAX} then 'FAILED' else v.state end,
         error = case when overdue.is_loss and ${losses} >= ${LOSSES_MAX} then $4::jsonb else v.error end
       from overdue where v.space_id = overdue.space_id and v.dataset_id = overdue.dataset_id and v.record_id = overdue.record_id
         and v.field = overdue.field
       returning v.space_id, v.record_id, v.losses, overdue.is_loss, overdue.is_suspect, overdue.is_innocent,
         overdue.process, v.state = 'FAILED' as is_given_up`,
      [ended, own, isSilenceLoss, JSON.stringify(error)],
    );
  }

  /** Whether a text that was lost once may be embedded now, by the process whose imports this worker writes. */
  async mayRunAlone(tx: Tx, importWorker: string): Promise<boolean> {
    await tx.run(ONE_SUSPECT_AT_A_TIME);
    const row = await tx.one(
      `select 1 as one where not ${IS_SUSPECT_WORK_RUNNING} and not (${IS_TRIAL} and exists (
         select 1 from imports own where own.worker = $1 and own.phase in ('WRITING', 'UNDOING')))`,
      [importWorker],
    );
    return row !== null;
  }

  /**
   * An operator wants the texts of a record tried again that were given up. They are absent if they were changed or
   * removed since.
   */
  async startAgain(tx: Tx, spaceId: string, recordId: string): Promise<RetryOutcome> {
    const texts = await tx.count(
      `update record_vectors set state = 'PENDING', losses = 0, attempts = 0, error = null, due_at = clock_timestamp()
       where space_id = $1 and record_id = $2 and state = 'FAILED' and losses >= ${LOSSES_MAX}`,
      [spaceId, recordId],
    );
    return texts > 0 ? 'again' : 'absent';
  }

  /**
   * Takes the oldest texts of the dataset of this Space that has waited longest: those that were lost once, or the
   * others.
   */
  async claim(
    tx: Tx,
    spaceId: string,
    { limit, isSuspect, worker }: { limit: number; isSuspect: boolean; worker: string },
  ): Promise<TextClaim[]> {
    return tx.query<TextClaim>(
      `with oldest as (
         select space_id, dataset_id from record_vectors
         where space_id = $2 and state = 'PENDING' and due_at <= (select clock_timestamp()) and (losses > 0) = $3
         order by due_at limit 1),
       due as (
         select v.space_id, v.dataset_id, v.record_id, v.field from record_vectors v, oldest o
         where v.space_id = o.space_id and v.dataset_id = o.dataset_id and v.state = 'PENDING' and v.due_at <= (select clock_timestamp())
           and (v.losses > 0) = $3
         order by v.due_at limit $1 for update of v skip locked)
       update record_vectors v set attempts = v.attempts + 1, worker = $4, due_at = clock_timestamp() + ${LEASE}
       from due where v.space_id = due.space_id and v.dataset_id = due.dataset_id and v.record_id = due.record_id and v.field = due.field
       returning v.space_id, v.dataset_id, v.record_id, v.field, v.revision, v.attempts, v.actor`,
      [limit, spaceId, isSuspect, worker],
    );
  }

  /**
   * The beginning of the text of each claim, null where there is none any more. Nothing else of the records is read.
   */
  async texts(tx: Tx, layout: Layout, spaceId: string, claims: readonly TextClaim[]): Promise<(string | null)[]> {
    const beginnings = layout.vector.map(
      (column) => `when ${column.number} then left(r.${column.sql}, ${EMBEDDED_CHARACTERS})`,
    );
    if (beginnings.length === 0) return claims.map(() => null);
    const rows = await tx.query<{ text: string | null }>(
      `select case x.field ${beginnings.join(' ')} end as text
       from unnest($2::uuid[], $3::smallint[]) with ordinality as x(id, field, at)
         left join ${layout.table} r on r.space_id = $1 and r.id = x.id order by x.at`,
      [spaceId, claims.map((claim) => claim.recordId), claims.map((claim) => claim.field)],
    );
    return rows.map((row) => row.text);
  }

  /** Keeps vectors whose text is still the one that was claimed; null says that there is no text any more. */
  async store(tx: Tx, claims: readonly TextClaim[], vectors: readonly (Buffer | null)[]): Promise<void> {
    const [first] = claims;
    if (first === undefined) return;
    await this.hold(tx, first, claims);
    await tx.run(
      `update record_vectors v set vector = x.vector, state = case when x.vector is null then 'GONE' else 'READY' end,
         changed_in = pg_current_xact_id(), attempts = 0, losses = 0, worker = null, error = null, due_at = clock_timestamp()
       from unnest($3::uuid[], $4::smallint[], $5::int[], $6::bytea[]) as x(record_id, field, revision, vector)
       where v.space_id = $1 and v.dataset_id = $2 and v.record_id = x.record_id and v.field = x.field
         and v.revision = x.revision and ${sqlStatesByKey('v.state', 'PENDING')}`,
      [
        first.spaceId,
        first.datasetId,
        claims.map((claim) => claim.recordId),
        claims.map((claim) => claim.field),
        claims.map((claim) => claim.revision),
        vectors,
      ],
    );
  }

  async postpone(tx: Tx, claims: readonly TextClaim[], delayMs: number, error: EmbeddingError): Promise<void> {
    const [first] = claims;
    if (first === undefined) return;
    await this.hold(tx, first, claims);
    await tx.run(
      `update record_vectors v set due_at = clock_timestamp() + make_interval(secs => $6::float8 / 1000), error = $7::jsonb, worker = null,
         state = case when v.attempts >= ${MAX_ATTEMPTS} then 'FAILED' else v.state end
       from unnest($3::uuid[], $4::smallint[], $5::int[]) as x(record_id, field, revision)
       where v.space_id = $1 and v.dataset_id = $2 and v.record_id = x.record_id and v.field = x.field and v.revision = x.revision`,
      [
        first.spaceId,
        first.datasetId,
        claims.map((claim) => claim.recordId),
        claims.map((claim) => claim.field),
        claims.map((claim) => claim.revision),
        delayMs,
        JSON.stringify(error),
      ],
    );
  }

  /** As they were before they were claimed, and due later. */
  async putBack(tx: Tx, claims: readonly TextClaim[], delayMs: number): Promise<void> {
    const [first] = claims;
    if (first === undefined) return;
    await this.hold(tx, first, claims);
    await tx.run(
      `update record_vectors v set due_at = clock_timestamp() + make_interval(secs => $6::float8 / 1000), worker = null,
         attempts = greatest(0, v.attempts - 1)
       from unnest($3::uuid[], $4::smallint[], $5::int[]) as x(record_id, field, revision)
       where v.space_id = $1 and v.dataset_id = $2 and v.record_id = x.record_id and v.field = x.field and v.revision = x.revision`,
      [
        first.spaceId,
        first.datasetId,
        claims.map((claim) => claim.recordId),
        claims.map((claim) => claim.field),
        claims.map((claim) => claim.revision),
        delayMs,
      ],
    );
  }

  /** In the order of those who write the records. */
  private async hold(tx: Tx, { spaceId, datasetId }: TextClaim, claims: readonly TextClaim[]): Promise<void> {
    await tx.run(
      `select from record_vectors v where v.space_id = $1 and v.dataset_id = $2
         and (v.record_id, v.field) in (select * from unnest($3::uuid[], $4::smallint[]))
       order by v.record_id, v.field for update`,
      [spaceId, datasetId, claims.map((claim) => claim.recordId), claims.map((claim) => claim.field)],
    );
  }

  /**
   * Texts that a search should wait for: written, not embedded yet, and not failing. Those of an import by a job are
   * queued piece by piece after its end: until all are, all of it counts. Counts no further than `most`.
   */
  pending(spaceId: string, datasetId: string, most: number): Read {
    return {
      name: 'vectors-pending',
      sql: `select greatest(
          (select count(*) from (select 1 from record_vectors
            where space_id = $1 and dataset_id = $2 and state = 'PENDING' and attempts < 3 limit $3) t),
          (select least(coalesce(sum(staged), 0), $3) from imports
            where space_id = $1 and dataset_id = $2 and phase = 'SUCCEEDED' and has_parts and started_at is not null))::int as n`,
      params: [spaceId, datasetId, most],
    };
  }

  /**
   * Everything with a transaction id under this is visible by now, and will never be changed by its transaction again.
   */
  async horizon(tx: Tx): Promise<string> {
    const [row] = await tx.prepared<{ xmin: string }>(
      'vectors-horizon',
      'select pg_snapshot_xmin(pg_current_snapshot())::text as xmin',
    );
    return row?.xmin ?? '0';
  }

  /** A page of changes in commit order. Rows that change between two pages appear again. */
  async changedSince(
    tx: Tx,
    spaceId: string,
    datasetId: string,
    since: string,
    after: ChangedVector | null,
    limit: number,
  ): Promise<ChangedVector[]> {
    return tx.prepared<ChangedVector>(
      'vectors-changed',
      `select record_id, field, revision, vector, changed_in::text as changed_in from record_vectors
       where space_id = $1 and dataset_id = $2 and changed_in >= $3::xid8 and state in ('READY', 'GONE')
         and (changed_in, record_id, field) > ($3::xid8, $4::uuid, $5::smallint)
       order by record_vectors.changed_in, record_id, field limit $6`,
      [spaceId, datasetId, after?.changedIn ?? since, ...placeAfter(after), limit],
    );
  }

  /** A page of the vectors of one field. */
  async ofField(
    tx: Tx,
    spaceId: string,
    datasetId: string,
    field: number,
    after: string | null,
    limit: number,
  ): Promise<VectorChange[]> {
    return tx.query<VectorChange>(
      `select record_id, field, revision, vector from record_vectors
       where space_id = $1 and dataset_id = $2 and record_id > $4 and field = $3 and state = 'READY'
       order by record_id limit $5`,
      [spaceId, datasetId, field, after ?? NO_ID, limit],
    );
  }

  async ofRecords(
    tx: Tx,
    spaceId: string,
    datasetId: string,
    field: number,
    ids: readonly string[],
  ): Promise<VectorChange[]> {
    return tx.query<VectorChange>(
      `select record_id, field, revision, vector from record_vectors
       where space_id = $1 and dataset_id = $2 and field = $3 and state = 'READY' and record_id = any($4::uuid[])`,
      [spaceId, datasetId, field, ids],
    );
  }

  async readyAfter(
    tx: Tx,
    spaceId: string,
    datasetId: string,
    after: VectorChange | null,
    limit: number,
  ): Promise<VectorChange[]> {
    return tx.query<VectorChange>(
      `select record_id, field, revision, vector from record_vectors
       where space_id = $1 and dataset_id = $2 and state = 'READY' and (record_id, field) > ($3::uuid, $4::smallint)
       order by record_id, field limit $5`,
      [spaceId, datasetId, ...placeAfter(after), limit],
    );
  }

  /** Marks of deleted records are of use only to processes that were up before, and to tables that are behind. */
  async forgetGone(tx: Tx): Promise<number> {
    return tx.count(
      `delete from record_vectors v where v.state = 'GONE' and v.due_at < (select clock_timestamp()) - interval '2 days'
       and not exists (select 1 from vector_tables t where t.space_id = v.space_id and t.dataset_id = v.dataset_id
         and t.field = v.field and t.horizon <= v.changed_in)`,
    );
  }
}
