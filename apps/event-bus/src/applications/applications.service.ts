import { Injectable } from '@nestjs/common';
import {
  type ApplicationView,
  type ApplicationWithKey,
  type ById,
  type Ctx,
  type Deleted,
  EventBusEvents,
  type InstallApplication,
  type ListApplications,
  type Manifest,
  PLATFORM_APPLICATIONS,
  type Page,
  type UpgradeApplication,
  requireSpace,
} from '@switchyard/contracts';
import { Database, type Tx, listById } from '@switchyard/database';
import { AppError, failpoint, invalid, newId } from '@switchyard/kernel';
import { SecurityEventRecorder } from '../audit/security-event-recorder';
import type { ApplicationChange } from '../db/application-changes.repository';
import { ApplicationsRepository, type StoredApplication } from '../db/applications.repository';
import { PlatformApplicationRepository } from '../db/platform-application.repository';
import { refusePlatform } from '../domain/platform-application';
import { isPlatformId, platformApplicationId } from '../domain/platform-ids';
import { ApplicationChangeLock } from './application-change-lock';
import { UnfinishedChangeRecovery } from './unfinished-change-recovery';
import { RemoteResources } from './remote-resources';
import {
  type Declaration,
  ManifestDeclarations,
  type Standing,
  tasksToDrop,
  tasksToEnsure,
  watchesOf,
} from './manifest-declarations';
import { type Owner, ownerOf } from './resource-owner';
import { ApplicationKeyClient } from './application-key-client';
import { Uninstaller } from './uninstaller';

interface Start {
  owner: Owner;
  standing: Standing;
}

const LIST = listById('applications');

/**
 * Changes are noted, ask other services outside of any transaction, and commit their result with the end of the note.
 */
@Injectable()
export class ApplicationsService {
  constructor(
    private readonly database: Database,
    private readonly applications: ApplicationsRepository,
    private readonly platform: PlatformApplicationRepository,
    private readonly notes: ApplicationChangeLock,
    private readonly settler: UnfinishedChangeRecovery,
    private readonly manifestDeclarations: ManifestDeclarations,
    private readonly remoteResources: RemoteResources,
    private readonly uninstaller: Uninstaller,
    private readonly keys: ApplicationKeyClient,
    private readonly securityEventRecorder: SecurityEventRecorder,
  ) {}

  async install(ctx: Ctx, { manifest }: InstallApplication): Promise<ApplicationWithKey> {
    this.remoteResources.checkReach(ctx, manifest);
    await this.manifestDeclarations.check(ctx, manifest);
    const { identifier } = manifest;
    if (PLATFORM_APPLICATIONS.includes(identifier)) throw platformsOwn(identifier);
    const spaceId = requireSpace(ctx);
    const owner: Owner = { spaceId, applicationId: newId(), identifier, revision: 1, installedBy: ctx.userId };
    const { applicationId } = owner;
    const noted = await this.notes.begin<Start, ApplicationWithKey>(
      ctx,
      () => Promise.resolve({ spaceId, applicationId, identifier, kind: 'install' }),
      async (tx) => {
        if (await this.applications.isInstalled(tx, spaceId, identifier)) throw installedAlready(identifier);
        return { owner, standing: await this.manifestDeclarations.read(tx, owner) };
      },
    );
    if ('earlier' in noted) return noted.earlier;
    const answer = await this.settling(noted.change, () => this.installNoted(ctx, noted, manifest));
    this.securityEventRecorder.note(ctx, 'application.installed', answer.id, { identifier, version: manifest.version });
    return answer;
  }

  async list(ctx: Ctx, data: ListApplications): Promise<Page<ApplicationView>> {
    const window = LIST.windowOf(data);
    const spaceId = requireSpace(ctx);
    const { rows, found } = await this.database.transaction(ctx, async (tx) => {
      if (data.platform !== false) await this.platform.ensure(tx, spaceId);
      return this.applications.list(tx, spaceId, data, window);
    });
    return LIST.pageOf(rows, window, (row) => row, found);
  }

  get(ctx: Ctx, { id }: ById): Promise<ApplicationView> {
    const spaceId = requireSpace(ctx);
    return this.database.transaction(ctx, async (tx) => {
      if (isPlatformId(id)) await this.platform.ensure(tx, spaceId);
      return this.view(tx, spaceId, id);
    });
  }

