import { Injectable, type OnModuleInit } from '@nestjs/common';
import {
  KeyCalls,
  MAX_NATS_RECEIVERS,
  type NatsReceiver,
  type NatsReceiverState,
  serviceCtx,
} from '@switchyard/contracts';
import { RefreshingCache } from '@switchyard/concurrency';
import { Database } from '@switchyard/database';
import { Bus } from '@switchyard/messaging';
import { Logger, Workers } from '@switchyard/service';
import { EndpointsRepository } from '../db/endpoints.repository';
import { EndpointBacklog } from './endpoint-backlog';
import { EndpointHealth } from './endpoint-health';

/** A revoked account, or a replaced user, gets nothing any more after so long. */
const FRESH_MS = 1_000;
/** A lost signal delays the end of endpoints by so much. */
const SWEEP_MS = 30_000;

/** The accounts of endpoints over NATS: whether events may be sent to them, and what ends with them. */
@Injectable()
export class NatsReceivers implements OnModuleInit {
  private readonly states = new RefreshingCache<NatsReceiverState>({ freshMs: FRESH_MS, maxBytes: 1024 * 1024 });

  constructor(
    private readonly bus: Bus,
    private readonly database: Database,
    private readonly endpoints: EndpointsRepository,
    private readonly backlog: EndpointBacklog,
    private readonly health: EndpointHealth,
    private readonly workers: Workers,
    private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    this.workers.every('end endpoints of revoked NATS accounts', SWEEP_MS, () => this.sweep());
  }

  /** The account of this Space; null for an unknown one. */
  async find(spaceId: string, accountId: string): Promise<NatsReceiver | null> {
    const [found] = await this.read([accountId]);
    return found?.spaceId === spaceId ? found : null;
  }

  /** At most a second old. WAITING if the key service does not answer. */
  async stateOf(spaceId: string, accountId: string): Promise<NatsReceiverState> {
    try {
      const state = await this.states.get(
        accountId,
        async () => (await this.find(spaceId, accountId))?.state ?? 'REVOKED',
      );
      if (state === 'REVOKED') await this.end(spaceId, accountId);
      return state;
    } catch (error) {
      this.logger.warn({ err: error, account: accountId }, 'failed to read whether events may be sent to an account');
      return 'WAITING';
    }
  }

  /** The account was revoked or rotated. */
  async changed(spaceId: string, accountId: string): Promise<void> {
    this.states.delete(accountId);
    await this.stateOf(spaceId, accountId);
  }

  private async read(accountIds: string[]): Promise<readonly NatsReceiver[]> {
    return (await this.bus.call(KeyCalls.readNatsReceivers, serviceCtx('event-bus'), { accountIds })).receivers;
  }

  /** Disables the endpoints of a revoked account. Deliveries that wait end. */
  private async end(spaceId: string, accountId: string): Promise<void> {
    const disabled = await this.database.inSpace(spaceId, (tx) => this.endpoints.endAccount(tx, spaceId, accountId));
    if (disabled.length === 0) return;
    this.backlog.noteClosed();
    for (const { id } of disabled) this.health.noteDisabled(spaceId, id, 'ACCOUNT_REVOKED');
  }

  private async sweep(): Promise<void> {
    let after = '';
    for (;;) {
      const accounts = await this.database.system('find accounts of endpoints', (tx) =>
        this.endpoints.accounts(tx, after, MAX_NATS_RECEIVERS),
      );
      const last = accounts.at(-1);
      if (!last) return;
      const found = await this.read(accounts.map(({ accountId }) => accountId));
      const active = new Set(found.filter(({ state }) => state !== 'REVOKED').map(({ accountId }) => accountId));
      for (const { spaceId, accountId } of accounts) if (!active.has(accountId)) await this.end(spaceId, accountId);
      after = last.accountId;
    }
  }
}
