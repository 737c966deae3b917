import type { MemberView } from '@switchyard/contracts';
import type { InvitationRow } from '../db/invitations.repository';
import type { ListedMember, MemberRow } from '../db/members.repository';
import { nameFromEmail } from '../domain/normalize-email';

export const listedMemberView = (row: ListedMember): MemberView => ({
  userId: row.userId,
  email: row.email,
  name: row.name,
  role: row.role,
  status: row.status,
  createdAt: row.createdAt,
  ...(row.invitedEmail === null ? {} : { invitedEmail: row.invitedEmail }),
});

export const memberView = (row: MemberRow): MemberView => listedMemberView({ ...row, status: 'ACTIVE' });

export const invitedView = (row: InvitationRow): MemberView =>
  listedMemberView({
    userId: row.id,
    email: row.email,
    name: nameFromEmail(row.email),
    role: row.role,
    status: 'INVITED',
    invitedEmail: null,
    createdAt: row.createdAt,
  });