  async upgrade(ctx: Ctx, { id, manifest }: UpgradeApplication): Promise<ApplicationView> {
    requireOwn(ctx, id);
    this.remoteResources.checkReach(ctx, manifest);
    await this.manifestDeclarations.check(ctx, manifest);
    const { identifier, version } = manifest;
    const noted = await this.begin<ApplicationView>(ctx, id, 'upgrade', (application) => {
      if (identifier === application.identifier) return;
      throw invalid(
        'manifest.identifier',
        `must stay "${application.identifier}"; another identifier is another application`,
      );
    });
    if ('earlier' in noted) return noted.earlier;
    const view = await this.settling(noted.change, () => this.upgradeNoted(ctx, noted, manifest));
    this.securityEventRecorder.note(ctx, 'application.upgraded', id, { identifier, version });
    return view;
  }

  async uninstall(ctx: Ctx, { id }: ById): Promise<Deleted> {
    requireOwn(ctx, id);
    const noted = await this.begin<Deleted>(ctx, id, 'uninstall');
    if ('earlier' in noted) return noted.earlier;
    const { change, start } = noted;
    const unwatch = await this.settling(change, () => this.uninstaller.uninstall(ctx, change, start));
    if (unwatch.length > 0) await this.notes.clear(ctx, change, unwatch);
    return { id, deleted: true };
  }

  /** The new value is good for the same application at once; the old one is not. */
  async rotateKey(ctx: Ctx, { id }: ById): Promise<ApplicationWithKey> {
    requireOwn(ctx, id);
    const spaceId = requireSpace(ctx);
    const noted = await this.begin<ApplicationWithKey>(ctx, id, 'rotate');
    if ('earlier' in noted) return noted.earlier;
    const { change } = noted;
    const answer = await this.settling(change, async () => {
      const { name } = await this.get(ctx, { id });
      const { keyId, key } = await this.keys.renew(ctx, { applicationId: id, name });
      await failpoint('event-bus.key-rotated');
      return this.database.once(
        ctx,
        async (tx) => {
          await this.lock(tx, spaceId, id);
          await this.notes.end(tx, change);
          await this.applications.setKey(tx, spaceId, id, keyId);
          return { ...(await this.view(tx, spaceId, id)), systemApiKey: key };
        },
        { secretFields: ['systemApiKey'] },
      );
    });
    this.securityEventRecorder.note(ctx, 'application.key-rotated', id, { identifier: answer.identifier });
    return answer;
  }

  private begin<Answer>(
    ctx: Ctx,
    id: string,
    kind: ApplicationChange['kind'],
    check: (application: StoredApplication) => void = () => undefined,
  ) {
    const spaceId = requireSpace(ctx);
    return this.notes.begin<Start, Answer>(
      ctx,
      async (tx) => {
        const application = await this.lock(tx, spaceId, id);
        check(application);
        return { spaceId, applicationId: id, identifier: application.identifier, kind };
      },
      async (tx) => {
        const application = await this.applications.countRevision(tx, spaceId, id);
        if (!application) throw unknownApplication();
        const owner = ownerOf(spaceId, application);
        return { owner, standing: await this.manifestDeclarations.read(tx, owner) };
      },
    );
  }

