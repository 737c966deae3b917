import { Inject, Injectable, OnApplicationBootstrap } from '@nestjs/common';
import { Database } from '@switchyard/database';
import type { Clock } from '@switchyard/kernel';
import { CLOCK, Workers } from '@switchyard/service';
import { keyValuesRepository } from '../db/key-values.repository';
import { signInsRepository } from '../db/sign-ins.repository';

const EVERY_MS = 3_600_000;
const KEPT_MS = 7 * 86_400_000;

/** Drops what ended a week ago: values after their grace, sign-ins with their refresh tokens. */
@Injectable()
export class Housekeeping implements OnApplicationBootstrap {
  constructor(
    private readonly database: Database,
    private readonly workers: Workers,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    this.workers.every('drop ended credentials', EVERY_MS, () => this.dropEnded());
  }

  private dropEnded(): Promise<void> {
    const before = new Date(this.clock.now().getTime() - KEPT_MS).toISOString();
    return this.database.system('drop ended credentials', async (tx) => {
      await keyValuesRepository.dropEnded(tx, before);
      await signInsRepository.dropEnded(tx, before);
    });
  }
}
