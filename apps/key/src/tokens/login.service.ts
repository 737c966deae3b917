import { Injectable } from '@nestjs/common';
import { type ChangePassword, type Ctx, type Login, type SignedIn, requireUser } from '@switchyard/contracts';
import { Database } from '@switchyard/database';
import { AppError } from '@switchyard/kernel';
import { SecurityLog } from '../audit/security-log';
import { signInsRepository } from '../db/sign-ins.repository';
import { type SpaceOfMember, spacesRepository } from '../db/spaces.repository';
import { type UserWithPassword, usersRepository } from '../db/users.repository';
import { normalEmail } from '../domain/email';
import { KeyConfig } from '../key.config';
import { CredentialNews } from '../secrets/credential-news';
import { Passwords } from '../secrets/passwords';
import { unknownSpace } from '../spaces/own-space';
import { type AttemptCount, AttemptWindow, tooManyAttempts } from '../throttle/attempt-window';
import { SignIns } from './sign-ins.service';

const AREA = 'login';

@Injectable()
export class LoginService {
  constructor(
    private readonly database: Database,
    private readonly passwords: Passwords,
    private readonly attempts: AttemptWindow,
    private readonly signIns: SignIns,
    private readonly log: SecurityLog,
    private readonly news: CredentialNews,
    private readonly config: KeyConfig,
  ) {}

  async login(ctx: Ctx, request: Login): Promise<SignedIn> {
    const email = normalEmail(request.email);
    await this.refuseWhenTried(email);
    const user = await this.database.system('find an account', (tx) => usersRepository.findByEmail(tx, email));
    const account = await this.checkPassword(ctx, email, request.password, user);
    return this.signIns.open(ctx, account, await this.spaceToOpen(account.id, request.spaceId));
  }

  async switchSpace(ctx: Ctx, spaceId: string): Promise<SignedIn> {
    const userId = requirePerson(ctx);
    const user = await this.database.system('find an account', (tx) => usersRepository.find(tx, userId));
    if (!user) throw unknownSpace();
    return this.signIns.open(ctx, user, await this.spaceToOpen(userId, spaceId));
  }

  /** Ends every other sign-in of the person, wherever it is. */
  async changePassword(ctx: Ctx, { currentPassword, newPassword }: ChangePassword): Promise<void> {
    const userId = requirePerson(ctx);
    const user = await this.database.system('find an account', (tx) => usersRepository.findWithPassword(tx, userId));
    if (!user) throw wrongPassword();
    await this.refuseWhenTried(user.email);
    await this.checkPassword(ctx, user.email, currentPassword, user);
    const passwordHash = await this.passwords.hash(newPassword);
    const ended = await this.database.system('change a password', async (tx) => {
      await usersRepository.setPasswordHash(tx, userId, passwordHash);
      await this.log.ofAccount(tx, ctx, 'password.changed', userId);
      return signInsRepository.revokeOfUser(tx, userId, ctx.credentialId);
    });
    await this.news.revoked(ctx, ended);
  }

  private async checkPassword(
    ctx: Ctx,
    email: string,
    password: string,
    user: UserWithPassword | null,
  ): Promise<UserWithPassword> {
    const isRight = await this.passwords.isRight(password, user?.passwordHash ?? null);
    if (!isRight || !user) throw await this.failed(ctx, email, user?.id ?? null);
    // Guesses sent side by side must not slip past the count that they bring about.
    await this.refuseWhenTried(email);
    return user;
  }

  private async failed(ctx: Ctx, email: string, userId: string | null): Promise<AppError> {
    const count = await this.attempts.record(AREA, email);
    const isOver = count.attempts > this.config.LOGIN_FAILURES_PER_MINUTE;
    await this.database.system('record a failed sign-in', (tx) =>
      this.log.ofAccount(tx, ctx, isOver ? 'login.throttled' : 'login.failed', userId),
    );
    return isOver ? tooMany(count) : wrongPassword();
  }

  private async refuseWhenTried(email: string): Promise<void> {
    const count = await this.attempts.count(AREA, email);
    if (count.attempts >= this.config.LOGIN_FAILURES_PER_MINUTE) throw tooMany(count);
  }

  private async spaceToOpen(userId: string, spaceId: string | undefined): Promise<SpaceOfMember> {
    const space = await this.database.system('find a Space to open', (tx) =>
      spaceId === undefined
        ? spacesRepository.findOldestOfUser(tx, userId)
        : spacesRepository.findOfMember(tx, spaceId, userId),
    );
    if (space) return space;
    if (spaceId !== undefined) throw unknownSpace();
    throw new AppError('FORBIDDEN', 'This account belongs to no Space. Ask an ADMIN of a Space to add you.');
  }
}

/** A key acts in one Space and for one purpose; what concerns the account itself needs the person. */
function requirePerson(ctx: Ctx): string {
  if (ctx.credentialType !== 'jwt')
    throw new AppError('FORBIDDEN', 'This needs the access token of a signed-in person.');
  return requireUser(ctx);
}

const wrongPassword = (): AppError => new AppError('UNAUTHORIZED', 'E-mail or password is wrong.');

const tooMany = (count: AttemptCount): AppError =>
  tooManyAttempts('Too many failed sign-ins with this account. Wait a minute, then try again.', count);
