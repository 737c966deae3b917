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

export const SPACE_CREATIONS = ['OPERATOR', 'MEMBERS'] as const;
export type SpaceCreation = (typeof SPACE_CREATIONS)[number];

/** Account features enabled in the platform's configuration. */
export class PlatformView {
  @Field(f.oneOf(SPACE_CREATIONS), { description: 'Who makes Spaces: operators alone, or every member.' })
  spaceCreation!: SpaceCreation;
  @Field(f.bool(), { description: 'Whether an OWNER credits tokens to the own Space.' }) ownersMayCredit!: boolean;
  @Field(f.text(), { optional: true, description: 'For operators: what of it needs their attention.' })
  warning?: string;
}

/** With the key of an operator `user`, `space` and `role` are null, and `platform` is missing. */
export class Me {
  @Field(f.object(() => UserView), { nullable: true }) user!: UserView | null;
  @Field(f.object(() => SpaceView), { nullable: true }) space!: SpaceView | null;
  @Field(f.oneOf(ROLES), { nullable: true }) role!: Role | null;
  @Field(f.object(() => CredentialView)) credential!: CredentialView;
  @Field(f.object(() => PlatformView), { optional: true }) platform?: PlatformView;
}
