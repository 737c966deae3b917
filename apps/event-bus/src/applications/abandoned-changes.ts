import { Injectable, type OnModuleInit } from '@nestjs/common';
import { KeyCalls, actAs, serviceCtx } from '@switchyard/contracts';
import { Database, type Tx } from '@switchyard/database';
import { Bus } from '@switchyard/messaging';
import { Logger, Workers } from '@switchyard/service';
import { type ApplicationChange, ApplicationChangesRepository } from '../db/application-changes.repository';
import { ApplicationsRepository } from '../db/applications.repository';
import { SubscriptionsRepository } from '../db/subscriptions.repository';
import { Companions } from './companions';

const LOOK_MS = 4_000;
/** Older than every task that a change may have made or touched. */
const ANY_REVISION = 2 ** 31 - 1;

/** Clears away what installations and upgrades have left in other services when their process died before the commit. */
@Injectable()
export class AbandonedChanges implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly changes: ApplicationChangesRepository,
    private readonly applications: ApplicationsRepository,
    private readonly subscriptions: SubscriptionsRepository,
    private readonly companions: Companions,
    private readonly bus: Bus,
    private readonly workers: Workers,
    private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    this.workers.every('clear abandoned changes away', LOOK_MS, async () => {
      while (await this.clearOne());
    });
  }

  private clearOne(): Promise<boolean> {
    return this.database.system('clear an abandoned change away', async (tx) => {
      const change = await this.changes.takeAbandoned(tx);
      if (!change) return false;
      await this.clear(tx, change);
      await this.changes.end(tx, change);
      this.logger.info({ applicationId: change.applicationId }, 'an abandoned change was cleared away');
      return true;
    });
  }

  private async clear(tx: Tx, { spaceId, applicationId }: ApplicationChange): Promise<void> {
    const ctx = actAs(serviceCtx('event-bus'), { spaceId });
    // Locked, so that no other change of it brings tasks meanwhile.
    const application = await this.applications.lock(tx, spaceId, applicationId);
    const brought = application ? await this.subscriptions.broughtBy(tx, spaceId, application.identifier) : [];
    await this.companions.keepOnlyTasks(
      ctx,
      { spaceId, applicationId, revision: ANY_REVISION },
      brought.map(({ taskId }) => taskId),
    );
    if (!application) await this.bus.call(KeyCalls.revokeSystemKey, ctx, { applicationId });
  }
}
