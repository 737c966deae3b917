import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database } from '@switchyard/database';
import { Bus } from '@switchyard/messaging';
import { ActivityOwner, Metrics, Retention, Workers } from '@switchyard/service';
import { ownedJobs } from '../db/job-activity';

@Injectable()
export class JobActivity implements OnModuleInit {
  readonly owner;

  constructor(database: Database, bus: Bus, workers: Workers, retention: Retention, metrics: Metrics) {
    this.owner = new ActivityOwner({ database, bus, workers, retention, metrics }, ownedJobs);
  }

  onModuleInit(): void {
    this.owner.begin();
  }
}
