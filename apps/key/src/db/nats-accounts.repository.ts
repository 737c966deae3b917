import { Injectable } from '@nestjs/common';
import type {
  ExposedNatsAccount,
  LoadableNatsAccount,
  NatsAccountLimits,
  NatsAccountStatus,
  NatsReceiver,
} from '@switchyard/contracts';
import type { Database, PageWindow, Read, RowOf, TimePosition, Tx } from '@switchyard/database';
import { newId } from '@switchyard/kernel';
import { STANDING_COLUMNS, type StandingColumns } from '../domain/space-suspension-data';
import { MILLISECOND, natsAccounts } from './tables';

export type NatsAccountRow = RowOf<typeof natsAccounts>;

export type NewNatsAccount = Pick<
  NatsAccountRow,
  'id' | 'accountId' | 'name' | 'role' | 'scopes' | 'limits' | 'publicKey' | 'userRevision' | 'madeByKey' | 'createdBy'
>;

/** An account with what decides whether it may send requests right now. */
export type NatsAccountInUse = Pick<
  NatsAccountRow,
  'id' | 'spaceId' | 'name' | 'role' | 'scopes' | 'version' | 'madeByKey'
> &
  StandingColumns & { limits: NatsAccountLimits };

export interface ActingAccount extends Pick<NatsAccountRow, 'name' | 'role'>, StandingColumns {
  email: string;
  operator: boolean;
}

export interface UserKey {
  publicKey: string;
  /** The person who was shown the seed; null where there was none to show. */
  shownTo: string | null;
}

const FIND_IN_USE = `
  select a.id, a.space_id, a.name, a.role, a.scopes, a.limits, a.version, a.made_by_key, ${STANDING_COLUMNS}
  from nats_accounts a left join spaces s on s.space_id = a.space_id
  where a.account_id = $1 and a.revoked_at is null`;

const STATUS_IS: Record<NatsAccountStatus, string> = {
  ACTIVE: 'row.revokedAt is null',
  REVOKED: 'row.revokedAt is not null',
};

@Injectable()
export class NatsAccountsRepository {
  insert(tx: Tx, spaceId: string, account: NewNatsAccount): Promise<NatsAccountRow> {
    return tx.rows(natsAccounts).insert({ spaceId, ...account });
  }

  find(tx: Tx, spaceId: string, accountId: string): Promise<NatsAccountRow | null> {
    return tx.rows(natsAccounts).find({ spaceId, accountId });
  }

  findLocked(tx: Tx, spaceId: string, accountId: string): Promise<NatsAccountRow | null> {
    return tx.rows(natsAccounts).lock({ spaceId, accountId });
  }

  /** By the id that stands where a user's does. */
  findById(tx: Tx, spaceId: string, id: string): Promise<NatsAccountRow | null> {
    return tx.rows(natsAccounts).find({ spaceId, id });
  }

  findActive(tx: Tx, spaceId: string, id: string): Promise<NatsAccountRow | null> {
    return tx.rows(natsAccounts).find({ spaceId, id, revokedAt: null });
  }

  /** As a member of the Space, who has no address. */
  findActing(tx: Tx, spaceId: string, id: string): Promise<ActingAccount | null> {
    return tx.one<ActingAccount>(
      `select a.name, a.role, '' as email, false as operator, ${STANDING_COLUMNS}
       from nats_accounts a join spaces s on s.space_id = a.space_id
       where a.space_id = $1 and a.id = $2 and a.revoked_at is null`,
      [spaceId, id],
    );
  }

  /** Accounts of a Space are made and renamed one after the other. */
  async lockNames(tx: Tx, spaceId: string): Promise<void> {
    await tx.run('select pg_advisory_xact_lock(hashtextextended($1, 33))', [`nats accounts ${spaceId}`]);
  }

  async countActive(tx: Tx, spaceId: string): Promise<number> {
    const row = await tx.one<{ accounts: number }>(
      'select count(*)::int as accounts from nats_accounts where space_id = $1 and revoked_at is null',
      [spaceId],
    );
    return row?.accounts ?? 0;
  }

  /** False where an active account has the name. */
  async isFreeName(tx: Tx, spaceId: string, name: string): Promise<boolean> {
    return !(await tx.rows(natsAccounts).exists({ spaceId, name, revokedAt: null }));
  }

  list(
    tx: Tx,
    spaceId: string,
    page: PageWindow<TimePosition> & { status: NatsAccountStatus | null },
  ): Promise<NatsAccountRow[]> {
    return tx.rows(natsAccounts).listByTime({ spaceId }, page, [page.status !== null && [STATUS_IS[page.status], {}]]);
  }

  change(
    tx: Tx,
    spaceId: string,
    id: string,
    change: Pick<NatsAccountRow, 'name' | 'role' | 'scopes' | 'limits'>,
  ): Promise<NatsAccountRow | null> {
    return tx.rows(natsAccounts).save({ spaceId, id }, change);
  }

  rotate(
    tx: Tx,
    spaceId: string,
    id: string,
    change: Pick<
      NatsAccountRow,
      'publicKey' | 'previousPublicKey' | 'previousUntil' | 'userRevision' | 'removedRevision'
    >,
  ): Promise<NatsAccountRow | null> {
    return tx.rows(natsAccounts).save({ spaceId, id }, { ...change, admittedAt: null });
  }

  revoke(tx: Tx, spaceId: string, id: string, removedRevision: number): Promise<NatsAccountRow | null> {
    return tx
      .rows(natsAccounts)
      .save(
        { spaceId, id, revokedAt: null },
        { revokedAt: () => MILLISECOND, removedRevision, previousPublicKey: null, previousUntil: null },
      );
  }

