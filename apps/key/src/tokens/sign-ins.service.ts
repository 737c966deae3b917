import { randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { type Ctx, NO_SPACE, type RefreshSession, type SignedIn, actAs } from '@switchyard/contracts';
import { Database, type Tx } from '@switchyard/database';
import { AppError, type Clock, newId } from '@switchyard/kernel';
import { CLOCK } from '@switchyard/service';
import { SecurityLog } from '../audit/security-log';
import { type RefreshTokenRow, type SignInRow, SignInsRepository } from '../db/sign-ins.repository';
import { type SpaceOfMember, SpacesRepository } from '../db/spaces.repository';
import { type UserRow, UsersRepository } from '../db/users.repository';
import { earlier, isPast } from '../domain/key-status';
import { type Successor, openSuccessor, sealSuccessor } from '../domain/seal-next-refresh-token';
import { KeyConfig } from '../key.config';
import { AuthCacheInvalidation } from '../secrets/auth-cache-invalidation';
import { KeyHasher } from '../secrets/key-hasher';
import { spaceView, userView } from '../spaces/space-view';
import { AccessTokens, type SignAccessToken } from './access-tokens.service';
import { ANONYMOUS_CALLERS } from './anonymous-callers';

const DAY_MS = 86_400_000;
const TOKEN = /^[A-Za-z0-9_-]{43}$/;
/** Tabs that share a cookie, and answers that were lost on the way, come with the same token twice. */
const REPEAT_MS = 60_000;
/** How often a token may have been traded further within that time. */
const REPEATS_FOLLOWED = 20;

interface NewSignIn {
  tokens: Successor;
  user: UserRow;
  space: SpaceOfMember | null;
}

type Refreshed = { kind: 'renewed'; opened: NewSignIn } | { kind: 'ended'; signInId: string } | { kind: 'refused' };

/**
 * A sign-in is a family of refresh tokens, each good for one use. Reuse of a spent token means that it was copied: the
 * family is revoked, with its access tokens, and the person must sign in again.
 */
@Injectable()
export class SignIns {
  constructor(
    private readonly database: Database,
    private readonly signIns: SignInsRepository,
    private readonly spaces: SpacesRepository,
    private readonly users: UsersRepository,
    private readonly hasher: KeyHasher,
    private readonly accessTokens: AccessTokens,
    private readonly log: SecurityLog,
    private readonly signals: AuthCacheInvalidation,
    private readonly config: KeyConfig,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** The time of the sign-in is now, or that of the caller's present one: see `timeOf`. */
  async open(ctx: Ctx, user: UserRow, space: SpaceOfMember | null, signedInAt: string | null): Promise<SignedIn> {
    const sign = await this.accessTokens.signer();
    const opened = await this.database.system('open a sign-in', async (tx) => {
      const signInId = newId();
      const spaceId = space?.id ?? NO_SPACE;
      const endsAt = this.inDays(this.config.REFRESH_MAX_DAYS);
      const crowdedOut = await this.signIns.endOldest(tx, spaceId, user.id, this.config.SIGN_INS_PER_USER_MAX - 1);
      await this.users.noteSignIn(tx, user.id);
      const signIn = { id: signInId, spaceId, userId: user.id, endsAt, signedInAt };
      await this.signIns.insert(tx, signIn);
      await this.record(tx, asPerson(ctx, user.id, spaceId, signInId), 'sign-in.opened', signIn);
      return {
        crowdedOut,
        user,
        space,
        tokens: await this.addTokens(tx, signIn, sign),
      };
    });
    await this.signals.revoked(ctx, opened.crowdedOut);
    return this.answer(opened);
  }

  now(): string {
    return this.clock.now().toISOString();
  }

  /** When the caller signed in. Sessions opened from it in other Spaces have the same time. */
  timeOf(tx: Tx, ctx: Ctx): Promise<string | null> {
    if (ctx.signedInAt !== undefined) return Promise.resolve(new Date(ctx.signedInAt).toISOString());
    return this.signIns.timeOf(tx, ctx.credentialId ?? '');
  }

  async refresh(ctx: Ctx, request: RefreshSession): Promise<SignedIn> {
    const sign = await this.accessTokens.signer();
    const outcome = await this.database.system(
      'renew a sign-in',
      (tx) => this.renew(tx, ctx, request, sign),
      ANONYMOUS_CALLERS,
    );
    if (outcome.kind === 'renewed') return this.answer(outcome.opened);
    // The end of the family is committed before anybody hears of it.
    if (outcome.kind === 'ended') await this.signals.revoked(ctx, [outcome.signInId]);
    throw new AppError('UNAUTHORIZED', 'This refresh token is not valid. Sign in again.');
  }

  /** Ends the sign-in that the token belongs to, if it is one of the caller's. */
  async close(ctx: Ctx, refreshToken: string): Promise<void> {
    const closed = await this.database.system('close a sign-in', async (tx) => {
      const signIn = await this.findByToken(tx, refreshToken);
      if (!signIn || signIn.userId !== ctx.userId) return null;
      if ((await this.signIns.revoke(tx, signIn.spaceId, signIn.id, 'logout')) === 0) return null;
      await this.record(tx, ctx, 'sign-in.closed', signIn);
      return signIn.id;
    });
    if (closed !== null) await this.signals.revoked(ctx, [closed]);
  }

  /** Ends the sign-in that the token belongs to. A used token ends it as well: it may have been copied. */
  async end(ctx: Ctx, refreshToken: string): Promise<void> {
    const ended = await this.database.system(
      'end a session',
      async (tx) => {
        const signIn = await this.findByToken(tx, refreshToken);
        if (!signIn || (await this.signIns.revoke(tx, signIn.spaceId, signIn.id, 'logout')) === 0) return null;
        const person = asPerson(ctx, signIn.userId, signIn.spaceId, signIn.id);
        await this.record(tx, person, 'sign-in.closed', signIn);
        return signIn.id;
      },
      ANONYMOUS_CALLERS,
    );
    if (ended !== null) await this.signals.revoked(ctx, [ended]);
  }

  private async renew(
    tx: Tx,
    ctx: Ctx,
    { refreshToken, isRepeatable = false }: RefreshSession,
    sign: SignAccessToken,
  ): Promise<Refreshed> {
    const token = TOKEN.test(refreshToken)
      ? await this.signIns.findToken(tx, this.hasher.candidates(refreshToken))
      : null;
    if (!token) return { kind: 'refused' };
    const now = this.clock.now();
    const signIn = await this.signIns.findLocked(tx, token.spaceId, token.signInId);
    if (!signIn || signIn.revokedAt !== null || isPast(signIn.endsAt, now)) return { kind: 'refused' };

    const isFirst = await this.signIns.spendToken(tx, token.spaceId, token.id);
    const repeated = isFirst || !isRepeatable ? null : await this.successorOf(tx, refreshToken, token);
    if (!isFirst && !repeated) {
      await this.signIns.revoke(tx, signIn.spaceId, signIn.id, 'reuse');
      const person = asPerson(ctx, signIn.userId, signIn.spaceId, signIn.id);
      await this.record(tx, person, 'sign-in.reused', signIn);
      return { kind: 'ended', signInId: signIn.id };
    }
    if (isFirst && isPast(token.endsAt, now)) return { kind: 'refused' };

    const user = await this.users.find(tx, signIn.userId);
    const space = await this.spaces.findOfMember(tx, signIn.spaceId, signIn.userId);
    const goesOn = space !== null || (signIn.spaceId === NO_SPACE && user?.operator === true);
    if (!user || user.disabledAt !== null || !goesOn) {
      await this.signIns.revoke(tx, signIn.spaceId, signIn.id, 'member-removed');
      return { kind: 'ended', signInId: signIn.id };
    }
    const tokens = repeated ?? (await this.addTokens(tx, signIn, sign));
    if (isFirst && isRepeatable)
      await this.signIns.keepSuccessor(tx, token.spaceId, token.id, sealSuccessor(refreshToken, tokens));
    return { kind: 'renewed', opened: { user, space, tokens } };
  }

  /** The recent successor of a token, or the successor's own successor if it was used meanwhile; else null. */
  private async successorOf(tx: Tx, spentToken: string, spent: RefreshTokenRow): Promise<Successor | null> {
    let [token, row] = [spentToken, spent];
    for (let step = 0; step < REPEATS_FOLLOWED; step += 1) {
      const sealed = await this.signIns.findSuccessor(tx, row.spaceId, row.id, REPEAT_MS);
      const successor = sealed && openSuccessor(token, sealed);
      const next = successor && (await this.signIns.findToken(tx, this.hasher.candidates(successor.refreshToken)));
      if (!next) return null;
      if (next.spentAt === null) return successor;
      [token, row] = [successor.refreshToken, next];
    }
    return null;
  }

  private async findByToken(tx: Tx, refreshToken: string): Promise<SignInRow | null> {
    if (!TOKEN.test(refreshToken)) return null;
    const token = await this.signIns.findToken(tx, this.hasher.candidates(refreshToken));
    return token && this.signIns.find(tx, token.spaceId, token.signInId);
  }

  private async addTokens(
    tx: Tx,
    signIn: Pick<SignInRow, 'id' | 'spaceId' | 'userId' | 'endsAt'>,
    sign: SignAccessToken,
  ): Promise<Successor> {
    const refreshToken = randomBytes(32).toString('base64url');
    const endsAt = earlier(this.inDays(this.config.REFRESH_IDLE_DAYS), signIn.endsAt) ?? signIn.endsAt;
    const { digest } = this.hasher.digest(refreshToken);
    await this.signIns.insertToken(tx, { spaceId: signIn.spaceId, signInId: signIn.id, digest, endsAt });
    const spaceId = signIn.spaceId === NO_SPACE ? null : signIn.spaceId;
    const accessToken = await sign({ userId: signIn.userId, spaceId, signInId: signIn.id });
    return { refreshToken, accessToken };
  }

  private answer({ tokens, user, space }: NewSignIn): SignedIn {
    return {
      accessToken: tokens.accessToken,
      refreshToken: tokens.refreshToken,
      tokenType: 'Bearer',
      expiresIn: this.accessTokens.lifeSeconds,
      user: userView(user),
      space: space && spaceView(space),
    };
  }

  /** In the log of its Space; of a sign-in without one in that of the account. */
  private record(
    tx: Tx,
    ctx: Ctx,
    action: 'sign-in.opened' | 'sign-in.closed' | 'sign-in.reused',
    { id, spaceId, userId }: Pick<SignInRow, 'id' | 'spaceId' | 'userId'>,
  ): Promise<void> {
    if (spaceId === NO_SPACE) return this.log.ofPlatform(tx, ctx, action, { userId, target: id });
    return this.log.onSpace(tx, ctx, spaceId, action, id);
  }

  private inDays(days: number): string {
    return new Date(this.clock.now().getTime() + days * DAY_MS).toISOString();
  }
}

const asPerson = (ctx: Ctx, userId: string, spaceId: string, signInId: string): Ctx =>
  actAs(ctx, { userId, spaceId, credentialId: signInId, credentialType: 'jwt' });
