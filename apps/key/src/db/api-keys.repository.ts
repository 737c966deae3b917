import { Injectable } from '@nestjs/common';
import type { KeyLimits, KeyStatus, MakerLimits, KeyType, OperatorScope, Role, Scope } from '@switchyard/contracts';
import type { Database, PageWindow, RowOf, TimePosition, Tx } from '@switchyard/database';
import { STANDING_COLUMNS, type StandingColumns } from '../domain/space-suspension-data';
import { MILLISECOND, apiKeys } from './tables';

export type ApiKeyRow = RowOf<typeof apiKeys>;

export type NewApiKey = Pick<
  ApiKeyRow,
  | 'id'
  | 'name'
  | 'description'
  | 'type'
  | 'userId'
  | 'applicationId'
  | 'last4'
  | 'scopes'
  | 'limits'
  | 'expiresAt'
  | 'createdBy'
  | 'madeByKey'
>;

/** A key with what decides whether it opens anything right now. */
export interface KeyInUse extends StandingColumns {
  id: string;
  spaceId: string;
  type: KeyType;
  userId: string | null;
  applicationId: string | null;
  scopes: (Scope | OperatorScope)[];
  limits: KeyLimits;
  version: number;
  expiresAt: string | null;
  revokedAt: string | null;
  valueEndsAt: string | null;
  role: Role | null;
  createdBy: string | null;
  /** The key that made it. */
  madeByKey: string | null;
  ownerIsDisabled: boolean | null;
  ownerIsOperator: boolean | null;
}

const STATUS_IS: Record<KeyStatus, string> = {
  REVOKED: 'row.revokedAt is not null',
  EXPIRED: 'row.revokedAt is null and row.expiresAt <= now()',
  ACTIVE: 'row.revokedAt is null and (row.expiresAt is null or row.expiresAt > now())',
};

const FIND_IN_USE = `
  select k.id, k.space_id, k.type, k.user_id, k.application_id, k.scopes, k.limits, k.version, k.expires_at, k.revoked_at,
         k.created_by, k.made_by_key, v.ends_at as value_ends_at, m.role,
         u.disabled_at is not null as owner_is_disabled, u.operator as owner_is_operator,
         ${STANDING_COLUMNS}
  from api_key_values v
  join api_keys k on k.space_id = v.space_id and k.id = v.key_id
  left join members m on m.space_id = k.space_id and m.user_id = k.user_id
  left join users u on u.id = case k.type when 'OPERATOR' then k.created_by else k.user_id end
  left join spaces s on s.space_id = k.space_id
  where v.digest = any($1::bytea[]) limit 1`;

/** No longer chain of keys is followed: each of them was made by the one before. */
export const MAKERS_FOLLOWED = 16;

const existing = (id: string): string =>
  `(select id, limits, made_by_key from api_keys where space_id = $1 and id = ${id}
    union all select id, limits, made_by_key from nats_accounts where space_id = $1 and id = ${id}
    union all select id, limits, made_by_key from ended_key_limits where space_id = $1 and id = ${id} limit 1)`;

const MAKERS = `
  with recursive chain as (
    select k.id, k.limits, k.made_by_key, 0 as depth from ${existing('$2')} k
    union all
    select m.id, m.limits, m.made_by_key, c.depth + 1 from chain c, lateral ${existing('c.made_by_key')} m
     where c.depth < ${MAKERS_FOLLOWED})
  select id, limits from chain where depth > 0 order by depth`;

const makerOf = ({ id, limits }: { id: string; limits: KeyLimits }): MakerLimits => {
  const { dailyTokens, monthlyTokens, requestsPerMinute } = limits;
  return {
    keyId: id,
    ...(dailyTokens === undefined ? {} : { dailyTokens }),
    ...(monthlyTokens === undefined ? {} : { monthlyTokens }),
    ...(requestsPerMinute === undefined ? {} : { requestsPerMinute }),
  };
};

@Injectable()
export class ApiKeysRepository {
  insert(tx: Tx, spaceId: string, key: NewApiKey): Promise<ApiKeyRow> {
    return tx.rows(apiKeys).insert({
      spaceId,
      id: key.id,
      name: key.name,
      description: key.description,
      type: key.type,
      userId: key.userId,
      applicationId: key.applicationId,
      last4: key.last4,
      scopes: key.scopes,
      limits: key.limits,
      expiresAt: key.expiresAt,
      createdBy: key.createdBy,
      madeByKey: key.madeByKey,
    });
  }

  find(tx: Tx, spaceId: string, id: string): Promise<ApiKeyRow | null> {
    return tx.rows(apiKeys).find({ spaceId, id });
  }

  findLocked(tx: Tx, spaceId: string, id: string): Promise<ApiKeyRow | null> {
    return tx.rows(apiKeys).lock({ spaceId, id });
  }

  findOfApplicationLocked(tx: Tx, spaceId: string, applicationId: string): Promise<ApiKeyRow | null> {
    return tx.rows(apiKeys).lock({ spaceId, applicationId, type: 'SYSTEM', revokedAt: null });
  }

  /** Newest first; of everybody, or of one person. */
  list(
    tx: Tx,
    spaceId: string,
    page: PageWindow<TimePosition> & { status: KeyStatus | null; ofUserId: string | null },
  ): Promise<ApiKeyRow[]> {
    return tx
      .rows(apiKeys)
      .listByTime({ spaceId, ...(page.ofUserId === null ? {} : { type: 'USER', userId: page.ofUserId }) }, page, [
        page.status !== null && [STATUS_IS[page.status], {}],
      ]);
  }

