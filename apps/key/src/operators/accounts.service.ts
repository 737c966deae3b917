import { Injectable } from '@nestjs/common';
import type { AccountView, Ctx, DisabledAccountView, ListAccounts, OfAccount, Page } from '@switchyard/contracts';
import { Database, listByTime } from '@switchyard/database';
import { SecurityLog } from '../audit/security-log';
import { type AccountRow, OperatorAccountsRepository } from '../db/operator-accounts.repository';
import { SignInsRepository } from '../db/sign-ins.repository';
import { AuthCacheInvalidation } from '../secrets/auth-cache-invalidation';
import { accountView } from './account-view';
import { OperatorGrants } from './grant-and-revoke-operators';

const LIST = listByTime('accounts', (row: AccountRow) => ({ at: row.createdAt, id: row.id }));

/** The accounts of the platform, whichever Spaces they belong to. */
@Injectable()
export class OperatorAccountsService {
  constructor(
    private readonly database: Database,
    private readonly accounts: OperatorAccountsRepository,
    private readonly changes: OperatorGrants,
    private readonly signIns: SignInsRepository,
    private readonly log: SecurityLog,
    private readonly signals: AuthCacheInvalidation,
  ) {}

  list(request: ListAccounts): Promise<Page<AccountView>> {
    const window = LIST.windowOf(request);
    return this.database.system('list accounts', async (tx) => {
      const rows = await this.accounts.list(tx, { ...window, part: request.q ?? null, onlyOperators: false });
      return LIST.pageOf(rows, window, accountView);
    });
  }

  get({ userId }: OfAccount): Promise<AccountView> {
    return this.database.system('read an account', (tx) => this.changes.view(tx, userId));
  }

  /** Keys stay, and open nothing as long as the account is disabled; sign-ins end for good. */
  async disable(ctx: Ctx, { userId }: OfAccount): Promise<DisabledAccountView> {
    const { view, signIns, spaceIds } = await this.database.system('disable an account', async (tx) => {
      const account = await this.changes.getLocked(tx, userId);
      if (account.operator && !account.isDisabled) await this.changes.requireOther(tx, userId);
      await this.accounts.setDisabled(tx, userId, true);
      if (!account.isDisabled) await this.log.ofPerson(tx, ctx, 'user.disabled', userId);
      return {
        view: { ...(await this.changes.view(tx, userId)), lastOwnerOf: await this.changes.lastOwnedBy(tx, userId) },
        signIns: await this.signIns.revokeOfUser(tx, userId, null, 'disabled'),
        spaceIds: await this.accounts.listSpaceIds(tx, userId),
      };
    });
    this.tell(ctx, userId, spaceIds);
    await this.signals.revoked(ctx, signIns);
    return view;
  }

  async enable(ctx: Ctx, { userId }: OfAccount): Promise<AccountView> {
    const { view, spaceIds } = await this.database.system('enable an account', async (tx) => {
      const account = await this.changes.getLocked(tx, userId);
      await this.accounts.setDisabled(tx, userId, false);
      if (account.isDisabled) await this.log.ofPerson(tx, ctx, 'user.enabled', userId);
      return { view: await this.changes.view(tx, userId), spaceIds: await this.accounts.listSpaceIds(tx, userId) };
    });
    this.tell(ctx, userId, spaceIds);
    return view;
  }

  /** To the gateway at once for all Spaces, to the services that run things for people in each of them. */
  private tell(ctx: Ctx, userId: string, spaceIds: readonly string[]): void {
    this.signals.accountChanged(ctx, userId);
    for (const spaceId of spaceIds) this.signals.memberChanged(ctx, spaceId, userId);
  }
}
