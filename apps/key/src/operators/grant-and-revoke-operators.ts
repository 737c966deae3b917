import { Injectable } from '@nestjs/common';
import type { AccountView, Ctx, SpaceName } from '@switchyard/contracts';
import type { Tx } from '@switchyard/database';
import { AppError } from '@switchyard/kernel';
import { SecurityLog } from '../audit/security-log';
import { type AccountState, OperatorAccountsRepository } from '../db/operator-accounts.repository';
import { OperatorKeysRepository } from '../db/operator-keys.repository';
import { PasswordResetsRepository } from '../db/password-resets.repository';
import { KeyConfig } from '../key.config';
import { accountView } from './account-view';

/** How accounts become operators, and cease to be: over the routes, and by the command on the machine. */
@Injectable()
export class OperatorGrants {
  constructor(
    private readonly accounts: OperatorAccountsRepository,
    private readonly keys: OperatorKeysRepository,
    private readonly resets: PasswordResetsRepository,
    private readonly log: SecurityLog,
    private readonly config: KeyConfig,
  ) {}

  async grant(tx: Tx, ctx: Ctx, userId: string): Promise<AccountView> {
    const account = await this.getLocked(tx, userId);
    if (!account.operator) {
      if (account.hasPasswordOfOthers) throw passwordOfOthers();
      await this.accounts.setOperator(tx, userId, true);
      // Its creator could set an operator's password.
      await this.resets.end(tx, userId);
      await this.log.ofPlatform(tx, ctx, 'operator.granted', { userId, target: userId });
    }
    return this.view(tx, userId);
  }

  /** The account, and the ids of its operator keys, which end with it. */
  async revoke(tx: Tx, ctx: Ctx, userId: string): Promise<{ account: AccountView; ended: string[] }> {
    const { operator } = await this.getLocked(tx, userId);
    if (!operator) return { account: await this.view(tx, userId), ended: [] };
    await this.requireOther(tx, userId);
    await this.accounts.setOperator(tx, userId, false);
    const ended = await this.keys.revokeOfMaker(tx, userId);
    const details = { revokedKeys: ended };
    await this.log.ofPlatform(tx, ctx, 'operator.revoked', { userId, target: userId, details });
    return { account: await this.view(tx, userId), ended };
  }

  /** The account, locked, with all changes of who is an operator and who can sign in. */
  async getLocked(tx: Tx, userId: string): Promise<AccountState> {
    await this.accounts.lockOperators(tx);
    const account = await this.accounts.findStateLocked(tx, userId, this.issuer);
    if (!account) throw unknownAccount();
    return account;
  }

  /** Throws CONFLICT if no other operator could sign in. */
  async requireOther(tx: Tx, userId: string): Promise<void> {
    if (!(await this.accounts.hasOtherOperator(tx, userId, this.issuer))) throw lastOperator();
  }

  lastOwnedBy(tx: Tx, userId: string): Promise<SpaceName[]> {
    return this.accounts.listLastOwned(tx, userId, this.issuer);
  }

  private get issuer(): string | null {
    return this.config.OIDC_ISSUER ?? null;
  }

  async view(tx: Tx, userId: string): Promise<AccountView> {
    const row = await this.accounts.find(tx, userId);
    if (!row) throw unknownAccount();
    return accountView(row);
  }
}

export const unknownAccount = (): AppError => new AppError('NOT_FOUND', 'User not found.');

const lastOperator = (): AppError =>
  new AppError('CONFLICT', 'This is the last operator who can sign in. Make another one first.');

const passwordOfOthers = (): AppError =>
  new AppError(
    'CONFLICT',
    'The password of this account was chosen by another person. It can become an operator when its owner has changed it.',
  );
