import { Inject, Injectable, OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import { Database } from '@switchyard/database';
import type { Clock } from '@switchyard/kernel';
import { CLOCK, Workers } from '@switchyard/service';
import { ApiKeysRepository } from '../db/api-keys.repository';

const FLUSH_MS = 20_000;
const MAX_KEYS = 100_000;

interface Use {
  spaceId: string;
  id: string;
  at: string;
}

/** When keys were last used: gathered in memory, written together. A crash forgets the last few seconds. */
@Injectable()
export class LastUsedTracker implements OnApplicationBootstrap, OnApplicationShutdown {
  private uses = new Map<string, Use>();

  constructor(
    private readonly database: Database,
    private readonly apiKeys: ApiKeysRepository,
    private readonly workers: Workers,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    this.workers.every('write the last uses of keys', FLUSH_MS, () => this.flush());
  }

  async onApplicationShutdown(): Promise<void> {
    await this.flush().catch(() => undefined);
  }

  note(key: { spaceId: string; id: string }): void {
    if (this.uses.size >= MAX_KEYS) return;
    this.uses.set(key.id, { spaceId: key.spaceId, id: key.id, at: this.clock.now().toISOString() });
  }

  private async flush(): Promise<void> {
    if (this.uses.size === 0) return;
    const uses = [...this.uses.values()];
    this.uses = new Map();
    await this.database.system('write the last uses of keys', (tx) => this.apiKeys.touch(tx, uses));
  }
}
