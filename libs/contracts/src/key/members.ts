import { ROLES, type Role } from '../access';
import { Field } from '../fields/field';
import { emailText } from '../fields/email-text';
import { f } from '../fields/spec';

export const MEMBER_STATUSES = ['ACTIVE', 'INVITED'] as const;
export type MemberStatus = (typeof MEMBER_STATUSES)[number];

/** Invitation with its token, which is shown once. */
export class InvitationView {
  @Field(f.text({ min: 43, max: 43 }), { secret: true, description: 'Shown once; give it to the invited person.' })
  token!: string;
  @Field(f.time(), { description: 'The token works until then.' }) expiresAt!: string;
}

export class MemberView {
  @Field(f.id(), { description: 'Until an invitation is accepted, the id of the invitation.' }) userId!: string;
  @Field(f.text()) email!: string;
  @Field(f.text()) name!: string;
  @Field(f.oneOf(ROLES)) role!: Role;
  @Field(f.oneOf(MEMBER_STATUSES)) status!: MemberStatus;
  @Field(f.time()) createdAt!: string;
  @Field(f.text(), {
    optional: true,
    description: 'The invited address, where the member joined with an account of another address.',
  })
  invitedEmail?: string;
  @Field(f.object(() => InvitationView), {
    optional: true,
    description: 'In the answer that makes the invitation, and never again.',
  })
  invitation?: InvitationView;
}

export class AddMemberBody {
  @Field(emailText(), { example: 'ada@example.com' }) email!: string;
  @Field(f.oneOf(ROLES)) role!: Role;
  @Field(f.text({ min: 12, max: 1024 }), {
    secret: true,
    optional: true,
    description: 'Makes an account of this Space with this password. Without it the person is invited.',
  })
  password?: string;
}

export class AddMember extends AddMemberBody {
  @Field(f.id()) spaceId!: string;
}

export class ChangeRoleBody {
  @Field(f.oneOf(ROLES)) role!: Role;
}

export class MemberRef {
  @Field(f.id()) spaceId!: string;
  @Field(f.id()) userId!: string;
}

export class ChangeRole extends MemberRef {
  @Field(f.oneOf(ROLES)) role!: Role;
}

export class AcceptInvitationBody {
  @Field(f.text({ min: 1, max: 200 }), { secret: true, description: 'The token of the invitation.' }) token!: string;
  @Field(f.text({ min: 12, max: 1024 }), {
    secret: true,
    optional: true,
    description: 'The password of a new account. Left out by a signed-in user, whose account joins the Space.',
  })
  password?: string;
}

export class AcceptInvitation extends AcceptInvitationBody {
  @Field(f.text({ max: 100 }), { description: 'The IPv4 address of the client, or the /64 of its IPv6 address.' })
  client!: string;
}
