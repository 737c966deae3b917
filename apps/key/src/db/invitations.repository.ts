import { Injectable } from '@nestjs/common';
import type { Role } from '@switchyard/contracts';
import type { RowOf, Tx } from '@switchyard/database';
import { invitations } from './tables';

type StoredInvitation = RowOf<typeof invitations>;
export type InvitationRow = Pick<StoredInvitation, 'id' | 'spaceId' | 'email' | 'role' | 'expiresAt' | 'createdAt'>;
export type NewInvitation = Omit<InvitationRow, 'createdAt'> & { digest: Buffer; invitedBy: string | null };

/** Whether it is open decides every read and write: they are SQL of their own. */
const COLUMNS = 'id, space_id, email, role, expires_at, created_at';
const IS_OPEN = 'expires_at > now()';

@Injectable()
export class InvitationsRepository {
  /** In the place of an expired one of the same address; null while an open one is there. */
  insert(tx: Tx, invitation: NewInvitation): Promise<InvitationRow | null> {
    return tx.one<InvitationRow>(
      `insert into invitations (space_id, id, email, role, digest, expires_at, invited_by)
       values ($1, $2, $3, $4, $5, $6, $7)
       on conflict (space_id, email) do update set id = excluded.id, role = excluded.role, digest = excluded.digest,
         expires_at = excluded.expires_at, invited_by = excluded.invited_by, created_at = now()
         where invitations.expires_at <= now()
       returning ${COLUMNS}`,
      [
        invitation.spaceId,
        invitation.id,
        invitation.email,
        invitation.role,
        invitation.digest,
        invitation.expiresAt,
        invitation.invitedBy,
      ],
    );
  }

  find(tx: Tx, spaceId: string, id: string): Promise<InvitationRow | null> {
    return tx.one<InvitationRow>(`select ${COLUMNS} from invitations where space_id = $1 and id = $2 and ${IS_OPEN}`, [
      spaceId,
      id,
    ]);
  }

  async hasEmail(tx: Tx, spaceId: string, email: string): Promise<boolean> {
    return (
      (await tx.one(`select 1 as found from invitations where space_id = $1 and email = $2 and ${IS_OPEN}`, [
        spaceId,
        email,
      ])) !== null
    );
  }

  findByToken(tx: Tx, digests: readonly Buffer[]): Promise<InvitationRow | null> {
    return tx.one<InvitationRow>(`select ${COLUMNS} from invitations where digest = any($1::bytea[]) and ${IS_OPEN}`, [
      digests,
    ]);
  }

  async setRole(tx: Tx, spaceId: string, id: string, role: Role): Promise<void> {
    await tx.rows(invitations).change({ spaceId, id }, { role });
  }

  /** Null when it was taken, withdrawn or is over: of several at the same moment one gets it. */
  take(tx: Tx, spaceId: string, id: string): Promise<InvitationRow | null> {
    return tx.one<InvitationRow>(
      `delete from invitations where space_id = $1 and id = $2 and ${IS_OPEN} returning ${COLUMNS}`,
      [spaceId, id],
    );
  }

  /** Revokes open invitations by a person who may no longer grant these roles, or all of them. */
  withdrawOf(tx: Tx, spaceId: string, invitedBy: string, roles: readonly Role[]): Promise<number> {
    return tx.count(`delete from invitations where space_id = $1 and invited_by = $2 and role = any($3::text[])`, [
      spaceId,
      invitedBy,
      roles,
    ]);
  }

  forget(tx: Tx, limit: number): Promise<number> {
    return tx.count(
      `delete from invitations where (space_id, id) in
         (select space_id, id from invitations where expires_at < now() limit $1 for update skip locked)`,
      [limit],
    );
  }
}
