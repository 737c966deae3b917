import { Injectable } from '@nestjs/common';
import { type Ctx, type DefaultTasks, EventBusEvents, KeyCalls, actAs, serviceCtx } from '@switchyard/contracts';
import { Database, type Tx } from '@switchyard/database';
import { failpoint } from '@switchyard/kernel';
import { Bus } from '@switchyard/messaging';
import { SecurityEventRecorder } from '../audit/security-event-recorder';
import type { ApplicationChange, Watch } from '../db/application-changes.repository';
import { ApplicationsRepository } from '../db/applications.repository';
import { SubscriptionsRepository } from '../db/subscriptions.repository';
import { ApplicationChangeLock } from './application-change-lock';
import { RemoteResources } from './remote-resources';
import {
  type Declaration,
  ManifestDeclarations,
  type Standing,
  tasksOfUninstalled,
  tasksToDrop,
} from './manifest-declarations';
import { type Owner, ownerOf } from './resource-owner';

/** As many as `DefaultTasks.release` takes, less those of the manifest. */
const MAX_TASKS = 700;

/** Uninstalls an application. Every step can be repeated. */
@Injectable()
export class Uninstaller {
  constructor(
    private readonly database: Database,
    private readonly bus: Bus,
    private readonly notes: ApplicationChangeLock,
    private readonly applications: ApplicationsRepository,
    private readonly manifestDeclarations: ManifestDeclarations,
    private readonly remoteResources: RemoteResources,
    private readonly subscriptions: SubscriptionsRepository,
    private readonly securityEventRecorder: SecurityEventRecorder,
  ) {}

  /** An uninstall that another process has started. */
  async complete(change: ApplicationChange): Promise<void> {
    const { spaceId, applicationId } = change;
    const ctx = actAs(serviceCtx('event-bus'), { spaceId });
    const start = await this.database.inSpace(spaceId, async (tx) => {
      const application = await this.applications.lock(tx, spaceId, applicationId);
      if (!application) return null;
      const owner = ownerOf(spaceId, application);
      return { owner, standing: await this.manifestDeclarations.read(tx, owner) };
    });
    // Where it is committed, what it left on datasets is all that there is to do.
    const unwatch = start ? await this.uninstall(ctx, change, start) : change.watches;
    await this.remoteResources.unwatch(ctx, unwatch);
  }

  /** Answers which watches on datasets are still to be removed: the note stays until they are. */
  async uninstall(ctx: Ctx, change: ApplicationChange, start: { owner: Owner; standing: Standing }): Promise<Watch[]> {
    const { owner } = start;
    const { applicationId, identifier } = owner;
    const { tasks, declaration } = await this.manifestDeclarations.carryOut(
      ctx,
      { ...start, manifest: null },
      async (declaration) => {
        await failpoint('event-bus.uninstall-planned');
        await this.bus.call(KeyCalls.revokeSystemKey, ctx, { applicationId });
        await failpoint('event-bus.uninstall-revoked');
        // Before the commit, after which nothing would bring it up again. An application goes once: its id says which
        // event it is.
        await this.securityEventRecorder.record(actorOf(ctx, change), applicationId, {
          action: 'application.uninstalled',
          target: applicationId,
          details: { identifier },
        });
        await this.notes.keepWatches(change, declaration.unwatch);
        const tasks = await this.database.transaction(ctx, (tx) =>
          this.remove(tx, ctx, { change, owner, declaration }),
        );
        await failpoint('event-bus.uninstall-committed');
        return { tasks, declaration };
      },
    );
    // Announced with the commit; done at once as well, so that it has happened by the answer.
    await this.remoteResources.bestEffort(
      this.remoteResources.applyTasks(ctx, tasks),
      'default tasks go a moment later',
    );
    await this.remoteResources.bestEffort(
      this.settleDefaults(ctx, owner.spaceId, declaration.plan.removeTasks),
      'default subscriptions go a moment later',
    );
    return declaration.unwatch;
  }

  private async remove(
    tx: Tx,
    ctx: Ctx,
    { change, owner, declaration }: { change: ApplicationChange; owner: Owner; declaration: Declaration },
  ): Promise<DefaultTasks> {
    const { spaceId, applicationId } = owner;
    await this.applications.lock(tx, spaceId, applicationId);
    await this.notes.endAfterCleanup(tx, change, declaration.unwatch);
    await this.manifestDeclarations.apply(tx, owner, null, declaration);
    const ofUser = await this.subscriptions.allTasksOfUser(tx, spaceId, MAX_TASKS);
    const { plan } = declaration;
    // With more of them than a message names, a task whose default subscription was deleted stays behind.
    const tasks = ofUser ? tasksOfUninstalled(owner, plan, ofUser) : tasksToDrop(owner, plan);
    await this.applications.remove(tx, spaceId, applicationId);
    await tx.announce(EventBusEvents.defaultTasksChanged, ctx, tasks);
    return tasks;
  }

  /** The result for default subscriptions depends on the state of their tasks. */
  private async settleDefaults(ctx: Ctx, spaceId: string, taskIds: readonly string[]): Promise<void> {
    const { taken, deleted } = await this.remoteResources.broughtTasks(ctx, taskIds);
    await this.database.inSpace(spaceId, async (tx) => {
      for (const taskId of deleted) await this.subscriptions.removeOfTask(tx, spaceId, taskId);
      for (const taskId of taken) await this.subscriptions.giveToUser(tx, spaceId, { taskId });
    });
  }
}

/** The change is recorded under the person who asked for it, also where another process completes it. */
const actorOf = (ctx: Ctx, { actor }: ApplicationChange): Ctx => ({ ...actAs(ctx, {}), ...actor });
