import { Inject, Injectable, OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import { Database } from '@switchyard/database';
import type { Clock } from '@switchyard/kernel';
import { CLOCK, Workers } from '@switchyard/service';
import { ApiKeysRepository } from '../db/api-keys.repository';
import { NatsAccountsRepository } from '../db/nats-accounts.repository';

const FLUSH_MS = 20_000;
const MAX_KEYS = 100_000;

interface Use {
  spaceId: string;
  id: string;
  at: string;
}

/** When keys and NATS accounts were last used: gathered in memory, written together. A crash forgets the last few seconds. */
@Injectable()
export class LastUsedTracker implements OnApplicationBootstrap, OnApplicationShutdown {
  private uses = new Map<string, Use>();
  private usesOfAccounts = new Map<string, Use>();

  constructor(
    private readonly database: Database,
    private readonly apiKeys: ApiKeysRepository,
    private readonly natsAccounts: NatsAccountsRepository,
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
    this.add(this.uses, key);
  }

  noteNatsAccount(account: { spaceId: string; id: string }): void {
    this.add(this.usesOfAccounts, account);
  }

  private add(uses: Map<string, Use>, { spaceId, id }: { spaceId: string; id: string }): void {
    if (uses.size < MAX_KEYS) uses.set(id, { spaceId, id, at: this.clock.now().toISOString() });
  }

  private async flush(): Promise<void> {
    if (this.uses.size + this.usesOfAccounts.size === 0) return;
    const [keys, accounts] = [[...this.uses.values()], [...this.usesOfAccounts.values()]];
    this.uses = new Map();
    this.usesOfAccounts = new Map();
    await this.database.system('write the last uses of keys', async (tx) => {
      if (keys.length > 0) await this.apiKeys.touch(tx, keys);
      if (accounts.length > 0) await this.natsAccounts.touch(tx, accounts);
    });
  }
}
