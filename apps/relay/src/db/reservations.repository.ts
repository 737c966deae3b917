import { Injectable } from '@nestjs/common';
import type { Read, Tx } from '@switchyard/database';
import type { CallFacts, Lease } from './ledger-batch.repository';

export interface Orphan {
  spaceId: string;
  id: string;
  facts: CallFacts;
  /** Answer tokens that its holder had seen; null when the upstream had not answered yet. */
  seenTokens: number | null;
}

export interface OrphanLease extends Lease {
  holder: string;
}

const JOURNAL_EXPIRES_AFTER = `interval '1 hour'`;

/** Whose reservations are whose, and whether they still live. */
@Injectable()
export class ReservationsRepository {
  beat(holder: string, hasJournal: boolean): Read {
    return {
      name: 'relay-beat',
      params: [holder, hasJournal],
      sql: `insert into holders (id, beat_at, has_journal) values ($1, clock_timestamp(), $2)
            on conflict (id) do update set beat_at = excluded.beat_at, has_journal = excluded.has_journal`,
    };
  }

  /** Other relays that are alive, and whether one of them has a journal. */
  others(holder: string, silentSeconds: number): Read {
    return {
      name: 'other-relays',
      params: [holder, silentSeconds],
      sql: `select count(*)::int as relays, coalesce(bool_or(has_journal), false) as has_journal from holders
            where id <> $1 and beat_at > (select clock_timestamp()) - make_interval(secs => $2)`,
    };
  }

  /** The same for a copy of the database, until an operator changes it. */
  identity(): Read {
    return { name: 'database-identity', params: [], sql: 'select identity from database_identity' };
  }

  /** The journal of an ended relay is booked: what else it holds can be settled at once. */
  async end(tx: Tx, holder: string): Promise<void> {
    await tx.run(`update holders set has_journal = false, beat_at = '-infinity' where id = $1`, [holder]);
  }

  async leave(tx: Tx, holder: string): Promise<void> {
    await tx.run(
      `delete from holders where id = $1 and not exists (select 1 from reservations where holder = $1)
       and not exists (select 1 from leases where holder = $1 and tokens + ahead > 0)`,
      [holder],
    );
  }

  /**
   * Notes how far running calls have come, so that a crash does not lose what was used. Calls that are being settled
   * are passed over: they need no note, and who waits for them with others in hand can stand in the way of the books.
   */
  async noteSeen(tx: Tx, seen: readonly { spaceId: string; id: string; tokens: number }[]): Promise<void> {
    await tx.run(
      `with free as (
         select r.space_id, r.id, s.tokens from reservations r
         join unnest($1::uuid[], $2::uuid[], $3::bigint[]) as s (space_id, id, tokens)
           on r.space_id = s.space_id and r.id = s.id
         for update of r skip locked
       )
       update reservations r set seen_tokens = free.tokens from free where r.space_id = free.space_id and r.id = free.id`,
      [seen.map((call) => call.spaceId), seen.map((call) => call.id), seen.map((call) => call.tokens)],
    );
  }

  /** Finds a row if a relay is silent: it may have left something. Of those that hold nothing no row stays. */
  anySilent(silentSeconds: number): Read {
    return {
      name: 'any-silent',
      params: [silentSeconds],
      sql: `select 1 from holders h where not ${isHolding('h')} limit 1`,
    };
  }

  findOrphans(tx: Tx, silentSeconds: number, limit: number): Promise<Orphan[]> {
    return tx.query<Orphan>(
      `select r.space_id, r.id, r.facts, r.seen_tokens from reservations r
       where not ${isAlive('r')} and r.started_at < (select clock_timestamp()) - interval '1 second'
       limit $2`,
      [silentSeconds, limit],
    );
  }

  /** Reservations of dead relays. The first heartbeat of a new relay may still be missing. */
  findOrphanLeases(tx: Tx, holder: string, silentSeconds: number, limit: number): Promise<OrphanLease[]> {
    return tx.query<OrphanLease>(
      `select l.space_id, l.holder, l.key_id, 0 as tokens from leases l
       where l.tokens + l.ahead > 0 and l.holder <> $3 and not ${isAlive('l')} and l.written_at < (select clock_timestamp()) - interval '1 second'
       limit $2`,
      [silentSeconds, limit, holder],
    );
  }

  /** Deletes leases that have been empty for a while, except those being written now. */
  async deleteEmptyLeases(tx: Tx): Promise<void> {
    await tx.run(
      `delete from leases l using (
         select space_id, holder, key_id from leases
         where tokens + ahead = 0 and written_at < (select clock_timestamp()) - interval '1 minute' for update skip locked
       ) empty
       where l.space_id = empty.space_id and l.holder = empty.holder and l.key_id = empty.key_id`,
    );
  }

  async deleteDeadHolders(tx: Tx, silentSeconds: number): Promise<void> {
    await tx.run(
      `delete from holders h where not ${isHolding('h')}
       and not exists (select 1 from reservations r where r.holder = h.id)
       and not exists (select 1 from leases l where l.holder = h.id and l.tokens + l.ahead > 0)`,
      [silentSeconds],
    );
  }
}

/**
 * Whether a relay has beaten within so many seconds, or has left a journal, which it books when it starts again. After a
 * longer time its journal counts as lost.
 */
const isHolding = (holder: string): string =>
  `(${holder}.beat_at > (select clock_timestamp()) - make_interval(secs => $1)
    or (${holder}.has_journal and ${holder}.beat_at > (select clock_timestamp()) - ${JOURNAL_EXPIRES_AFTER}))`;

const isAlive = (row: string): string =>
  `exists (select 1 from holders h where h.id = ${row}.holder and ${isHolding('h')})`;
