import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database } from '@switchyard/database';
import { type SpaceInRound, SpaceRound, Workers } from '@switchyard/service';
import { UsageSumsRepository } from '../db/usage-sums.repository';
import { RelayConfig } from '../relay.config';

const SPACES_AT_ONCE = 500;

/**
 * Sums up what Spaces have used. No settlement writes sums: entries are added later, many at a time, and those since
 * then are read from the ledger when usage is asked for.
 */
@Injectable()
export class UsageSummer implements OnModuleInit {
  private readonly round = new SpaceRound(
    SPACES_AT_ONCE,
    (after, limit) => this.find(after, limit),
    (spaceId) => this.sumUp(spaceId),
  );
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

  /** The next Spaces. Says whether there is more to do. */
  private async sumUpSome(signal: AbortSignal): Promise<boolean> {
    const goesOn = await this.round.next(signal);
    if (!goesOn && !signal.aborted) this.isFirst = false;
    return goesOn;
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
