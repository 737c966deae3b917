import { Injectable } from '@nestjs/common';
import type { MemberStatus, Role } from '@switchyard/contracts';
import type { PageWindow, RowOf, TimePosition, Tx } from '@switchyard/database';
import { newId } from '@switchyard/kernel';
import { STANDING_COLUMNS, type StandingColumns } from '../domain/space-suspension-data';
import { members } from './tables';

/** A membership, and whose it is. */
export interface MemberRow extends Pick<RowOf<typeof members>, 'userId' | 'role' | 'invitedEmail' | 'createdAt'> {
  email: string;
  name: string;
}

/** A member whose account is not disabled, and how the Space stands. */
export interface ActiveMember extends MemberRow, StandingColumns {
  operator: boolean;
}

/** A member, or somebody who was invited and has not come yet. */
export interface ListedMember extends MemberRow {
  status: MemberStatus;
}

/** Members are read with their accounts, and among invitations: these reads are SQL of their own. */
const COLUMNS = 'm.user_id, u.email, u.name, m.role, m.invited_email, m.created_at';
const MEMBERS = 'members m join users u on u.id = m.user_id';

@Injectable()
export class MembersRepository {
  find(tx: Tx, spaceId: string, userId: string): Promise<MemberRow | null> {
    return tx.one<MemberRow>(`select ${COLUMNS} from ${MEMBERS} where m.space_id = $1 and m.user_id = $2`, [
      spaceId,
      userId,
    ]);
  }

  /** A membership with what decides at each request: null also while the account is disabled. */
  findActive(tx: Tx, spaceId: string, userId: string): Promise<ActiveMember | null> {
    return tx.one<ActiveMember>(
      `select ${COLUMNS}, u.operator, ${STANDING_COLUMNS} from ${MEMBERS} join spaces s on s.space_id = m.space_id
       where m.space_id = $1 and m.user_id = $2 and u.disabled_at is null`,
      [spaceId, userId],
    );
  }

  /** Newest first, below the place that a cursor names; open invitations stand among the members. */
  list(tx: Tx, spaceId: string, page: PageWindow<TimePosition>): Promise<ListedMember[]> {
    return tx.query<ListedMember>(
      `(select ${COLUMNS}, 'ACTIVE' as status from ${MEMBERS}
         where m.space_id = $1
           and ($2::timestamptz is null or (m.created_at, m.user_id) < ($2::timestamptz, $3::uuid))
         order by m.created_at desc, m.user_id desc limit $4)
       union all
       (select i.id, i.email, split_part(i.email, '@', 1), i.role, null, i.created_at, 'INVITED'
          from invitations i
         where i.space_id = $1 and i.expires_at > now()
           and ($2::timestamptz is null or (i.created_at, i.id) < ($2::timestamptz, $3::uuid))
         order by i.created_at desc, i.id desc limit $4)
       order by created_at desc, user_id desc limit $4`,
      [spaceId, page.after?.at ?? null, page.after?.id ?? null, page.take],
    );
  }

  /** False when the person is a member already. */
  async insert(
    tx: Tx,
    member: { spaceId: string; userId: string; role: Role; invitedEmail?: string },
  ): Promise<boolean> {
    return (
      (await tx.count(
        `insert into members (space_id, id, user_id, role, invited_email) values ($1, $2, $3, $4, $5)
       on conflict (space_id, user_id) do nothing`,
        [member.spaceId, newId(), member.userId, member.role, member.invitedEmail ?? null],
      )) === 1
    );
  }

  async setRole(tx: Tx, spaceId: string, userId: string, role: Role): Promise<void> {
    await tx.rows(members).change({ spaceId, userId }, { role });
  }

  remove(tx: Tx, spaceId: string, userId: string): Promise<number> {
    return tx.rows(members).remove({ spaceId, userId });
  }

  async hasEmail(tx: Tx, spaceId: string, email: string): Promise<boolean> {
    return (
      (await tx.one(`select 1 as found from ${MEMBERS} where m.space_id = $1 and u.email = $2`, [spaceId, email])) !==
      null
    );
  }

  async countOwners(tx: Tx, spaceId: string): Promise<number> {
    return (
      (
        await tx.one<{ owners: number }>(
          `select count(*)::int as owners from members where space_id = $1 and role = 'OWNER'`,
          [spaceId],
        )
      )?.owners ?? 0
    );
  }

  /** Members and open invitations together. */
  async countPlaces(tx: Tx, spaceId: string): Promise<number> {
    return (
      (
        await tx.one<{ places: number }>(
          `select (select count(*) from members where space_id = $1)::int
              + (select count(*) from invitations where space_id = $1 and expires_at > now())::int as places`,
          [spaceId],
        )
      )?.places ?? 0
    );
  }

  /** Those of the given people and accounts of services who belong to the Space. */
  async among(tx: Tx, spaceId: string, userIds: readonly string[]): Promise<string[]> {
    return (
      await tx.query<{ userId: string }>(
        `select user_id from members where space_id = $1 and user_id = any($2::uuid[])
         union select id from nats_accounts where space_id = $1 and id = any($2::uuid[]) and revoked_at is null`,
        [spaceId, userIds],
      )
    ).map((row) => row.userId);
  }
}
