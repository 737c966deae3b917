import { Body, Controller, Delete, Post, Req, Res, UseGuards } from '@nestjs/common';
import {
  AcceptInvitationBody,
  type Ctx,
  KeyCalls,
  LoginBody,
  Nothing,
  type SignedIn,
  SwitchSpace,
  makeCtx,
} from '@switchyard/contracts';
import { Bus } from '@switchyard/messaging';
import { Principals } from '../auth/principals';
import { ok, type Success } from '../routing/success-response';
import { Client } from '../routing/client-network.decorator';
import { Endpoint } from '../routing/endpoint.decorator';
import type { ApiReply, ApiRequest } from '../http/api-request';
import { OptionalCaller } from '../routing/optional-caller.decorator';
import { ConsoleOriginGuard } from './console-origin.guard';
import { ConsoleSessionPresence, ConsoleSignedIn } from './console-session.dto';
import { endedCookies, findToken, getToken, sessionCookies } from './session-cookie';

const OWN_ORIGIN = 'Only for the console: wants `X-Switchyard-Console: 1` and an `Origin` of its own, else 403.';

/** The sign-in of a browser: the access token in its memory, the refresh token in a cookie that no script reads. */
@Controller('console/session')
@UseGuards(ConsoleOriginGuard)
export class ConsoleSessionController {
  constructor(
    private readonly bus: Bus,
    private readonly principals: Principals,
  ) {}

  @Post()
  @Endpoint({
    operationId: 'signInToConsole',
    summary: 'Sign in to the console',
    description: `As \`POST /api/auth/login\`; the refresh token goes into a cookie. ${OWN_ORIGIN}`,
    access: 'public',
    reply: ConsoleSignedIn,
    errors: ['UNAUTHORIZED', 'FORBIDDEN', 'RATE_LIMITED'],
    tag: 'auth',
    internal: true,
  })
  async open(
    @OptionalCaller() ctx: Ctx,
    @Body() body: LoginBody,
    @Client() client: string,
    @Req() request: ApiRequest,
    @Res({ passthrough: true }) reply: ApiReply,
  ): Promise<Success<ConsoleSignedIn>> {
    const { email, password, spaceId } = body;
    const signedIn = await this.bus.call(KeyCalls.login, ctx, { email, password, spaceId, client });
    return ok('Signed in.', keep(signedIn, request, reply));
  }

  @Post('present')
  @Endpoint({
    operationId: 'checkConsoleSession',
    summary: 'Ask whether this browser has a sign-in of the console',
    description: `Whether the cookie came along, and nothing of what it is worth: that, \`refresh\` says. ${OWN_ORIGIN}`,
    access: 'public',
    reply: ConsoleSessionPresence,
    unlimited: true,
    errors: ['FORBIDDEN'],
    tag: 'auth',
    internal: true,
  })
  present(@Body() _body: Nothing, @Req() request: ApiRequest): Success<ConsoleSessionPresence> {
    return ok('Looked for the cookie.', { present: findToken(request) !== null });
  }

  @Post('refresh')
  @Endpoint({
    operationId: 'refreshConsoleSession',
    summary: 'Get a new access token for the console',
    description:
      'By the cookie alone. The same cookie again within a minute gets the same answer, later it ends the sign-in. ' +
      OWN_ORIGIN,
    access: 'public',
    reply: ConsoleSignedIn,
    errors: ['UNAUTHORIZED', 'FORBIDDEN'],
    tag: 'auth',
    internal: true,
  })
  async refresh(
    @OptionalCaller() ctx: Ctx,
    @Body() _body: Nothing,
    @Req() request: ApiRequest,
    @Res({ passthrough: true }) reply: ApiReply,
  ): Promise<Success<ConsoleSignedIn>> {
    return ok('Tokens renewed.', keep(await this.renew(ctx, getToken(request)), request, reply));
  }

