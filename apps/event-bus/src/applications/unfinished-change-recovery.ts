import { Injectable, type OnModuleInit } from '@nestjs/common';
import { KeyCalls, type SetWatch, actAs, serviceCtx } from '@switchyard/contracts';
import { Database, type Tx } from '@switchyard/database';
import { isTransient, newId } from '@switchyard/kernel';
import { Bus } from '@switchyard/messaging';
import { Logger, Workers } from '@switchyard/service';
import { type ApplicationChange, ApplicationChangesRepository, type Watch } from '../db/application-changes.repository';
import { ApplicationsRepository } from '../db/applications.repository';
import { RegisteredEventsRepository } from '../db/registered-events.repository';
import { SubscriptionsRepository } from '../db/subscriptions.repository';
import { RemoteResources } from './remote-resources';
import { Uninstaller } from './uninstaller';

const LOOK_MS = 4_000;
/** Older than every task that a change may have made or touched. */
const ANY_REVISION = 2 ** 31 - 1;

interface SortedWatches {
  used: SetWatch[];
  unused: Watch[];
}

/**
 * Settles changes that came to no end of their own, because a call failed or their process died: what an uninstall has
 * begun is completed, and what other changes have made in other services is cleared away.
 */
@Injectable()
export class UnfinishedChangeRecovery implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly changes: ApplicationChangesRepository,
    private readonly applications: ApplicationsRepository,
    private readonly events: RegisteredEventsRepository,
    private readonly subscriptions: SubscriptionsRepository,
    private readonly remoteResources: RemoteResources,
    private readonly uninstaller: Uninstaller,
    private readonly bus: Bus,
    private readonly workers: Workers,
    private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    const poller = this.database.idlePoller.for(this.changes.anyAbandoned);
    this.workers.poll('settle abandoned changes', LOOK_MS, () => this.settleOne(), poller);
  }

  /** At once where that can be done, and by the next look where another service is away. */
  async settleFailed(failed: ApplicationChange, reason: unknown): Promise<void> {
    const { spaceId, applicationId } = failed;
    let change = failed;
    try {
      change = await this.hold(failed);
      // A service that is away now will be away a moment later, and the caller waits for its answer.
      if (isTransient(reason)) throw reason;
      await this.settle(change);
    } catch (error) {
      this.logger.warn({ err: error, applicationId }, 'failed to roll back a change; retrying');
      await this.database.inSpace(spaceId, (tx) => this.changes.abandon(tx, change)).catch(() => undefined);
    }
  }

  /** One that was taken up by others meanwhile, who could not know of its latest calls, is noted once more. */
  private hold(change: ApplicationChange): Promise<ApplicationChange> {
    return this.database.inSpace(change.spaceId, async (tx) => {
      if (await this.changes.renew(tx, change)) return change;
      const again = { ...change, id: newId(), attempt: 0 };
      if (await this.changes.begin(tx, again)) return again;
      throw new Error('another change of the application runs; what this one left behind stays');
    });
  }

  /**
   * A change that cannot be settled now, because another service is away, is tried again later: the next one goes on.
   */
  private async settleOne(): Promise<boolean> {
    const change = await this.database.system('take up an abandoned change', (tx) => this.changes.takeAbandoned(tx));
    if (!change) return false;
    const { spaceId, applicationId, kind } = change;
    try {
      await this.settle(change);
      this.logger.info({ applicationId, kind }, 'settled an abandoned change');
    } catch (error) {
      this.logger.warn({ err: error, applicationId, kind }, 'failed to settle an abandoned change; retrying');
      await this.database.inSpace(spaceId, (tx) => this.changes.postpone(tx, change));
    }
    return true;
  }

  private async settle(change: ApplicationChange): Promise<void> {
    if (change.kind === 'uninstall') await this.uninstaller.complete(change);
    else await this.undo(change);
    await this.database.inSpace(change.spaceId, (tx) => this.changes.end(tx, change));
  }

  /**
   * Other services are left with what the application has in the end, and nothing else of it. Its rows say what that
   * is: a process that lost its database connection during the commit cannot know.
   */
  async undo({ spaceId, applicationId, identifier, watches }: ApplicationChange): Promise<void> {
    const ctx = actAs(serviceCtx('event-bus'), { spaceId });
    const { application, brought, used, unused } = await this.database.inSpace(spaceId, async (tx) => {
      const found = await this.applications.lock(tx, spaceId, applicationId);
      return {
        application: found,
        ...(await this.sortWatches(tx, spaceId, found?.identifier ?? identifier, watches)),
        brought: found ? await this.subscriptions.broughtBy(tx, spaceId, found.identifier) : [],
      };
    });
    await this.remoteResources.keepOnlyTasks(
      ctx,
      // Resources from before the change stay, also if it uses them. The change has its own revision.
      { spaceId, applicationId, revision: ANY_REVISION, ...(application && { keepUpTo: application.revision - 1 }) },
      brought.map(({ taskId }) => taskId),
    );
    // A failed upgrade may have told the dataset of fewer operations.
    for (const watch of used) await this.remoteResources.watchAgain(ctx, watch);
    await this.remoteResources.unwatch(ctx, unused);
    if (!application) await this.bus.call(KeyCalls.revokeSystemKey, ctx, { applicationId });
  }

  /** Those that hang on an event of the application, with what it asks for, and those that hang on none. */
  private async sortWatches(
    tx: Tx,
    spaceId: string,
    identifier: string | null,
    watches: Watch[],
  ): Promise<SortedWatches> {
    const sorted: SortedWatches = { used: [], unused: [] };
    if (identifier === null || watches.length === 0) return sorted;
    const registered = await this.events.ofApplication(tx, spaceId, identifier);
    for (const watch of watches) {
      const event = registered.find(
        ({ id, active, emitOn }) => id === watch.watcherId && active && emitOn?.dataset === watch.datasetId,
      );
      if (event?.emitOn) sorted.used.push({ ...watch, operations: event.emitOn.operations });
      else sorted.unused.push(watch);
    }
    return sorted;
  }
}
