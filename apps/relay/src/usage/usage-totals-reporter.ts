import { Injectable, type OnModuleInit } from '@nestjs/common';
import { KeyCalls, serviceCtx } from '@switchyard/contracts';
import { Database } from '@switchyard/database';
import { Bus } from '@switchyard/messaging';
import { Workers } from '@switchyard/service';
import { TokenAccountsRepository } from '../db/token-accounts.repository';
import { LedgerWriter } from '../metering/ledger-writer';

const EVERY_MS = 20_000;
const AT_ONCE = 500;
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

/**
 * Tells the key service what Spaces have used, for the operators' lists: of those alone whose accounts this process has
 * moved since the last time. A new process tells of all Spaces once: the one before may have been lost with its news.
 */
@Injectable()
export class UsageTotalsReporter implements OnModuleInit {
  private moved = new Set<string>();
  private after: string | null = BEFORE_ALL;

  constructor(
    private readonly database: Database,
    private readonly accounts: TokenAccountsRepository,
    private readonly ledgerWriter: LedgerWriter,
    private readonly bus: Bus,
    private readonly workers: Workers,
  ) {}

  onModuleInit(): void {
    this.ledgerWriter.onMoved((spaceId) => this.moved.add(spaceId));
    this.workers.poll('report what Spaces have used', EVERY_MS, () => this.reportSome());
  }

  /** Says whether there is more to report. */
  private async reportSome(): Promise<boolean> {
    if (this.after !== null) {
      const ids = await this.accounts.idsAfter(this.database, this.after, AT_ONCE);
      await this.report(ids);
      this.after = ids.length === AT_ONCE ? (ids.at(-1) ?? null) : null;
      return this.after !== null;
    }
    const ids = [...this.moved].slice(0, AT_ONCE);
    // Removed before it is read: changes made meanwhile are reported once more.
    for (const id of ids) this.moved.delete(id);
    try {
      await this.report(ids);
    } catch (error) {
      for (const id of ids) this.moved.add(id);
      throw error;
    }
    return this.moved.size > 0 && ids.length === AT_ONCE;
  }

  private async report(spaceIds: readonly string[]): Promise<void> {
    if (spaceIds.length === 0) return;
    const used = await this.accounts.totals(this.database, spaceIds);
    await this.bus.call(KeyCalls.reportTotals, serviceCtx('relay'), { used });
  }
}
