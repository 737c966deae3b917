import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Retention } from '@switchyard/service';
import { EmissionRetentionRepository } from '../db/emission-retention.repository';
import { EventBusConfig } from '../event-bus.config';

/** How long the log of emissions reaches back. An idempotency key lives as long as its envelope. */
@Injectable()
export class EmissionRetention implements OnModuleInit {
  constructor(
    private readonly retention: Retention,
    private readonly old: EmissionRetentionRepository,
    private readonly config: EventBusConfig,
  ) {}

  onModuleInit(): void {
    const days = this.config.EVENT_RETENTION_DAYS;
    this.retention.register('emissions', (tx, limit) => this.old.removeOld(tx, days, limit));
    this.retention.register('registered events', (tx, limit) => this.old.removeOldEvents(tx, days, limit));
    this.retention.register('root budgets', (tx, limit) => this.old.removeOldBudgets(tx, days, limit));
  }
}
