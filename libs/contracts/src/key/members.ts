import { ROLES, type Role } from '../access';
import { Field } from '../fields/field';
import { f } from '../fields/spec';

export class MemberView {
  @Field(f.id()) userId!: string;
  @Field(f.text()) email!: string;
  @Field(f.text()) name!: string;
  @Field(f.oneOf(ROLES)) role!: Role;
  @Field(f.time()) createdAt!: string;
}

export class AddMemberBody {
  @Field(f.text({ min: 3, max: 254, pattern: '^\\s*[^\\s@]+@[^\\s@]+\\s*$' }), { example: 'ada@example.com' })
  email!: string;
  @Field(f.oneOf(ROLES)) role!: Role;
  @Field(f.text({ min: 12, max: 1024 }), {
    optional: true,
    description: 'The first password of a new account. An account that exists keeps its own.',
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
