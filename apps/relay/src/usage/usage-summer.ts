import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database } from '@switchyard/database';
import { Workers } from '@switchyard/service';
import { UsageSumsRepository } from '../db/usage-sums.repository';
import { RelayConfig } from '../relay.config';

const SPACES_AT_ONCE = 100;
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

/**
 * Sums up what Spaces have used. No settlement writes sums: entries are added later, many at a time, and those since then
 * are read from the ledger when usage is asked for.
 */
@Injectable()
export class UsageSummer implements OnModuleInit {
  /** Where the round through the Spaces is. */
  private after = BEFORE_ALL;
  /** The first round goes through all Spaces: what is to be summed up may be older than this process. */
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

  /** The next Spaces. Says whether there are more in this round. */
  private async sumUpSome(signal: AbortSignal): Promise<boolean> {
    const [rows = []] = await this.database.systemRead('find Spaces with usage', [
      this.sums.spacesAfter(this.after, SPACES_AT_ONCE, this.isFirst),
    ]);
    const spaces = rows as unknown as { id: string; isDue: boolean }[];
    for (const { id } of spaces.filter(({ isDue }) => isDue))
      for (let hasMore = true; hasMore && !signal.aborted;) hasMore = await this.sumUp(id);
    this.after = spaces.at(SPACES_AT_ONCE - 1)?.id ?? BEFORE_ALL;
    const isOver = this.after === BEFORE_ALL;
    if (isOver) this.isFirst = false;
    return !isOver;
  }

  private sumUp(spaceId: string): Promise<boolean> {
    return this.database.system('sum up usage', (tx) => this.sums.sumUp(tx, spaceId));
  }
}