  update(
    tx: Tx,
    spaceId: string,
    id: string,
    {
      name,
      description,
      expiresAt,
      scopes,
      legacyScopes,
      limits,
    }: Pick<ApiKeyRow, 'name' | 'description' | 'expiresAt' | 'scopes' | 'legacyScopes' | 'limits'>,
  ): Promise<ApiKeyRow | null> {
    return tx.rows(apiKeys).save({ spaceId, id }, { name, description, expiresAt, scopes, legacyScopes, limits });
  }

  revoke(tx: Tx, spaceId: string, id: string): Promise<ApiKeyRow | null> {
    return tx.rows(apiKeys).save({ spaceId, id, revokedAt: null }, { revokedAt: () => MILLISECOND });
  }

  /** Every live key that acts as this person; the ids of those that died by it. */
  async revokeOfUser(tx: Tx, spaceId: string, userId: string): Promise<string[]> {
    return (
      await tx.query<{ id: string }>(
        `update api_keys set revoked_at = ${MILLISECOND}, version = version + 1
       where space_id = $1 and user_id = $2 and revoked_at is null returning id`,
        [spaceId, userId],
      )
    ).map((row) => row.id);
  }

  /** Active keys that act as this person. */
  async countActiveOfSpace(tx: Tx, spaceId: string): Promise<number> {
    const row = await tx.one<{ keys: number }>(
      `select count(*)::int as keys from api_keys
       where space_id = $1 and revoked_at is null and (expires_at is null or expires_at > now())`,
      [spaceId],
    );
    return row?.keys ?? 0;
  }

  async countActive(tx: Tx, spaceId: string, userId: string): Promise<number> {
    return (
      (
        await tx.one<{ keys: number }>(
          `select count(*)::int as keys from api_keys
         where space_id = $1 and user_id = $2 and revoked_at is null and (expires_at is null or expires_at > now())`,
          [spaceId, userId],
        )
      )?.keys ?? 0
    );
  }

  /** Keys that ended so many days ago, with their values. Their limits stay, by a trigger: see `limitsOf`. */
  async forget(tx: Tx, days: number, limit: number): Promise<number> {
    return (
      (
        await tx.one<{ keys: number }>(
          `with gone as (
           delete from api_keys where (space_id, id) in
             (select space_id, id from api_keys
               where (expires_at is not null or revoked_at is not null)
                 and least(expires_at, revoked_at) < now() - make_interval(days => $1) limit $2 for update skip locked)
           returning 1)
         select count(*)::int as keys from gone`,
          [days, limit],
        )
      )?.keys ?? 0
    );
  }

  /** Those of a key that ended long ago too: what it has saved still runs, and counts against them. */
  async limitsOf(tx: Tx, spaceId: string, id: string): Promise<KeyLimits> {
    return (
      (
        await tx.one<{ limits: KeyLimits }>(
          `select limits from api_keys where space_id = $1 and id = $2
         union all select limits from nats_accounts where space_id = $1 and id = $2
         union all select limits from ended_key_limits where space_id = $1 and id = $2 limit 1`,
          [spaceId, id],
        )
      )?.limits ?? {}
    );
  }

  /** The keys that a key was made by, the nearest first, with their limits, revoked and expired ones too. */
  async makersOf(tx: Tx, spaceId: string, id: string): Promise<MakerLimits[]> {
    const rows = await tx.query<{ id: string; limits: KeyLimits }>(MAKERS, [spaceId, id]);
    return rows.map(makerOf);
  }

  /** The same, of a key that is looked up by its value. */
  async makersInUse(database: Database, spaceId: string, id: string): Promise<MakerLimits[]> {
    const read = { name: 'find the makers of a key', sql: MAKERS, params: [spaceId, id] };
    const [rows] = await database.systemRead('look the makers of a key up', [read]);
    return ((rows ?? []) as unknown as { id: string; limits: KeyLimits }[]).map(makerOf);
  }

  setLast4(tx: Tx, spaceId: string, id: string, last4: string): Promise<ApiKeyRow | null> {
    return tx.rows(apiKeys).save({ spaceId, id }, { last4 });
  }

  /** By digest alone: a key comes without its Space. The role is the owner's role of this moment. */
  async findInUse(database: Database, digests: readonly Buffer[]): Promise<KeyInUse | null> {
    const read = { name: 'find a key in use', sql: FIND_IN_USE, params: [digests], hasOnePlan: true };
    const [rows] = await database.systemRead('look a key up', [read]);
    return (rows?.[0] as KeyInUse | undefined) ?? null;
  }

  /** Many keys in one statement; never takes a time back. */
  touch(tx: Tx, uses: readonly { spaceId: string; id: string; at: string }[]): Promise<number> {
    return tx.count(
      `update api_keys k set last_used_at = u.at
       from unnest($1::uuid[], $2::uuid[], $3::timestamptz[]) as u (space_id, id, at)
       where k.space_id = u.space_id and k.id = u.id and (k.last_used_at is null or k.last_used_at < u.at)`,
      [uses.map((use) => use.spaceId), uses.map((use) => use.id), uses.map((use) => use.at)],
    );
  }
}