  /** Leftovers of a failed change in other services are removed, or completed, before the caller gets the error. */
  private async settling<T>(change: ApplicationChange, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      await this.settler.settleFailed(change, error);
      throw error;
    }
  }

  private async installNoted(
    ctx: Ctx,
    { change, start }: { change: ApplicationChange; start: Start },
    manifest: Manifest,
  ): Promise<ApplicationWithKey> {
    const { owner } = start;
    const { spaceId, applicationId } = owner;
    const fields = await this.remoteResources.watchedFields(ctx, manifest);
    const install = async (declaration: Declaration): Promise<ApplicationWithKey> => {
      await this.prepare(ctx, owner, { change, manifest, declaration });
      await failpoint('event-bus.install-prepared');
      const { keyId, key } = await this.keys.issue(ctx, { applicationId, name: manifest.name });
      await failpoint('event-bus.install-keyed');
      const commit = async (tx: Tx): Promise<ApplicationWithKey> => {
        await this.notes.end(tx, change);
        await this.add(tx, owner, manifest, keyId);
        await this.manifestDeclarations.apply(tx, owner, { manifest, fields }, declaration);
        return { ...(await this.view(tx, spaceId, applicationId)), systemApiKey: key };
      };
      const answer = await this.database.once(ctx, commit, { secretFields: ['systemApiKey'] });
      await failpoint('event-bus.install-committed');
      return answer;
    };
    return this.manifestDeclarations.carryOut(ctx, { ...start, manifest }, install, () => this.settler.undo(change));
  }

  /** A process of the version before notes no identifier: then the row itself says that it was first. */
  private async add(
    tx: Tx,
    { spaceId, applicationId: id, installedBy }: Owner,
    manifest: Manifest,
    systemKeyId: string,
  ): Promise<void> {
    try {
      await this.applications.add(tx, spaceId, { id, manifest, systemKeyId, installedBy });
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'CONFLICT')) throw error;
      throw installedAlready(manifest.identifier, error);
    }
  }

  private async upgradeNoted(
    ctx: Ctx,
    { change, start }: { change: ApplicationChange; start: Start },
    manifest: Manifest,
  ): Promise<ApplicationView> {
    const { owner } = start;
    const { spaceId, applicationId: id } = owner;
    const fields = await this.remoteResources.watchedFields(ctx, manifest);
    const upgrade = async (declaration: Declaration) => {
      await this.prepare(ctx, owner, { change, manifest, declaration });
      await failpoint('event-bus.upgrade-prepared');
      const view = await this.database.transaction(ctx, async (tx) => {
        await this.lock(tx, spaceId, id);
        await this.notes.endAfterCleanup(tx, change, declaration.unwatch);
        await this.applications.upgrade(tx, spaceId, id, manifest);
        await this.manifestDeclarations.apply(tx, owner, { manifest, fields }, declaration);
        await this.announceDrop(tx, ctx, owner, declaration);
        return this.view(tx, spaceId, id);
      });
      await failpoint('event-bus.upgrade-committed');
      return { view, declaration };
    };
    const { view, declaration } = await this.manifestDeclarations.carryOut(ctx, { ...start, manifest }, upgrade, () =>
      this.settler.undo(change),
    );
    // Announced with the commit; done at once as well, so that it has happened by the answer.
    const tasks = tasksToDrop(owner, declaration.plan);
    await this.remoteResources.bestEffort(
      this.remoteResources.applyTasks(ctx, tasks),
      'default tasks go a moment later',
    );
    if (declaration.unwatch.length > 0) await this.notes.clear(ctx, change, declaration.unwatch);
    return view;
  }

  /** Required before the first emission can match: tasks, and watches on datasets. */
  private async prepare(
    ctx: Ctx,
    owner: Owner,
    { change, manifest, declaration }: { change: ApplicationChange; manifest: Manifest; declaration: Declaration },
  ): Promise<void> {
    const { eventIds, plan } = declaration;
    const named = (manifest.subscriptions ?? []).flatMap(({ taskId }) => (taskId ? [taskId] : []));
    await this.remoteResources.checkTasks(ctx, named, () => 'manifest.subscriptions.taskId');
    await this.notes.keepWatches(change, [...watchesOf(manifest, eventIds), ...declaration.unwatch]);
    await this.remoteResources.watch(ctx, manifest, eventIds);
    await this.remoteResources.applyTasks(ctx, tasksToEnsure(owner, plan));
  }

  private async announceDrop(tx: Tx, ctx: Ctx, owner: Owner, { plan }: Declaration): Promise<void> {
    const drop = tasksToDrop(owner, plan);
    if (drop.remove.length + drop.release.length > 0) await tx.announce(EventBusEvents.defaultTasksChanged, ctx, drop);
  }

  private async lock(tx: Tx, spaceId: string, id: string): Promise<StoredApplication> {
    const application = await this.applications.lock(tx, spaceId, id);
    if (!application) throw unknownApplication();
    return application;
  }

  private async view(tx: Tx, spaceId: string, id: string): Promise<ApplicationView> {
    const application = await this.applications.find(tx, spaceId, id);
    if (!application) throw unknownApplication();
    return application;
  }
}

/** Only an application that was installed is changed. */
function requireOwn(ctx: Ctx, id: string): void {
  if (id === platformApplicationId(requireSpace(ctx))) throw refusePlatform();
}

const platformsOwn = (identifier: string): AppError =>
  new AppError('CONFLICT', `The identifier "${identifier}" belongs to the platform. Use another one.`);

const unknownApplication = (): AppError => new AppError('NOT_FOUND', 'Application not found.');

const installedAlready = (identifier: string, cause?: unknown): AppError =>
  new AppError('CONFLICT', `The application "${identifier}" is installed already. Upgrade it instead.`, { cause });
