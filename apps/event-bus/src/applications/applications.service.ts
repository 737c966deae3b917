import { Injectable } from '@nestjs/common';
import {
  type ApplicationView,
  type ApplicationWithKey,
  type ById,
  type Ctx,
  type DefaultTasks,
  type Deleted,
  EventBusEvents,
  type InstallApplication,
  KeyCalls,
  type ListApplications,
  type Manifest,
  type Page,
  type UpgradeApplication,
  requireSpace,
} from '@switchyard/contracts';
import { Database, type Tx } from '@switchyard/database';
import { AppError, failpoint, invalid, newId } from '@switchyard/kernel';
import { Bus } from '@switchyard/messaging';
import { ApplicationChangesRepository } from '../db/application-changes.repository';
import { ApplicationsRepository, type StoredApplication } from '../db/applications.repository';
import { Audit } from '../audit/audit';
import { pageFrom, windowOf } from '../db/page';
import { SubscriptionsRepository } from '../db/subscriptions.repository';
import { Companions } from './companions';
import {
  type Declaration,
  Declarations,
  type Owner,
  type Wanted,
  tasksOfUninstalled,
  tasksToDrop,
  tasksToEnsure,
  tasksToTakeBack,
  watchesOf,
} from './declarations';

/** As many as `DefaultTasks.release` takes, less those of the manifest. */
const MOST_TASKS = 700;

@Injectable()
export class ApplicationsService {
  constructor(
    private readonly database: Database,
    private readonly bus: Bus,
    private readonly applications: ApplicationsRepository,
    private readonly changes: ApplicationChangesRepository,
    private readonly declarations: Declarations,
    private readonly companions: Companions,
    private readonly subscriptions: SubscriptionsRepository,
    private readonly audit: Audit,
  ) {}

  async install(ctx: Ctx, { manifest }: InstallApplication): Promise<ApplicationWithKey> {
    await this.declarations.check(manifest);
    const fields = await this.companions.watchedFields(ctx, manifest);
    const owner = {
      spaceId: requireSpace(ctx),
      applicationId: newId(),
      identifier: manifest.identifier,
      revision: 1,
      installedBy: ctx.userId,
    };
    const answer = await this.noted(ctx, owner, (end) =>
      this.database.once(ctx, async (tx) => end(tx, await this.installIn(tx, ctx, owner, { manifest, fields })), {
        secretFields: ['systemApiKey'],
      }),
    );
    if (!ctx.answer.replayed)
      this.audit.note(ctx, 'application.installed', answer.id, {
        identifier: manifest.identifier,
        version: manifest.version,
      });
    return answer;
  }

  async list(ctx: Ctx, data: ListApplications): Promise<Page<ApplicationView>> {
    const window = windowOf('applications', data);
    const rows = await this.database.transaction(ctx, (tx) =>
      this.applications.list(tx, requireSpace(ctx), data, window.after, window.limit + 1),
    );
    return pageFrom(rows, window);
  }

  get(ctx: Ctx, { id }: ById): Promise<ApplicationView> {
    return this.database.transaction(ctx, (tx) => this.view(tx, requireSpace(ctx), id));
  }

  async upgrade(ctx: Ctx, { id, manifest }: UpgradeApplication): Promise<ApplicationView> {
    await this.declarations.check(manifest);
    const fields = await this.companions.watchedFields(ctx, manifest);
    const spaceId = requireSpace(ctx);
    const change = async (tx: Tx) => {
      const application = await this.lock(tx, spaceId, id);
      if (manifest.identifier !== application.identifier) {
        throw invalid(
          'manifest.identifier',
          `must stay "${application.identifier}"; another identifier is another application`,
        );
      }
      const owner = { ...ownerOf(spaceId, application), revision: application.revision + 1 };
      const declaration = await this.declarations.plan(tx, ctx, owner, manifest);
      await this.prepare(ctx, owner, manifest, declaration);
      await failpoint('event-bus.upgrade-prepared');
      await this.applications.upgrade(tx, spaceId, id, manifest);
      await this.declarations.apply(tx, owner, { manifest, fields }, declaration);
      await this.announceDrop(tx, ctx, owner, declaration);
      return { owner, declaration, view: await this.view(tx, spaceId, id) };
    };
    const { owner, declaration, view } = await this.noted(ctx, { spaceId, applicationId: id }, (end) =>
      this.database.transaction(ctx, async (tx) => end(tx, await change(tx))),
    );
    await this.drop(ctx, tasksToDrop(owner, declaration.plan), declaration);
    this.audit.note(ctx, 'application.upgraded', id, { identifier: manifest.identifier, version: manifest.version });
    return view;
  }

