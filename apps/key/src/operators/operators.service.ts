import { Injectable } from '@nestjs/common';
import type { AccountView, Ctx, OfAccount, Page, PageRequest } from '@switchyard/contracts';
import { Database, listByTime } from '@switchyard/database';
import { type AccountRow, OperatorAccountsRepository } from '../db/operator-accounts.repository';
import { AuthCacheInvalidation } from '../secrets/auth-cache-invalidation';
import { accountView } from './account-view';
import { OperatorGrants } from './grant-and-revoke-operators';

const LIST = listByTime('operators', (row: AccountRow) => ({ at: row.createdAt, id: row.id }));

/** Operators of the platform. At least one can always sign in. */
@Injectable()
export class OperatorsService {
  constructor(
    private readonly database: Database,
    private readonly accounts: OperatorAccountsRepository,
    private readonly changes: OperatorGrants,
    private readonly signals: AuthCacheInvalidation,
  ) {}

  list(request: PageRequest): Promise<Page<AccountView>> {
    const window = LIST.windowOf(request);
    return this.database.system('list the operators', async (tx) => {
      const rows = await this.accounts.list(tx, { ...window, part: null, onlyOperators: true });
      return LIST.pageOf(rows, window, accountView);
    });
  }

  async grant(ctx: Ctx, { userId }: OfAccount): Promise<AccountView> {
    const account = await this.database.system('make an operator', (tx) => this.changes.grant(tx, ctx, userId));
    this.signals.accountChanged(ctx, userId);
    return account;
  }

  async revoke(ctx: Ctx, { userId }: OfAccount): Promise<AccountView> {
    const { account, ended } = await this.database.system('take back the rights of an operator', (tx) =>
      this.changes.revoke(tx, ctx, userId),
    );
    await this.signals.revoked(ctx, ended);
    this.signals.accountChanged(ctx, userId);
    return account;
  }
}
