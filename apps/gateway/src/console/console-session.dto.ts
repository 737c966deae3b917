import { Field, SpaceView, UserView, f } from '@switchyard/contracts';

/** As a login is answered, but for the refresh token: that is in the cookie. */
export class ConsoleSignedIn {
  @Field(f.text()) accessToken!: string;
  @Field(f.oneOf(['Bearer'] as const)) tokenType!: 'Bearer';
  @Field(f.int({ min: 1 }), { description: 'Seconds until the access token ends.' }) expiresIn!: number;
  @Field(f.object(() => UserView)) user!: UserView;
  @Field(f.object(() => SpaceView), { nullable: true }) space!: SpaceView | null;
}

export class ConsoleSessionPresence {
  @Field(f.bool()) present!: boolean;
}
