import { ROLES, type Role } from '../access';
import { Described, Field } from '../fields/field';
import { f } from '../fields/field-schema';
import { SpaceView } from './spaces';
import { UserView } from './users';

@Described('The credential of the request.')
export class CredentialView {
  @Field(f.oneOf(['jwt', 'api_key', 'nats_account'] as const), { description: 'Kind of the credential.' })
  type!: 'jwt' | 'api_key' | 'nats_account';
  @Field(f.id(), { optional: true, description: 'Id of the key, if the credential is one.' }) keyId?: string;
  @Field(f.text(), { optional: true, description: 'Id of the account, if the credential is one.' }) accountId?: string;
  @Field(f.list(f.text()), { description: 'Scopes of the credential.' }) scopes!: string[];
}

export const SPACE_CREATIONS = ['OPERATOR', 'MEMBERS'] as const;
export type SpaceCreation = (typeof SPACE_CREATIONS)[number];

@Described("Account features enabled in the platform's configuration.")
export class PlatformView {
  @Field(f.oneOf(SPACE_CREATIONS), { description: 'Who may create Spaces: only operators, or every member.' })
  spaceCreation!: SpaceCreation;
  @Field(f.bool(), { description: 'Whether an OWNER credits tokens to the own Space.' }) ownersMayCredit!: boolean;
  @Field(f.text(), { optional: true, description: 'For operators: what of it needs their attention.' })
  warning?: string;
}

@Described('The caller, its Space and its credential.')
export class Me {
  @Field(f.object(() => UserView), { nullable: true, description: 'The user; null for a key of an operator.' })
  user!: UserView | null;
  @Field(f.object(() => SpaceView), {
    nullable: true,
    description: 'The Space of the credential; null for a key of an operator.',
  })
  space!: SpaceView | null;
  @Field(f.oneOf(ROLES), { nullable: true, description: 'Role in the Space; null for a key of an operator.' })
  role!: Role | null;
  @Field(f.object(() => CredentialView), { description: 'The credential of the request.' }) credential!: CredentialView;
  @Field(f.object(() => PlatformView), { optional: true, description: 'Account features of the platform.' })
  platform?: PlatformView;
}
