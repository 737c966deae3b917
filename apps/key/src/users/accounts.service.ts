import { Injectable } from '@nestjs/common';
import type { Ctx } from '@switchyard/contracts';
import type { Tx } from '@switchyard/database';
import { newId } from '@switchyard/kernel';
import { SecurityLog } from '../audit/security-log';
import { type UserRow, usersRepository } from '../db/users.repository';
import { nameFromEmail, normalEmail } from '../domain/email';

export interface FoundAccount {
  user: UserRow;
  isNew: boolean;
}

@Injectable()
export class Accounts {
  constructor(private readonly log: SecurityLog) {}

  /** The account of this address, made when there is none. An account that exists keeps its password. */
  async findOrCreate(tx: Tx, ctx: Ctx, account: { email: string; passwordHash: string | null }): Promise<FoundAccount> {
    const email = normalEmail(account.email);
    const created = await usersRepository.insertUnlessThere(tx, {
      id: newId(),
      email,
      name: nameFromEmail(email),
      passwordHash: account.passwordHash,
    });
    if (created) {
      await this.log.ofAccount(tx, ctx, 'account.created', created.id, { by: ctx.userId });
      return { user: created, isNew: true };
    }
    const user = await usersRepository.findByEmail(tx, email);
    if (!user) throw new Error('an account is neither there nor could it be made');
    return { user, isNew: false };
  }
}
