import { ROLES, type Role } from '../access';
import { Field } from '../fields/field';
import { f } from '../fields/spec';
import { SpaceView } from './spaces';
import { UserView } from './users';

export class CredentialView {
  @Field(f.oneOf(['jwt', 'api_key'] as const)) type!: 'jwt' | 'api_key';
  @Field(f.id(), { optional: true }) keyId?: string;
  @Field(f.list(f.text())) scopes!: string[];
}

export class Me {
  @Field(f.object(() => UserView)) user!: UserView;
  @Field(f.object(() => SpaceView)) space!: SpaceView;
  @Field(f.oneOf(ROLES)) role!: Role;
  @Field(f.object(() => CredentialView)) credential!: CredentialView;
}
