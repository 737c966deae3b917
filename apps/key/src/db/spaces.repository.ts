import { Injectable } from '@nestjs/common';
import type { Role, SpaceSettings, SuspendedSpace } from '@switchyard/contracts';
import type { PageWindow, RowOf, TimePosition, Tx } from '@switchyard/database';
import { MILLISECOND, spaces } from './tables';

export type SpaceRow = Pick<RowOf<typeof spaces>, (typeof SHOWN)[number]>;

export interface NewSpaceRow {
  id: string;
  name: string;
  sealedWebhookSecret: Buffer;
  startingTokens: number;
  madeBy: string | null;
  madeByKind: 'operator' | 'user';
}

export interface SpaceOfMember extends SpaceRow {
  role: Role;
}

/** The sealed secret is read where it is needed alone. */
const SHOWN = [
  'id',
  'name',
  'settings',
  'createdAt',
  'updatedAt',
  'status',
  'suspendedReason',
  'suspendedAt',
  'ceilings',
  'madeBy',
  'madeByKind',
  'payerKind',
  'payerId',
  'unmetered',
  'startingTokens',
] as const;
/** Spaces of a person are joined with their memberships: these reads are SQL of their own. */
const COLUMNS = `s.id, s.name, s.settings, s.created_at, s.updated_at, s.status, s.suspended_reason, s.suspended_at, s.ceilings, s.made_by,
  s.made_by_kind, s.payer_kind, s.payer_id, s.unmetered, s.starting_tokens`;

/** Members, and accounts of services. */
const ACTORS = `(select space_id, user_id, role from members
  union all select space_id, id, role from nats_accounts where revoked_at is null)`;

/** Read for one page, the newest of the platform. Operators alone add these. */
const SUSPENSION_EVENTS_MAX = 10_000;
/** Of a Space. */
const EARLIER_SUSPENSIONS_MAX = 20;

@Injectable()
export class SpacesRepository {
  async insert(tx: Tx, { id, ...space }: NewSpaceRow): Promise<void> {
    await tx.rows(spaces).insert({ spaceId: id, id, ...space });
    if (space.madeByKind === 'user' && space.madeBy !== null)
      await tx.run('insert into space_makers (space_id, user_id) values ($1, $2)', [id, space.madeBy]);
  }

  /** Creations by one person follow each other. */
  async lockMaker(tx: Tx, userId: string): Promise<void> {
    await tx.run(`select pg_advisory_xact_lock(hashtextextended($1, 24))`, [userId]);
  }

  /**
   * Those that a person made while no operator, and that are still there; the oldest of the last day tells when one is
   * free.
   */
  async countMadeBy(tx: Tx, userId: string): Promise<{ all: number; ofDay: number; oldestOfDay: string | null }> {
    const row = await tx.one<{ all: number; ofDay: number; oldestOfDay: string | null }>(
      `select count(*)::int as all, count(*) filter (where made_at > now() - interval '24 hours')::int as of_day,
         min(made_at) filter (where made_at > now() - interval '24 hours') as oldest_of_day
       from space_makers where user_id = $1`,
      [userId],
    );
    return row ?? { all: 0, ofDay: 0, oldestOfDay: null };
  }

  /** Lets a transaction write into the Space that it has just made; the database guards rows by this setting. */
  async enter(tx: Tx, spaceId: string): Promise<void> {
    await tx.run(`select set_config('app.space_id', $1, true)`, [spaceId]);
  }

  find(tx: Tx, spaceId: string): Promise<SpaceRow | null> {
    return tx
      .rows(spaces)
      .only(...SHOWN)
      .find({ spaceId });
  }

  /** The Space, locked, so that two changes of its settings or members follow each other. */
  findLocked(tx: Tx, spaceId: string): Promise<SpaceRow | null> {
    return tx
      .rows(spaces)
      .only(...SHOWN)
      .lock({ spaceId });
  }

  /** Suspended ones above `after`, in the order of their ids. */
  listSuspended(tx: Tx, after: string | null, take: number): Promise<SuspendedSpace[]> {
    return tx.query<SuspendedSpace>(
      `select space_id, coalesce(suspended_at, updated_at) as suspended_at from spaces
       where status = 'SUSPENDED' and ($1::uuid is null or space_id > $1) order by space_id limit $2`,
      [after, take],
    );
  }

