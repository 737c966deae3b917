import { Injectable } from '@nestjs/common';
import type { AccountView, Ctx, OfAccount, Page, PageRequest } from '@switchyard/contracts';
import { Database, type Tx, listByTime } from '@switchyard/database';
import { AppError } from '@switchyard/kernel';
import { SecurityLog } from '../audit/security-log';
import { type AccountRow, type AccountState, AccountsRepository } from '../db/accounts.repository';
import { OperatorKeysRepository } from '../db/operator-keys.repository';
import { PasswordResetsRepository } from '../db/password-resets.repository';
import { CredentialNews } from '../secrets/credential-news';
import { accountView } from './account-view';

const LIST = listByTime('operators', (row: AccountRow) => ({ at: row.createdAt, id: row.id }));

/** Who runs the platform. There is always somebody who can sign in. */
@Injectable()
export class OperatorsService {
  constructor(
    private readonly database: Database,
    private readonly accounts: AccountsRepository,
    private readonly keys: OperatorKeysRepository,
    private readonly resets: PasswordResetsRepository,
    private readonly log: SecurityLog,
    private readonly news: CredentialNews,
  ) {}

  list(request: PageRequest): Promise<Page<AccountView>> {
    const window = LIST.windowOf(request);
    return this.database.system('list the operators', async (tx) => {
      const rows = await this.accounts.list(tx, { ...window, part: null, onlyOperators: true });
      return LIST.pageOf(rows, window, accountView);
    });
  }

  async grant(ctx: Ctx, { userId }: OfAccount): Promise<AccountView> {
    const view = await this.database.system('make an operator', async (tx) => {
      const account = await this.getLocked(tx, userId);
      if (!account.operator) {
        if (account.hasPasswordOfOthers) throw passwordOfOthers();
        await this.accounts.setOperator(tx, userId, true);
        // Whoever made it could choose the password of an operator.
        await this.resets.end(tx, userId);
        await this.log.ofPlatform(tx, ctx, 'operator.granted', { userId, target: userId });
      }
      return this.view(tx, userId);
    });
    this.news.accountChanged(ctx, userId);
    return view;
  }

  async revoke(ctx: Ctx, { userId }: OfAccount): Promise<AccountView> {
    const { view, ended } = await this.database.system('take back the rights of an operator', async (tx) => {
      const account = await this.getLocked(tx, userId);
      if (!account.operator) return { view: await this.view(tx, userId), ended: [] };
      if (!(await this.accounts.hasOtherOperator(tx, userId))) throw lastOperator();
      await this.accounts.setOperator(tx, userId, false);
      const keys = await this.keys.revokeOfMaker(tx, userId);
      await this.log.ofPlatform(tx, ctx, 'operator.revoked', {
        userId,
        target: userId,
        details: { revokedKeys: keys },
      });
      return { view: await this.view(tx, userId), ended: keys };
    });
    await this.news.revoked(ctx, ended);
    this.news.accountChanged(ctx, userId);
    return view;
  }

  private async getLocked(tx: Tx, userId: string): Promise<AccountState> {
    await this.accounts.lockOperators(tx);
    const account = await this.accounts.findStateLocked(tx, userId);
    if (!account) throw unknownAccount();
    return account;
  }

  private async view(tx: Tx, userId: string): Promise<AccountView> {
    const row = await this.accounts.find(tx, userId);
    if (!row) throw unknownAccount();
    return accountView(row);
  }
}

export const unknownAccount = (): AppError => new AppError('NOT_FOUND', 'User not found.');

export const lastOperator = (): AppError =>
  new AppError('CONFLICT', 'This is the last operator who can sign in. Make another one first.');

const passwordOfOthers = (): AppError =>
  new AppError(
    'CONFLICT',
    'Somebody else chose the password of this account. It can become an operator when its owner has changed it.',
  );