  @Post('switch-space')
  @Endpoint({
    operationId: 'switchConsoleSpace',
    summary: 'Go on in another Space with the console',
    description: `By the cookie alone. The sign-in in the Space that is left ends. ${OWN_ORIGIN}`,
    access: 'public',
    reply: ConsoleSignedIn,
    errors: ['UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND'],
    tag: 'auth',
    internal: true,
  })
  async switchSpace(
    @OptionalCaller() ctx: Ctx,
    @Body() { spaceId }: SwitchSpace,
    @Req() request: ApiRequest,
    @Res({ passthrough: true }) reply: ApiReply,
  ): Promise<Success<ConsoleSignedIn>> {
    const enter = (person: Ctx): Promise<SignedIn> => this.bus.call(KeyCalls.switchSpace, person, { spaceId });
    return ok('Switched.', await this.move(ctx, request, reply, enter));
  }

  @Post('invitation')
  @Endpoint({
    operationId: 'acceptInvitationInConsole',
    summary: 'Accept an invitation in the console',
    description:
      'As `POST /api/auth/invitations/accept`; the refresh token goes into a cookie. With `password` an account of the ' +
      'Space is made. Without it the account that the cookie belongs to joins, and its sign-in in the Space that is ' +
      `left ends. ${OWN_ORIGIN}`,
    access: 'public',
    reply: ConsoleSignedIn,
    errors: ['UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND', 'CONFLICT'],
    tag: 'auth',
    internal: true,
  })
  async acceptInvitation(
    @OptionalCaller() ctx: Ctx,
    @Body() { token, password }: AcceptInvitationBody,
    @Client() client: string,
    @Req() request: ApiRequest,
    @Res({ passthrough: true }) reply: ApiReply,
  ): Promise<Success<ConsoleSignedIn>> {
    const accept = (by: Ctx): Promise<SignedIn> =>
      this.bus.call(KeyCalls.acceptInvitation, by, { token, password, client });
    const signedIn =
      password === undefined ? await this.move(ctx, request, reply, accept) : keep(await accept(ctx), request, reply);
    return ok('Welcome to the Space.', signedIn);
  }

  @Delete()
  @Endpoint({
    operationId: 'signOutOfConsole',
    summary: 'Sign out of the console',
    description: `Ends the sign-in of the cookie with its access tokens, and takes the cookie away. ${OWN_ORIGIN}`,
    access: 'public',
    reply: Nothing,
    errors: ['FORBIDDEN'],
    tag: 'auth',
    internal: true,
  })
  async close(
    @OptionalCaller() ctx: Ctx,
    @Req() request: ApiRequest,
    @Res({ passthrough: true }) reply: ApiReply,
  ): Promise<Success<Nothing>> {
    const refreshToken = findToken(request);
    if (refreshToken !== null) await this.bus.call(KeyCalls.endSession, ctx, { refreshToken });
    void reply.header('set-cookie', endedCookies(request));
    return ok('Signed out.', {});
  }

  /** The person of the cookie enters another Space; their sign-in in the one that is left ends. */
  private async move(
    ctx: Ctx,
    request: ApiRequest,
    reply: ApiReply,
    enter: (person: Ctx) => Promise<SignedIn>,
  ): Promise<ConsoleSignedIn> {
    const rest = await this.renew(ctx, getToken(request));
    // Should it be refused, the browser goes on where it was.
    keep(rest, request, reply);
    const principal = await this.principals.resolve({ kind: 'jwt', value: rest.accessToken });
    const entered = await enter(makeCtx(principal, { requestId: ctx.requestId }));
    await this.bus.call(KeyCalls.endSession, ctx, { refreshToken: rest.refreshToken });
    return keep(entered, request, reply);
  }

  private renew(ctx: Ctx, refreshToken: string): Promise<SignedIn> {
    return this.bus.call(KeyCalls.refresh, ctx, { refreshToken, isRepeatable: true });
  }
}

/** Field by field: the refresh token must not come into the answer's body. */
function keep(
  { accessToken, refreshToken, tokenType, expiresIn, user, space }: SignedIn,
  request: ApiRequest,
  reply: ApiReply,
): ConsoleSignedIn {
  reply.removeHeader('set-cookie');
  void reply.header('set-cookie', sessionCookies(request, refreshToken));
  return { accessToken, tokenType, expiresIn, user, space };
}
