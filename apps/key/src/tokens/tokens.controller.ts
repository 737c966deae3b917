import { Controller } from '@nestjs/common';
import {
  type ChangePassword,
  type Ctx,
  KeyCalls,
  KeySignals,
  type Login,
  type Me,
  type Nothing,
  type RefreshSession,
  type RefreshTokenBody,
  type SignedIn,
  type SwitchSpace,
  type VerificationKeys,
} from '@switchyard/contracts';
import { Handles } from '@switchyard/messaging';
import { LoginService } from './login.service';
import { MeService } from './me.service';
import { SignIns } from './sign-ins.service';
import { SigningKeys } from './signing-keys.service';

@Controller()
export class TokensController {
  constructor(
    private readonly logins: LoginService,
    private readonly signIns: SignIns,
    private readonly signingKeys: SigningKeys,
    private readonly people: MeService,
  ) {}

  @Handles(KeyCalls.login)
  login(data: Login, ctx: Ctx): Promise<SignedIn> {
    return this.logins.login(ctx, data);
  }

  @Handles(KeyCalls.refresh)
  refresh(data: RefreshSession, ctx: Ctx): Promise<SignedIn> {
    return this.signIns.refresh(ctx, data);
  }

  @Handles(KeyCalls.logout)
  async logout(data: RefreshTokenBody, ctx: Ctx): Promise<Nothing> {
    await this.signIns.close(ctx, data.refreshToken);
    return {};
  }

  @Handles(KeyCalls.endSession)
  async endSession(data: RefreshTokenBody, ctx: Ctx): Promise<Nothing> {
    await this.signIns.end(ctx, data.refreshToken);
    return {};
  }

  @Handles(KeyCalls.switchSpace)
  switchSpace(data: SwitchSpace, ctx: Ctx): Promise<SignedIn> {
    return this.logins.switchSpace(ctx, data.spaceId);
  }

  @Handles(KeyCalls.changePassword)
  async changePassword(data: ChangePassword, ctx: Ctx): Promise<Nothing> {
    await this.logins.changePassword(ctx, data);
    return {};
  }

  @Handles(KeyCalls.me)
  me(_data: Nothing, ctx: Ctx): Promise<Me> {
    return this.people.me(ctx);
  }

  @Handles(KeyCalls.jwks)
  jwks(): Promise<VerificationKeys> {
    return this.signingKeys.verificationKeys();
  }

  @Handles(KeySignals.signingKeysChanged)
  onSigningKeysChanged(_data: Nothing, _ctx: Ctx): void {
    this.signingKeys.forget();
  }
}