  /** False where an account of any Space has, or had, this key. */
  async addKey(tx: Tx, spaceId: string, actorId: string, { publicKey, shownTo }: UserKey): Promise<boolean> {
    return (
      (await tx.count(
        `insert into nats_user_keys (space_id, id, actor_id, public_key, shown_to) values ($1, $2, $3, $4, $5)
         on conflict (public_key) do nothing`,
        [spaceId, newId(), actorId, publicKey, shownTo],
      )) === 1
    );
  }

  /** Active accounts with a user whose seed this person was shown. */
  listShownTo(tx: Tx, spaceId: string, userId: string): Promise<ExposedNatsAccount[]> {
    return tx.query<ExposedNatsAccount>(
      `select distinct a.account_id as id, a.name from nats_user_keys k
       join nats_accounts a on a.space_id = k.space_id and a.id = k.actor_id
       where k.space_id = $1 and k.shown_to = $2 and a.revoked_at is null
         and (k.public_key = a.public_key or (k.public_key = a.previous_public_key and a.previous_until > now()))
       order by a.name`,
      [spaceId, userId],
    );
  }

  /** By id alone: a subject comes without its Space. */
  async findInUse(database: Database, accountId: string): Promise<NatsAccountInUse | null> {
    const read = { name: 'find a NATS account in use', sql: FIND_IN_USE, params: [accountId] };
    const [rows] = await database.systemRead('look a NATS account up', [read]);
    return (rows?.[0] as NatsAccountInUse | undefined) ?? null;
  }

  /** Of all Spaces, newest first. */
  readonly all = ({ after, take }: PageWindow<string>): Read => ({
    name: 'all-nats-accounts',
    params: [after, take],
    sql: `select id, account_id, space_id, name, revoked_at, public_key, previous_public_key, previous_until
       from nats_accounts where ($1::uuid is null or id < $1) order by id desc limit $2`,
  });

  /** Accounts whose user a server may have. */
  listLoadable(tx: Tx, { after, take }: PageWindow<string>): Promise<(LoadableNatsAccount & { id: string })[]> {
    return tx.query<LoadableNatsAccount & { id: string }>(
      `select id, account_id, space_id from nats_accounts
       where ($1::uuid is null or id < $1)
         and (revoked_at is null or removed_revision > (select loaded_revision from nats_revision))
       order by id desc limit $2`,
      [after, take],
    );
  }

  /** Users whose revision a server has loaded. */
  async noteAdmitted(tx: Tx): Promise<void> {
    await tx.run(
      `update nats_accounts set admitted_at = ${MILLISECOND}
       where admitted_at is null and revoked_at is null
         and user_revision <= (select loaded_revision from nats_revision)`,
      [],
    );
  }

  /** Revoked accounts whose user left the server with a revision above `from`, up to `to`. */
  listRemoved(tx: Tx, from: number, to: number): Promise<LoadableNatsAccount[]> {
    return tx.query<LoadableNatsAccount>(
      `select account_id, space_id from nats_accounts
       where revoked_at is not null and removed_revision > $1 and removed_revision <= $2`,
      [from, to],
    );
  }

  async listAdmitted(database: Database, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const sql = 'select id, admitted_at from nats_accounts where id = any($1::uuid[]) and admitted_at is not null';
    const [rows] = await database.systemRead('wait for NATS users to be loaded', [
      { name: 'find admitted NATS accounts', sql, params: [ids] },
    ]);
    return new Map(
      ((rows ?? []) as { id: string; admittedAt: string }[]).map(({ id, admittedAt }) => [id, admittedAt]),
    );
  }

  /** A server may still have the user before a rotation until it has loaded the revision without it. */
  async listReceivers(database: Database, accountIds: readonly string[]): Promise<NatsReceiver[]> {
    const sql = `
      select a.account_id, a.space_id,
             case when a.revoked_at is not null then 'REVOKED'
                  when a.removed_revision > r.loaded_revision or a.previous_until <= now() then 'WAITING'
                  else 'OPEN' end as state
        from nats_accounts a cross join nats_revision r where a.account_id = any($1::text[])`;
    const [rows] = await database.systemRead('read where events may be sent', [
      { name: 'find receivers of events over NATS', sql, params: [accountIds] },
    ]);
    return (rows ?? []) as unknown as NatsReceiver[];
  }

  /** Rotated accounts whose grace has ended, locked. */
  async lockEndedGraces(tx: Tx, limit: number): Promise<string[]> {
    const rows = await tx.query<{ id: string }>(
      `select id from nats_accounts where previous_until <= now() order by id limit $1 for update skip locked`,
      [limit],
    );
    return rows.map(({ id }) => id);
  }

  async endGraces(tx: Tx, ids: readonly string[], removedRevision: number): Promise<void> {
    await tx.run(
      `update nats_accounts set previous_public_key = null, previous_until = null, removed_revision = $2
       where id = any($1::uuid[])`,
      [ids, removedRevision],
    );
  }

  /** Many accounts in one statement; never takes a time back. */
  touch(tx: Tx, uses: readonly { spaceId: string; id: string; at: string }[]): Promise<number> {
    return tx.count(
      `update nats_accounts a set last_used_at = u.at
       from unnest($1::uuid[], $2::uuid[], $3::timestamptz[]) as u (space_id, id, at)
       where a.space_id = u.space_id and a.id = u.id and (a.last_used_at is null or a.last_used_at < u.at)`,
      [uses.map((use) => use.spaceId), uses.map((use) => use.id), uses.map((use) => use.at)],
    );
  }
}