  async uninstall(ctx: Ctx, { id }: ById): Promise<Deleted> {
    const spaceId = requireSpace(ctx);
    const { owner, declaration, tasks } = await this.database.transaction(ctx, async (tx) => {
      const application = await this.lock(tx, spaceId, id);
      const owner = { ...ownerOf(spaceId, application), revision: application.revision + 1 };
      const declaration = await this.declarations.plan(tx, ctx, owner, null);
      await failpoint('event-bus.uninstall-planned');
      await this.bus.call(KeyCalls.revokeSystemKey, ctx, { applicationId: id });
      await this.declarations.apply(tx, owner, null, declaration);
      const ofUser = await this.subscriptions.allTasksOfUser(tx, spaceId, MOST_TASKS);
      const { plan } = declaration;
      // With more of them than a message names, a task whose default subscription was deleted stays behind.
      const tasks = ofUser ? tasksOfUninstalled(owner, plan, ofUser) : tasksToDrop(owner, plan);
      await this.applications.remove(tx, spaceId, id);
      await tx.announce(EventBusEvents.defaultTasksChanged, ctx, tasks);
      return { owner, declaration, tasks };
    });
    await this.drop(ctx, tasks, declaration);
    await this.companions.bestEffort(
      this.settleDefaults(ctx, declaration.plan.removeTasks),
      'default subscriptions go a moment later',
    );
    this.audit.note(ctx, 'application.uninstalled', id, { identifier: owner.identifier });
    return { id, deleted: true };
  }

  /** What becomes of default subscriptions follows from what has become of their tasks. */
  private async settleDefaults(ctx: Ctx, taskIds: readonly string[]): Promise<void> {
    const { taken, gone } = await this.companions.broughtTasks(ctx, taskIds);
    const spaceId = requireSpace(ctx);
    await this.database.transaction(ctx, async (tx) => {
      for (const taskId of gone) await this.subscriptions.removeOfTask(tx, spaceId, taskId);
      for (const taskId of taken) await this.subscriptions.giveToUser(tx, spaceId, { taskId });
    });
  }

  /** The new value is good for the same application at once; the old one is not. */
  async rotateKey(ctx: Ctx, { id }: ById): Promise<ApplicationWithKey> {
    const spaceId = requireSpace(ctx);
    const rotate = async (tx: Tx): Promise<ApplicationWithKey> => {
      const application = await this.lock(tx, spaceId, id);
      const issued = await this.bus.call(KeyCalls.issueSystemKey, ctx, { applicationId: id, name: application.name });
      await this.applications.setKey(tx, spaceId, id, issued.keyId);
      return { ...(await this.view(tx, spaceId, id)), systemApiKey: issued.key };
    };
    const answer = await this.database.once(ctx, rotate, { secretFields: ['systemApiKey'] });
    if (!ctx.answer.replayed) this.audit.note(ctx, 'application.key-rotated', id, { identifier: answer.identifier });
    return answer;
  }

  /**
   * What a change makes in other services is there before the change itself is. So the change is noted first, and the
   * note goes with its commit: should this process die in between, the note says what to clear away.
   */
  private async noted<T>(
    ctx: Ctx,
    { spaceId, applicationId }: Pick<Owner, 'spaceId' | 'applicationId'>,
    work: (end: <R>(tx: Tx, result: R) => Promise<R>) => Promise<T>,
  ): Promise<T> {
    const note = { spaceId, id: newId(), applicationId };
    await this.database.transaction(ctx, (tx) => this.changes.begin(tx, note));
    return work(async (tx, result) => {
      await this.changes.end(tx, note);
      return result;
    });
  }

