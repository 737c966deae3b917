import { Injectable } from '@nestjs/common';
import { type ChangePassword, type Ctx, type Login, type SignedIn, requireUser } from '@switchyard/contracts';
import { Database } from '@switchyard/database';
import { AppError } from '@switchyard/kernel';
import { SecurityLog } from '../audit/security-log';
import { PasswordResetsRepository } from '../db/password-resets.repository';
import { SignInsRepository } from '../db/sign-ins.repository';
import { SpacesRepository } from '../db/spaces.repository';
import { type UserRow, type UserWithPassword, UsersRepository } from '../db/users.repository';
import { normalEmail } from '../domain/normalize-email';
import { AuthCacheInvalidation } from '../secrets/auth-cache-invalidation';
import { type Hashing, PasswordHashing } from '../secrets/password-hashing';
import { unknownSpace } from '../domain/require-own-space';
import { type Attempt, LoginAttempts } from './login-attempts';
import { SignIns } from './sign-ins.service';
import { ANONYMOUS_CALLERS } from './anonymous-callers';

/** How many accounts of one address are tried. Within one Space an address has one account. */
const ACCOUNTS_TRIED = 5;

@Injectable()
export class LoginService {
  constructor(
    private readonly database: Database,
    private readonly signInRows: SignInsRepository,
    private readonly spaces: SpacesRepository,
    private readonly users: UsersRepository,
    private readonly resets: PasswordResetsRepository,
    private readonly passwordHashing: PasswordHashing,
    private readonly attempts: LoginAttempts,
    private readonly signIns: SignIns,
    private readonly log: SecurityLog,
    private readonly signals: AuthCacheInvalidation,
  ) {}

  /** An address may have accounts in several Spaces; the password decides which one is meant. */
  async login(ctx: Ctx, request: Login): Promise<SignedIn> {
    const { spaceId, client } = request;
    const email = normalEmail(request.email);
    const attempt: Attempt = { account: `${spaceId ?? 'any'} ${email}`, client };
    await this.attempts.refuseWhenTried(attempt);
    // Anybody can ask for it: until it is its turn, it costs nothing but its place.
    return this.passwordHashing.inTurn(client, (hashing) =>
      this.loginInTurn(hashing, ctx, attempt, { ...request, email }),
    );
  }

  private async loginInTurn(hashing: Hashing, ctx: Ctx, attempt: Attempt, request: Login): Promise<SignedIn> {
    const { email, password, spaceId } = request;
    const rounds = spaceId === undefined ? ACCOUNTS_TRIED : 1;
    const accounts = await this.database.system(
      'find the accounts of an address',
      (tx) => this.users.listForLogin(tx, email, spaceId ?? null, rounds),
      ANONYMOUS_CALLERS,
    );
    const user = await this.checkPassword(hashing, ctx, attempt, { password, accounts, rounds });
    const space = await this.database.system('find a Space to open', (tx) =>
      spaceId === undefined
        ? this.spaces.findOldestOfUser(tx, user.id)
        : this.spaces.findOfMember(tx, spaceId, user.id),
    );
    // Removed in this very moment; an operator goes on without a Space.
    if (!space && !(user.operator && spaceId === undefined)) throw wrongPassword();
    return this.signIns.open(ctx, user, space, this.signIns.now());
  }

  async switchSpace(ctx: Ctx, spaceId: string): Promise<SignedIn> {
    const userId = requirePerson(ctx);
    const found = await this.database.system('find a Space to open', async (tx) => {
      // An external identity may have an account of its own in the other Space; a password opens its one account.
      const user = isExternal(ctx)
        ? await this.users.findSiblingInSpace(tx, userId, spaceId)
        : await this.users.find(tx, userId);
      const space = user && (await this.spaces.findOfMember(tx, spaceId, user.id));
      return space && { user, space, signedInAt: await this.signIns.timeOf(tx, ctx) };
    });
    if (!found) throw unknownSpace();
    return this.signIns.open(ctx, found.user, found.space, found.signedInAt);
  }

  /** Ends every other sign-in of the account, wherever it is. */
  async changePassword(ctx: Ctx, { currentPassword, newPassword }: ChangePassword): Promise<void> {
    const userId = requirePerson(ctx);
    const user = await this.database.system('find an account', (tx) => this.users.findWithPassword(tx, userId));
    if (!user) throw wrongPassword();
    // Counted apart from sign-ins: those whom the account does not belong to must not keep its holder from this.
    const attempt: Attempt = { account: userId, client: userId };
    await this.attempts.refuseWhenTried(attempt);
    const passwordHash = await this.passwordHashing.inTurn(userId, async (hashing) => {
      await this.checkPassword(hashing, ctx, attempt, { password: currentPassword, accounts: [user], rounds: 1 });
      return hashing.hash(newPassword);
    });
    const ended = await this.database.system('change a password', async (tx) => {
      await this.users.setOwnPassword(tx, userId, passwordHash);
      await this.resets.end(tx, userId);
      await this.log.ofAccount(tx, ctx, 'password.changed', userId);
      return this.signInRows.revokeOfUser(tx, userId, ctx.credentialId);
    });
    await this.signals.revoked(ctx, ended);
  }

  private async checkPassword(
    hashing: Hashing,
    ctx: Ctx,
    attempt: Attempt,
    { password, accounts, rounds }: { password: string; accounts: UserWithPassword[]; rounds: number },
  ): Promise<UserRow> {
    const hashes = accounts.map((account) => account.passwordHash);
    const user = accounts[await hashing.find(password, hashes, rounds)];
    if (!user) throw await this.failed(ctx, attempt, accounts);
    // Guesses sent side by side must not slip past the count that they bring about.
    await this.attempts.refuseWhenTried(attempt);
    return user;
  }

  private async failed(ctx: Ctx, attempt: Attempt, accounts: readonly UserRow[]): Promise<AppError> {
    const refusal = await this.attempts.failed(attempt);
    // Without a Space it is unknown which of several accounts was meant.
    const userId = accounts.length === 1 ? (accounts[0]?.id ?? null) : null;
    await this.database.system(
      'record a failed sign-in',
      (tx) => this.log.ofAccount(tx, ctx, refusal ? 'login.throttled' : 'login.failed', userId),
      ANONYMOUS_CALLERS,
    );
    return refusal ?? wrongPassword();
  }
}

/** A key acts in one Space and for one purpose. Changes to the account itself need the person. */
function requirePerson(ctx: Ctx): string {
  if (ctx.credentialType !== 'jwt')
    throw new AppError('FORBIDDEN', 'This needs the access token of a signed-in person.');
  return requireUser(ctx);
}

/** Tokens of the external issuer belong to no sign-in: the account itself stands for one. */
const isExternal = (ctx: Ctx): boolean => ctx.credentialId === ctx.userId;

const wrongPassword = (): AppError => new AppError('UNAUTHORIZED', 'E-mail or password is wrong.');
