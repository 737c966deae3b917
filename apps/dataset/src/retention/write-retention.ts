import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Retention } from '@switchyard/service';
import { DatasetConfig } from '../dataset.config';
import { RecordWritesRepository } from '../db/record-writes.repository';

/** How long the tree of causes shows what runs have written. */
@Injectable()
export class WriteRetention implements OnModuleInit {
  constructor(
    private readonly retention: Retention,
    private readonly writes: RecordWritesRepository,
    private readonly config: DatasetConfig,
  ) {}

  onModuleInit(): void {
    const days = this.config.DATASET_WRITE_RETENTION_DAYS;
    this.retention.forget('record writes', (tx, limit) => this.writes.forget(tx, days, limit));
  }
}