  private async installIn(tx: Tx, ctx: Ctx, owner: Owner, wanted: Wanted): Promise<ApplicationWithKey> {
    const { manifest } = wanted;
    const { spaceId, applicationId } = owner;
    await this.take(tx, owner, manifest);
    const declaration = await this.declarations.plan(tx, ctx, owner, manifest);
    try {
      await this.prepare(ctx, owner, manifest, declaration);
      await failpoint('event-bus.install-prepared');
      const issued = await this.bus.call(KeyCalls.issueSystemKey, ctx, { applicationId, name: manifest.name });
      await failpoint('event-bus.install-keyed');
      await this.applications.setKey(tx, spaceId, applicationId, issued.keyId);
      await this.declarations.apply(tx, owner, wanted, declaration);
      return { ...(await this.view(tx, spaceId, applicationId)), systemApiKey: issued.key };
    } catch (error) {
      await this.takeBack(ctx, owner, manifest, declaration);
      throw error;
    }
  }

  /** The row comes first: a second installation of the same identifier waits here, and is refused. */
  private async take(tx: Tx, { spaceId, applicationId, installedBy }: Owner, manifest: Manifest): Promise<void> {
    try {
      await this.applications.add(tx, spaceId, { id: applicationId, manifest, systemKeyId: null, installedBy });
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'CONFLICT')) throw error;
      throw new AppError(
        'CONFLICT',
        `The application "${manifest.identifier}" is installed already. Upgrade it instead.`,
        { cause: error },
      );
    }
  }

  /** What must be there before the first emission can match: the tasks, and the watches on datasets. */
  private async prepare(ctx: Ctx, owner: Owner, manifest: Manifest, { eventIds, plan }: Declaration): Promise<void> {
    const named = (manifest.subscriptions ?? []).flatMap(({ taskId }) => (taskId ? [taskId] : []));
    await this.companions.checkTasks(ctx, named, () => 'manifest.subscriptions.taskId');
    await this.companions.watch(ctx, manifest, eventIds);
    await this.companions.applyTasks(ctx, tasksToEnsure(owner, plan));
  }

  /** Announced with the change, so that it happens whatever comes. */
  private async announceDrop(tx: Tx, ctx: Ctx, owner: Owner, { plan }: Declaration): Promise<void> {
    const drop = tasksToDrop(owner, plan);
    if (drop.remove.length + drop.release.length > 0) await tx.announce(EventBusEvents.defaultTasksChanged, ctx, drop);
  }

  /** Done at once as well, so that it has happened by the answer. */
  private async drop(ctx: Ctx, tasks: DefaultTasks, { unwatch }: Declaration): Promise<void> {
    await this.companions.bestEffort(this.companions.applyTasks(ctx, tasks), 'default tasks go a moment later');
    await this.companions.unwatch(ctx, unwatch);
  }

  private async takeBack(ctx: Ctx, owner: Owner, manifest: Manifest, { eventIds, plan }: Declaration): Promise<void> {
    const { applicationId } = owner;
    await this.companions.bestEffort(
      this.companions.applyTasks(ctx, tasksToTakeBack(owner, plan)),
      'default tasks were left behind',
    );
    await this.companions.bestEffort(
      this.bus.call(KeyCalls.revokeSystemKey, ctx, { applicationId }),
      'a system key was left behind',
    );
    await this.companions.unwatch(ctx, watchesOf(manifest, eventIds));
  }

  private async lock(tx: Tx, spaceId: string, id: string): Promise<StoredApplication> {
    const application = await this.applications.lock(tx, spaceId, id);
    if (!application) throw new AppError('NOT_FOUND', 'There is no such application.');
    return application;
  }

  private async view(tx: Tx, spaceId: string, id: string): Promise<ApplicationView> {
    const application = await this.applications.find(tx, spaceId, id);
    if (!application) throw new AppError('NOT_FOUND', 'There is no such application.');
    return application;
  }
}

const ownerOf = (spaceId: string, application: StoredApplication): Owner => ({
  spaceId,
  applicationId: application.id,
  identifier: application.identifier,
  revision: application.revision,
  installedBy: application.installedBy,
});
