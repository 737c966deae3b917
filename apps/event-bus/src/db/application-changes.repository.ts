import { Injectable } from '@nestjs/common';
import type { Read, Tx } from '@switchyard/database';

export interface Watch {
  watcherId: string;
  datasetId: string;
}

export interface Actor {
  userId: string | null;
  credentialId: string | null;
  requestId: string;
}

export interface ApplicationChange {
  spaceId: string;
  id: string;
  applicationId: string;
  /** Null in notes of the version before. */
  identifier: string | null;
  kind: 'install' | 'upgrade' | 'uninstall' | 'rotate';
  /** Counts takeovers: an earlier process may no longer end it. */
  attempt: number;
  /** The requester; null in records of the previous version. */
  actor: Actor | null;
  /** Watches that it sets on datasets before its commit. */
  watches: Watch[];
}

/** Longer than any change takes: its caller was given up by then. */
const ABANDONED_AFTER = `interval '60 seconds'`;
const IS_ABANDONED = `started_at < (select clock_timestamp()) - ${ABANDONED_AFTER}`;
/** When a change that could not be settled is tried again: after 4 s, then 8 s, at most 60 s. */
const NEXT_TRY = `least(interval '60 seconds', interval '2 seconds' * 2 ^ least(attempt, 5))`;
const OWN = 'space_id = $1 and id = $2 and attempt = $3';

/** Changes of applications that have begun, and not come to their end yet. */
@Injectable()
export class ApplicationChangesRepository {
  /** False while another change of the application runs. */
  async begin(tx: Tx, change: ApplicationChange): Promise<boolean> {
    const { spaceId, id, applicationId, identifier, kind, attempt, actor, watches } = change;
    const begun = await tx.count(
      `insert into application_changes (space_id, id, application_id, identifier, kind, attempt, actor, watches)
       values ($1, $2, $3, $4, $5, $6, $7, $8)
       on conflict (space_id, identifier) do nothing`,
      [spaceId, id, applicationId, identifier, kind, attempt, JSON.stringify(actor), JSON.stringify(watches)],
    );
    return begun > 0;
  }

  /** False if another process has taken it over since. */
  async end(tx: Tx, { spaceId, id, attempt }: ApplicationChange): Promise<boolean> {
    return (await tx.count(`delete from application_changes where ${OWN}`, [spaceId, id, attempt])) > 0;
  }

  /** Renews the lease; false if another process has taken it over since. */
  async renew(tx: Tx, { spaceId, id, attempt }: ApplicationChange): Promise<boolean> {
    const sql = `update application_changes set started_at = clock_timestamp() where ${OWN}`;
    return (await tx.count(sql, [spaceId, id, attempt])) > 0;
  }

  /** False if another process has taken it over since. */
  async keepWatches(tx: Tx, { spaceId, id, attempt, watches }: ApplicationChange): Promise<boolean> {
    const sql = `update application_changes set watches = $4 where ${OWN}`;
    return (await tx.count(sql, [spaceId, id, attempt, JSON.stringify(watches)])) > 0;
  }

  /** To be taken up at the next look. */
  async abandon(tx: Tx, { spaceId, id, attempt }: ApplicationChange): Promise<void> {
    await tx.run(`update application_changes set started_at = 'epoch' where ${OWN}`, [spaceId, id, attempt]);
  }

  /** To be taken up again in a while: the more often it was taken up in vain, the later. */
  async postpone(tx: Tx, { spaceId, id, attempt }: ApplicationChange): Promise<void> {
    await tx.run(
      `update application_changes set started_at = clock_timestamp() - ${ABANDONED_AFTER} + ${NEXT_TRY} where ${OWN}`,
      [spaceId, id, attempt],
    );
  }

  readonly anyAbandoned: Read = {
    name: 'any-change-abandoned',
    params: [],
    sql: `select 1 from application_changes where ${IS_ABANDONED} limit 1`,
  };

  /** One that came to no end. It is the caller's from here on. */
  takeAbandoned(tx: Tx): Promise<ApplicationChange | null> {
    return tx.one<ApplicationChange>(
      `update application_changes set started_at = clock_timestamp(), attempt = attempt + 1
        where (space_id, id) = (select space_id, id from application_changes
               where ${IS_ABANDONED} order by started_at limit 1 for update skip locked)
       returning space_id, id, application_id, identifier, kind, attempt, actor, watches`,
    );
  }
}
