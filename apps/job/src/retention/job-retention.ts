import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Retention } from '@switchyard/service';
import { JobRetentionRepository } from '../db/job-retention.repository';
import { JobConfig } from '../job.config';

/** How long ended jobs can be read. */
@Injectable()
export class JobRetention implements OnModuleInit {
  constructor(
    private readonly retention: Retention,
    private readonly old: JobRetentionRepository,
    private readonly config: JobConfig,
  ) {}

  onModuleInit(): void {
    const days = { done: this.config.JOB_RETENTION_DAYS, failed: this.config.JOB_FAILED_RETENTION_DAYS };
    this.retention.register('jobs', (tx, limit) => this.old.removeEnded(tx, days, limit));
  }
}
