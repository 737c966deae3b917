import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database } from '@switchyard/database';
import { type SpaceInRound, SpaceRoundRobin, Workers } from '@switchyard/service';
import { UsageSumsRepository } from '../db/usage-sums.repository';
import { RelayConfig } from '../relay.config';

const SPACES_AT_ONCE = 500;

/**
 * Sums up the usage of Spaces. Settlements write no sums: ledger entries are added in batches, and newer entries are
 * read from the ledger.
 */
@Injectable()
export class UsageAggregator implements OnModuleInit {
  private readonly round = new SpaceRoundRobin(
    SPACES_AT_ONCE,
    (after, limit) => this.find(after, limit),
    (spaceId) => this.sumUp(spaceId),
  );
  /** The first round covers all Spaces: entries may be older than this process. */
  private isFirst = true;

  constructor(
    private readonly database: Database,
    private readonly sums: UsageSumsRepository,
    private readonly workers: Workers,
    private readonly config: RelayConfig,
  ) {}

  onModuleInit(): void {
    this.workers.poll('sum up usage', this.config.RELAY_USAGE_INTERVAL_MS, (signal) => this.sumUpSome(signal));
  }

  /** Sums up the next Spaces. Returns whether more are due. */
  private async sumUpSome(signal: AbortSignal): Promise<boolean> {
    const hasMore = await this.round.next(signal);
    if (!hasMore && !signal.aborted) this.isFirst = false;
    return hasMore;
  }

  private async find(after: string, limit: number): Promise<SpaceInRound[]> {
    const [rows = []] = await this.database.systemRead('find Spaces with usage', [
      this.sums.spacesAfter(after, limit, this.isFirst),
    ]);
    return rows as unknown as SpaceInRound[];
  }

  private sumUp(spaceId: string): Promise<boolean> {
    return this.database.system('sum up usage', (tx) => this.sums.sumUp(tx, spaceId));
  }
}
