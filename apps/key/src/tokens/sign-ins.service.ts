import { randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { type Ctx, type SignedIn, actAs } from '@switchyard/contracts';
import { Database, type Tx } from '@switchyard/database';
import { AppError, type Clock, newId } from '@switchyard/kernel';
import { CLOCK } from '@switchyard/service';
import { SecurityLog } from '../audit/security-log';
import { type SignInRow, signInsRepository } from '../db/sign-ins.repository';
import { type SpaceOfMember, spacesRepository } from '../db/spaces.repository';
import { type UserRow, usersRepository } from '../db/users.repository';
import { earlier, isPast } from '../domain/key-status';
import { KeyConfig } from '../key.config';
import { CredentialNews } from '../secrets/credential-news';
import { KeyHasher } from '../secrets/key-hasher';
import { spaceView, userView } from '../spaces/space-view';
import { AccessTokens } from './access-tokens.service';

const DAY_MS = 86_400_000;
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

interface Opened {
  signInId: string;
  refreshToken: string;
  user: UserRow;
  space: SpaceOfMember;
}

type Refreshed = { kind: 'renewed'; opened: Opened } | { kind: 'ended'; signInId: string } | { kind: 'refused' };

/**
 * A sign-in is a family of refresh tokens, each good for one use. Whoever comes with a spent one has copied it,
 * or was copied: the family dies, with its access tokens, and the person signs in again.
 */
@Injectable()
export class SignIns {
  constructor(
    private readonly database: Database,
    private readonly hasher: KeyHasher,
    private readonly accessTokens: AccessTokens,
    private readonly log: SecurityLog,
    private readonly news: CredentialNews,
    private readonly config: KeyConfig,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async open(ctx: Ctx, user: UserRow, space: SpaceOfMember): Promise<SignedIn> {
    const opened = await this.database.system('open a sign-in', async (tx) => {
      const signInId = newId();
      const endsAt = this.inDays(this.config.REFRESH_MAX_DAYS);
      const crowdedOut = await signInsRepository.endOldest(
        tx,
        space.id,
        user.id,
        this.config.SIGN_INS_PER_USER_MAX - 1,
      );
      await usersRepository.noteSignIn(tx, user.id);
      await signInsRepository.insert(tx, { id: signInId, spaceId: space.id, userId: user.id, endsAt });
      await this.log.inSpace(tx, asPerson(ctx, user.id, space.id, signInId), 'sign-in.opened', signInId);
      return {
        crowdedOut,
        signInId,
        user,
        space,
        refreshToken: await this.addToken(tx, { id: signInId, spaceId: space.id, endsAt }),
      };
    });
    await this.news.revoked(ctx, opened.crowdedOut);
    return this.answer(opened);
  }

  async refresh(ctx: Ctx, refreshToken: string): Promise<SignedIn> {
    const outcome = await this.database.system('renew a sign-in', (tx) => this.renew(tx, ctx, refreshToken));
    if (outcome.kind === 'renewed') return this.answer(outcome.opened);
    // The end of the family is committed before anybody hears of it.
    if (outcome.kind === 'ended') await this.news.revoked(ctx, [outcome.signInId]);
    throw new AppError('UNAUTHORIZED', 'This refresh token is not valid. Sign in again.');
  }

  /** Ends the sign-in that the token belongs to, if it is one of the caller's. */
  async close(ctx: Ctx, refreshToken: string): Promise<void> {
    const closed = await this.database.system('close a sign-in', async (tx) => {
      const signIn = await this.findByToken(tx, refreshToken);
      if (!signIn || signIn.userId !== ctx.userId) return null;
      if ((await signInsRepository.revoke(tx, signIn.spaceId, signIn.id, 'logout')) === 0) return null;
      await this.log.inSpace(tx, actAs(ctx, { spaceId: signIn.spaceId }), 'sign-in.closed', signIn.id);
      return signIn.id;
    });
    if (closed !== null) await this.news.revoked(ctx, [closed]);
  }

  private async renew(tx: Tx, ctx: Ctx, refreshToken: string): Promise<Refreshed> {
    const token = TOKEN.test(refreshToken)
      ? await signInsRepository.findToken(tx, this.hasher.candidates(refreshToken))
      : null;
    if (!token) return { kind: 'refused' };
    const now = this.clock.now();
    const signIn = await signInsRepository.findLocked(tx, token.spaceId, token.signInId);
    if (!signIn || signIn.revokedAt !== null || isPast(signIn.endsAt, now)) return { kind: 'refused' };

    if (!(await signInsRepository.spendToken(tx, token.spaceId, token.id))) {
      await signInsRepository.revoke(tx, signIn.spaceId, signIn.id, 'reuse');
      await this.log.inSpace(tx, asPerson(ctx, signIn.userId, signIn.spaceId, signIn.id), 'sign-in.reused', signIn.id);
      return { kind: 'ended', signInId: signIn.id };
    }
    if (isPast(token.endsAt, now)) return { kind: 'refused' };

    const user = await usersRepository.find(tx, signIn.userId);
    const space = await spacesRepository.findOfMember(tx, signIn.spaceId, signIn.userId);
    if (!user || !space) {
      await signInsRepository.revoke(tx, signIn.spaceId, signIn.id, 'member-removed');
      return { kind: 'ended', signInId: signIn.id };
    }
    return {
      kind: 'renewed',
      opened: { signInId: signIn.id, user, space, refreshToken: await this.addToken(tx, signIn) },
    };
  }

  private async findByToken(tx: Tx, refreshToken: string): Promise<SignInRow | null> {
    if (!TOKEN.test(refreshToken)) return null;
    const token = await signInsRepository.findToken(tx, this.hasher.candidates(refreshToken));
    return token && signInsRepository.find(tx, token.spaceId, token.signInId);
  }

  private async addToken(tx: Tx, signIn: { id: string; spaceId: string; endsAt: string }): Promise<string> {
    const refreshToken = randomBytes(32).toString('base64url');
    const endsAt = earlier(this.inDays(this.config.REFRESH_IDLE_DAYS), signIn.endsAt) ?? signIn.endsAt;
    const { digest } = this.hasher.digest(refreshToken);
    await signInsRepository.insertToken(tx, { spaceId: signIn.spaceId, signInId: signIn.id, digest, endsAt });
    return refreshToken;
  }

  private async answer({ signInId, refreshToken, user, space }: Opened): Promise<SignedIn> {
    return {
      accessToken: await this.accessTokens.issue({ userId: user.id, spaceId: space.id, signInId }),
      refreshToken,
      tokenType: 'Bearer',
      expiresIn: this.accessTokens.lifeSeconds,
      user: userView(user),
      space: spaceView(space),
    };
  }

  private inDays(days: number): string {
    return new Date(this.clock.now().getTime() + days * DAY_MS).toISOString();
  }
}

const asPerson = (ctx: Ctx, userId: string, spaceId: string, signInId: string): Ctx =>
  actAs(ctx, { userId, spaceId, credentialId: signInId, credentialType: 'jwt' });
