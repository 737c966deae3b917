import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database } from '@switchyard/database';
import { Workers } from '@switchyard/service';
import { SpaceCreatorsRepository } from '../db/space-creators.repository';
import { SpaceTotalsRepository } from '../db/space-totals.repository';

const EVERY_MS = 30_000;
const AT_ONCE = 500;

/** Keeps what the operators' lists are made of: who made which Space, and no use of a month that is over. */
@Injectable()
export class OperatorListMaintenance implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly makers: SpaceCreatorsRepository,
    private readonly totals: SpaceTotalsRepository,
    private readonly workers: Workers,
  ) {}

  onModuleInit(): void {
    this.workers.poll('find the makers of Spaces', EVERY_MS, async () => {
      const found = await this.database.system('find the makers of Spaces', (tx) => this.makers.findSome(tx, AT_ONCE));
      const ended = await this.database.system('end the month of Spaces', (tx) => this.totals.endMonth(tx, AT_ONCE));
      return found === AT_ONCE || ended === AT_ONCE;
    });
  }
}
