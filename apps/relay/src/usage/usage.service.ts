import { Inject, Injectable } from '@nestjs/common';
import {
  BalanceView,
  CreditTokens,
  apiKeyOf,
  type Ctx,
  type Items,
  type KeyUsage,
  type KeyUsageQuery,
  LedgerRow,
  type OfSpaces,
  type Page,
  PageRequest,
  RelaySignals,
  type SpaceTotals,
  UsageGroupRow,
  UsageQuery,
  isDateTime,
  requireSpace,
} from '@switchyard/contracts';
import { Database, listById } from '@switchyard/database';
import { AppError, type Clock, invalid, isId, newId, notACursor } from '@switchyard/kernel';
import { Bus } from '@switchyard/messaging';
import { CLOCK } from '@switchyard/service';
import { TokenAccountsRepository } from '../db/token-accounts.repository';
import { LedgerRepository } from '../db/ledger.repository';
import { UsageRepository } from '../db/usage.repository';
import { nextMidnight } from '../domain/budget-check';
import { KeyTokenLimits } from '../metering/key-token-limits';
import { LedgerWriter } from '../metering/ledger-writer';
import { SpendingLimitsCache } from '../metering/spending-limits-cache';
import { RelayConfig } from '../relay.config';

const LEDGER_LIST = listById('ledger');

@Injectable()
export class UsageService {
  constructor(
    private readonly database: Database,
    private readonly accounts: TokenAccountsRepository,
    private readonly ledger: LedgerRepository,
    private readonly usages: UsageRepository,
    private readonly ledgerWriter: LedgerWriter,
    private readonly caps: SpendingLimitsCache,
    private readonly keys: KeyTokenLimits,
    private readonly bus: Bus,
    private readonly config: RelayConfig,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async usage(ctx: Ctx, query: UsageQuery): Promise<Items<UsageGroupRow>> {
    const [from, to] = [momentOf('from', query.from), momentOf('to', query.to)];
    if (from !== null && to !== null && Date.parse(from) > Date.parse(to))
      throw invalid('to', 'must not be before from');
    await this.ledgerWriter.flushed();
    const range = { from, to, groupBy: query.groupBy ?? ('day' as const) };
    const items = await this.database.snapshot(ctx, (tx) => this.usages.usage(tx, requireSpace(ctx), range));
    return { items };
  }

  async balance(ctx: Ctx): Promise<BalanceView> {
    const caps = await this.ledgerWriter.capsOf(ctx);
    await this.ledgerWriter.flushed();
    const account = await this.ledgerWriter.account(ctx, requireSpace(ctx));
    return {
      balance: account.balance,
      reserved: account.reserved,
      minimumBalance: caps.minimumBalance,
      dailyUsed: account.dailyUsed,
      dailyCap: caps.dailyTokenCap,
      resetsAt: nextMidnight(this.clock.now()).toISOString(),
    };
  }

  /** The caller may read the key: checked before. */
  async keyUsage(ctx: Ctx, { keyId, limits }: KeyUsageQuery): Promise<KeyUsage> {
    await this.ledgerWriter.flushed();
    return this.keys.usage(requireSpace(ctx), keyId, limits);
  }

  /** By the OWNER of the Space, where the operator of the platform lets owners do that. */
  async creditOwn(ctx: Ctx, credit: CreditTokens): Promise<LedgerRow> {
    if (!this.config.SPACE_OWNERS_MAY_CREDIT)
      throw new AppError(
        'FORBIDDEN',
        'Tokens are credited by an operator of this platform: POST /api/operator/spaces/{id}/credits.',
      );
    return this.credit(ctx, credit, newId());
  }

  /** The key service's record of the credit names the row, so that no repeat books it twice, however late it comes. */
  creditSpace(ctx: Ctx, credit: CreditTokens): Promise<LedgerRow> {
    const key = ctx.idempotency?.key;
    return this.credit(ctx, credit, isId(key) ? key : newId());
  }

  private async credit(ctx: Ctx, { tokens, note }: CreditTokens, id: string): Promise<LedgerRow> {
    const spaceId = requireSpace(ctx);
    if (tokens === 0) throw invalid('tokens', 'must be more than 0, or less than 0 to reduce the balance');
    const startingTokens = await this.caps.startingTokens(ctx, spaceId);
    // The balance after it includes all calls that were answered before.
    await this.ledgerWriter.flushed();
    return this.database.once(ctx, async (tx) => {
      const booked = await this.ledger.find(tx, spaceId, id);
      if (booked) return booked;
      await this.accounts.open(tx, spaceId, startingTokens);
      const balanceAfter = await this.accounts.change(tx, spaceId, tokens);
      tx.afterCommit(() => {
        this.ledgerWriter.invalidateBalance(spaceId);
        // Before it is answered, over the line that brings the next calls.
        this.bus.signal(RelaySignals.accountChanged, ctx, { spaceId });
      });
      return this.ledger.add(tx, spaceId, {
        id,
        type: tokens > 0 ? 'CREDIT' : 'CORRECTION',
        tokens,
        balanceAfter,
        note: note ?? null,
        userId: ctx.userId,
        keyId: apiKeyOf(ctx),
      });
    });
  }

  async totals({ spaceIds }: OfSpaces): Promise<Items<SpaceTotals>> {
    await this.ledgerWriter.flushed();
    return { items: await this.accounts.totals(this.database, spaceIds) };
  }

  async listLedger(ctx: Ctx, request: PageRequest): Promise<Page<LedgerRow>> {
    const spaceId = requireSpace(ctx);
    const window = LEDGER_LIST.windowOf(request);
    await this.ledgerWriter.flushed();
    if (window.after === null) await this.ledgerWriter.openAccount(ctx, spaceId);
    const rows = await this.database.transaction(ctx, (tx) => this.ledger.list(tx, spaceId, window));
    // No page begins behind the last row, and none is ever removed: it is the cursor of another Space.
    if (rows.length === 0 && window.after !== null) throw notACursor();
    return LEDGER_LIST.pageOf(rows, window);
  }
}

/** A day that no calendar has, or an offset that none uses, is told apart from others only by reading it. */
function momentOf(name: string, when: string | undefined): string | null {
  if (when === undefined) return null;
  const time = when.length === 10 ? `${when}T00:00:00Z` : when.replace(/^(.{16})(Z|[+-])/, '$1:00$2');
  if (!isDateTime(time)) throw invalid(name, 'must be a day, as 2026-11-26, or a moment, as 2026-11-26T08:00:00Z');
  return time;
}
