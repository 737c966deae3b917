import { ROLES, type Role } from '../access';
import { Deleted } from '../define/common-shapes';
import { Described, Field } from '../fields/field';
import { emailText } from '../fields/email-text';
import { f } from '../fields/field-schema';
import { ExposedNatsAccount } from './nats-accounts';

export const MEMBER_STATUSES = ['ACTIVE', 'INVITED'] as const;
export type MemberStatus = (typeof MEMBER_STATUSES)[number];

@Described('Invitation with its token, which is shown once.')
export class InvitationView {
  @Field(f.text({ min: 43, max: 43 }), { secret: true, description: 'Shown once; give it to the invited person.' })
  token!: string;
  @Field(f.time(), { description: 'The token works until then.' }) expiresAt!: string;
}

@Described('A member of a Space.')
export class MemberView {
  @Field(f.id(), { description: 'Until an invitation is accepted, the id of the invitation.' }) userId!: string;
  @Field(f.text(), { description: 'E-mail address of the member.' }) email!: string;
  @Field(f.text()) name!: string;
  @Field(f.oneOf(ROLES), { description: 'Role of the member.' }) role!: Role;
  @Field(f.oneOf(MEMBER_STATUSES), { description: 'Whether the invitation was accepted.' }) status!: MemberStatus;
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

@Described('Adds a member, or invites an address without an account.')
export class AddMemberBody {
  @Field(emailText(), {
    example: 'ada@example.com',
    description: 'E-mail address of the new member. If it has no account, an invitation is created.',
  })
  email!: string;
  @Field(f.oneOf(ROLES), { description: 'Role of the new member.' }) role!: Role;
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

@Described('Changes the role of a member.')
export class ChangeRoleBody {
  @Field(f.oneOf(ROLES), { description: 'The new role.' }) role!: Role;
}

export class MemberRef {
  @Field(f.id()) spaceId!: string;
  @Field(f.id()) userId!: string;
}

@Described('Confirms the removal of a member.')
export class MemberRemoved extends Deleted {
  @Field(f.list(f.object(() => ExposedNatsAccount)), {
    optional: true,
    description: 'Active NATS accounts whose seed the person was shown, if there are any: rotate them.',
  })
  knows?: ExposedNatsAccount[];
}

export class ChangeRole extends MemberRef {
  @Field(f.oneOf(ROLES)) role!: Role;
}

@Described('Accepts an invitation. A new account needs a name and a password.')
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
