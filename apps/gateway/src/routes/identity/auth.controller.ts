import { Body, Controller, Post } from '@nestjs/common';
import {
  AcceptInvitationBody,
  type Ctx,
  KeyCalls,
  LoginBody,
  Nothing,
  ResetPasswordBody,
  SignedIn,
} from '@switchyard/contracts';
import { AppError, invalid } from '@switchyard/kernel';
import { Bus } from '@switchyard/messaging';
import type { JWTPayload } from 'jose';
import { externalIdentity } from '../../auth/external-identity';
import { ExternalIssuer } from '../../auth/external-issuer';
import { ok, type Success } from '../../routing/success-response';
import { Caller } from '../../routing/caller.decorator';
import { Client } from '../../routing/client-network.decorator';
import { Endpoint } from '../../routing/endpoint.decorator';
import { LinkIdentityBody } from './identity.dto';
import { OptionalCaller } from '../../routing/optional-caller.decorator';

@Controller('api/auth')
export class AuthController {
  constructor(
    private readonly bus: Bus,
    private readonly issuer: ExternalIssuer,
  ) {}

  @Post('login')
  @Endpoint({
    operationId: 'signIn',
    summary: 'Sign in with e-mail and password',
    description:
      'With `spaceId` the account of this address in that Space is meant. Without it the password decides which of ' +
      'at most five accounts is (last signed in first), and its oldest membership is opened. ' +
      'Five failures per account and minute, then 429.',
    calls: KeyCalls.login,
  })
  async login(
    @OptionalCaller() ctx: Ctx,
    @Body() body: LoginBody,
    @Client() client: string,
  ): Promise<Success<SignedIn>> {
    const { email, password, spaceId } = body;
    return ok('Signed in.', await this.bus.call(KeyCalls.login, ctx, { email, password, spaceId, client }));
  }

  @Post('invitations/accept')
  @Endpoint({
    operationId: 'acceptInvitation',
    summary: 'Accept an invitation to a Space',
    description:
      'With the access token of a signed-in user, that account joins the Space. Without a credential, `password` ' +
      'makes an account of the Space. A token works once; one that was used, withdrawn or is over is 404.',
    calls: KeyCalls.acceptInvitation,
    honoursCredential: true,
  })
  async acceptInvitation(
    @OptionalCaller() ctx: Ctx,
    @Body() body: AcceptInvitationBody,
    @Client() client: string,
  ): Promise<Success<SignedIn>> {
    const request = { token: body.token, password: body.password, client };
    return ok('Welcome to the Space.', await this.bus.call(KeyCalls.acceptInvitation, ctx, request));
  }

  @Post('password/reset')
  @Endpoint({
    operationId: 'resetPassword',
    summary: 'Choose a new password with the token of a reset',
    description:
      'An operator makes the token. All sign-ins of the account end, and the password before is void. ' +
      'A token that is unknown, used or over is 404; ten of those from an address in a minute, then 429.',
    calls: KeyCalls.resetPassword,
  })
  async resetPassword(
    @OptionalCaller() ctx: Ctx,
    @Body() body: ResetPasswordBody,
    @Client() client: string,
  ): Promise<Success<Nothing>> {
    const { token, password } = body;
    return ok(
      'Password changed. Sign in with it.',
      await this.bus.call(KeyCalls.resetPassword, ctx, { token, password, client }),
    );
  }

  @Post('identities')
  @Endpoint({
    operationId: 'linkIdentity',
    summary: 'Link your account with an identity of the external issuer',
    description: 'The token of the external issuer proves the identity; your own access token proves the account.',
    calls: KeyCalls.linkIdentity,
    status: 201,
    errors: ['NOT_FOUND'],
  })
  async linkIdentity(@Caller() ctx: Ctx, @Body() body: LinkIdentityBody): Promise<Success<Nothing>> {
    const identity = externalIdentity(await this.verified(body.token));
    return ok('Identity linked.', await this.bus.call(KeyCalls.linkIdentity, ctx, identity));
  }

  /** The caller is known already, so a bad token here is a bad field and no failure to sign in. */
  private async verified(token: string): Promise<JWTPayload> {
    try {
      return await this.issuer.verify(token);
    } catch (error) {
      if (error instanceof AppError && error.code === 'UNAUTHORIZED')
        throw invalid('token', 'is not a valid token of the external issuer');
      throw error;
    }
  }
}
