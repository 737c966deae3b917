import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Retention } from '@switchyard/service';
import { DatasetConfig } from '../dataset.config';
import { RECORD_WRITES } from '../db/record-writes.repository';

/** How long the tree of causes shows what runs have written. */
@Injectable()
export class WriteRetention implements OnModuleInit {
  constructor(
    private readonly retention: Retention,
    private readonly config: DatasetConfig,
  ) {}

  onModuleInit(): void {
    this.retention.keepWeeks('record writes', RECORD_WRITES, this.config.DATASET_WRITE_RETENTION_DAYS);
  }
}