  /**
   * Suspensions that ended after `since`, of at most `take` Spaces above `after`, in the order of their ids and times. A
   * Space has its last one; up to twenty before it are read from its security events.
   */
  listResumed(tx: Tx, since: string, after: string | null, take: number): Promise<SuspendedSpace[]> {
    return tx.query<SuspendedSpace>(
      `with resumed as (
         select space_id, last_suspended_at, last_resumed_at from spaces
         where last_resumed_at > $1 and ($2::uuid is null or space_id > $2) order by space_id limit $3),
       events as (
         select e.space_id, e.action, e.at, count(*) filter (where e.action = 'space.resumed') over (
             partition by e.space_id order by e.at, e.id rows between unbounded preceding and 1 preceding) as before
         from (select space_id, id, action, at from space_events where action in ('space.suspended', 'space.resumed')
           order by at desc, id desc limit ${SUSPENSION_EVENTS_MAX}) e
         join resumed r on r.space_id = e.space_id where e.at < r.last_suspended_at),
       earlier as (
         select space_id, min(at) filter (where action = 'space.suspended') as suspended_at,
           max(at) filter (where action = 'space.resumed') as resumed_at
         from events group by space_id, before),
       newest as (
         select *, row_number() over (partition by space_id order by resumed_at desc) as place
         from earlier where suspended_at is not null and resumed_at > $1)
       select space_id, suspended_at, resumed_at from newest where place <= ${EARLIER_SUSPENSIONS_MAX}
       union all select space_id, last_suspended_at, last_resumed_at from resumed
       order by space_id, resumed_at`,
      [since, after, take],
    );
  }

  async update(tx: Tx, spaceId: string, change: { name: string; settings: SpaceSettings }): Promise<void> {
    await tx.rows(spaces).change({ spaceId }, { ...change, updatedAt: () => MILLISECOND });
  }

  findWebhookSecret(tx: Tx, spaceId: string): Promise<{ sealedWebhookSecret: Buffer } | null> {
    return tx.rows(spaces).only('sealedWebhookSecret').find({ spaceId });
  }

  /** False when there is no such Space. */
  async setWebhookSecret(tx: Tx, spaceId: string, sealedWebhookSecret: Buffer): Promise<boolean> {
    return (await tx.rows(spaces).change({ spaceId }, { sealedWebhookSecret })) !== null;
  }

  findOfMember(tx: Tx, spaceId: string, userId: string): Promise<SpaceOfMember | null> {
    return tx.one<SpaceOfMember>(
      `select ${COLUMNS}, m.role from ${ACTORS} m join spaces s on s.space_id = m.space_id
       where m.space_id = $1 and m.user_id = $2`,
      [spaceId, userId],
    );
  }

  /** The Space that a sign-in without a choice opens. */
  findOldestOfUser(tx: Tx, userId: string): Promise<SpaceOfMember | null> {
    return tx.one<SpaceOfMember>(
      `select ${COLUMNS}, m.role from members m join spaces s on s.space_id = m.space_id
       where m.user_id = $1 order by m.created_at, m.space_id limit 1`,
      [userId],
    );
  }

  async countOfUser(tx: Tx, userId: string): Promise<number> {
    return (
      (await tx.one<{ spaces: number }>(`select count(*)::int as spaces from members where user_id = $1`, [userId]))
        ?.spaces ?? 0
    );
  }

  /** Newest first, below the place that a cursor names. */
  listOfUser(
    tx: Tx,
    userId: string,
    page: PageWindow<TimePosition> & { onlySpaceId: string | null },
  ): Promise<SpaceOfMember[]> {
    return tx.query<SpaceOfMember>(
      `select ${COLUMNS}, m.role from ${ACTORS} m join spaces s on s.space_id = m.space_id
       where m.user_id = $1
         and ($2::timestamptz is null or (s.created_at, s.id) < ($2::timestamptz, $3::uuid))
         and ($4::uuid is null or s.space_id = $4::uuid)
       order by s.created_at desc, s.id desc limit $5`,
      [userId, page.after?.at ?? null, page.after?.id ?? null, page.onlySpaceId, page.take],
    );
  }
}
