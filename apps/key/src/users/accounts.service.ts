import { Injectable } from '@nestjs/common';
import type { Ctx } from '@switchyard/contracts';
import type { Tx } from '@switchyard/database';
import { SecurityLog } from '../audit/security-log';
import { type UserRow, UsersRepository } from '../db/users.repository';
import { nameFromEmail, normalEmail } from '../domain/normalize-email';

export interface LocalAccount {
  id: string;
  email: string;
  passwordHash: string;
  /** The Space that the account belongs to. */
  spaceId: string;
  /** An ADMIN has chosen the password. */
  passwordByOthers: boolean;
  /** Only the account of the first start. */
  operator?: true;
}

@Injectable()
export class Accounts {
  constructor(
    private readonly users: UsersRepository,
    private readonly log: SecurityLog,
  ) {}

  /** A new account of this Space, independent of accounts with the same address in others. */
  async create(tx: Tx, ctx: Ctx, account: LocalAccount): Promise<UserRow> {
    const email = normalEmail(account.email);
    const user = await this.users.insert(tx, {
      id: account.id,
      email,
      name: nameFromEmail(email),
      passwordHash: account.passwordHash,
      homeSpaceId: account.spaceId,
      passwordByOthers: account.passwordByOthers,
      operator: account.operator ?? false,
    });
    await this.log.ofAccount(tx, ctx, 'account.created', user.id, { by: ctx.userId, spaceId: account.spaceId });
    return user;
  }
}
