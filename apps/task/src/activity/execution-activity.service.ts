import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database } from '@switchyard/database';
import { Bus } from '@switchyard/messaging';
import { ActivityOwner, Metrics, Retention, Workers } from '@switchyard/service';
import { ownedExecutions } from '../db/execution-activity';

@Injectable()
export class ExecutionActivity implements OnModuleInit {
  readonly owner;

  constructor(database: Database, bus: Bus, workers: Workers, retention: Retention, metrics: Metrics) {
    this.owner = new ActivityOwner({ database, bus, workers, retention, metrics }, ownedExecutions);
  }

  onModuleInit(): void {
    this.owner.begin();
  }
}
