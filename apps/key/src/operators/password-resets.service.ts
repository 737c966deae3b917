import { Inject, Injectable } from '@nestjs/common';
import {
  type Ctx,
  NO_SPACE,
  type OfAccount,
  type PasswordResetView,
  type ResetPassword,
  actAs,
} from '@switchyard/contracts';
import { Database, type Tx, answerOnce } from '@switchyard/database';
import { AppError, type Clock } from '@switchyard/kernel';
import { CLOCK } from '@switchyard/service';
import { SecurityLog } from '../audit/security-log';
import { OperatorAccountsRepository } from '../db/operator-accounts.repository';
import { PasswordResetsRepository } from '../db/password-resets.repository';
import { SignInsRepository } from '../db/sign-ins.repository';
import { UsersRepository } from '../db/users.repository';
import { KeyConfig } from '../key.config';
import { AuthCacheInvalidation } from '../secrets/auth-cache-invalidation';
import { KeyHasher } from '../secrets/key-hasher';
import { PasswordHashing } from '../secrets/password-hashing';
import { FailedAttemptLimiter, tooManyAttempts } from '../throttle/failed-attempt-limiter';
import { ANONYMOUS_CALLERS } from '../tokens/anonymous-callers';
import { unknownAccount } from './grant-and-revoke-operators';
import { ResetTokenIssuer } from './create-reset-token';

const WRONG_TOKENS_PER_MINUTE = 10;
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** Password resets: only the account's owner chooses the new password. */
@Injectable()
export class PasswordResets {
  constructor(
    private readonly database: Database,
    private readonly accounts: OperatorAccountsRepository,
    private readonly resets: PasswordResetsRepository,
    private readonly tokens: ResetTokenIssuer,
    private readonly signIns: SignInsRepository,
    private readonly users: UsersRepository,
    private readonly hasher: KeyHasher,
    private readonly passwordHashing: PasswordHashing,
    private readonly attempts: FailedAttemptLimiter,
    private readonly log: SecurityLog,
    private readonly signals: AuthCacheInvalidation,
    private readonly config: KeyConfig,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  issue(ctx: Ctx, { userId }: OfAccount): Promise<PasswordResetView> {
    const work = async (tx: Tx): Promise<PasswordResetView> => {
      const account = await this.accounts.findStateLocked(tx, userId, this.config.OIDC_ISSUER ?? null);
      if (!account) throw unknownAccount();
      if (account.operator) throw resetOnTheMachine();
      // If its issuer is not configured any more, a password is the only way back in.
      if (!account.hasPassword && !account.hasFormerIssuerOnly) throw noPassword();
      return this.tokens.issue(tx, ctx, userId, this.clock.now());
    };
    const inNoSpace = { ...ctx, spaceId: NO_SPACE };
    return this.database.system('issue a reset of a password', (tx) =>
      answerOnce(tx, inNoSpace, work, { secretFields: ['token'] }),
    );
  }

  /** Ends all sign-ins of the account with its old password. */
  async use(ctx: Ctx, { token, password, client }: ResetPassword): Promise<void> {
    await this.refuseWhenTried(client);
    // Anybody can ask for it: until it is its turn, it costs nothing but its place.
    const ended = await this.passwordHashing.inTurn(client, async (hashing) => {
      const digests = TOKEN.test(token) ? this.hasher.candidates(token) : [];
      const userId = await this.database.system(
        'find a reset of a password',
        (tx) => this.resets.findUser(tx, digests),
        ANONYMOUS_CALLERS,
      );
      if (userId === null) throw await this.wrongToken(client);
      const passwordHash = await hashing.hash(password);
      return this.database.system('reset a password', async (tx) => {
        if (!(await this.resets.take(tx, userId, digests))) throw unknownToken();
        await this.users.setOwnPassword(tx, userId, passwordHash);
        await this.log.ofAccount(tx, actAs(ctx, { userId }), 'password.changed', userId, { by: 'reset' });
        return this.signIns.revokeOfUser(tx, userId, null, 'password-reset');
      });
    });
    await this.signals.revoked(ctx, ended);
  }

  private async refuseWhenTried(client: string): Promise<void> {
    const count = await this.attempts.count('password-reset', client);
    if (count.attempts >= WRONG_TOKENS_PER_MINUTE)
      throw tooManyAttempts('Too many wrong reset tokens from this address. Wait a minute, then try again.', count);
  }

  private async wrongToken(client: string): Promise<AppError> {
    await this.attempts.record('password-reset', client);
    return unknownToken();
  }
}

/** One answer for a token that is unknown, used or over. */
const unknownToken = (): AppError =>
  new AppError('NOT_FOUND', 'Reset token not found. It may have been used, replaced, or be over: ask for another one.');

const resetOnTheMachine = (): AppError =>
  new AppError(
    'CONFLICT',
    "The password of an operator is reset on the platform's machine: npm run operator -- reset-password <e-mail or id>",
  );

const noPassword = (): AppError =>
  new AppError('CONFLICT', 'This account signs in at the company alone and has no password to reset.');
