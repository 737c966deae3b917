import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { type Ctx, type DefaultTasks, type Manifest, requireSpace } from '@switchyard/contracts';
import { Database, type Tx } from '@switchyard/database';
import { AppError, fingerprint, newId } from '@switchyard/kernel';
import { compileSchema } from '@switchyard/schemas';
import type { Watch } from '../db/application-changes.repository';
import { type EventName, RegisteredEventsRepository } from '../db/registered-events.repository';
import { SubscriptionsRepository } from '../db/subscriptions.repository';
import { type DefaultsPlan, planDefaults } from '../domain/default-subscriptions';
import { refuseSchema } from '../domain/event-schema';
import type { ExistingDefault } from '../domain/match-manifest-subscriptions';
import { checkManifest } from '../domain/manifest-rules';
import type { FieldTypes } from '../domain/check-row-filters';
import { RemoteResources } from './remote-resources';
import type { Owner } from './resource-owner';

const TRIES = 3;

/** Subscriptions or events of the application have changed since the plan was made. */
class OutdatedPlan extends AppError {
  constructor() {
    super('CONFLICT', "The application's subscriptions are being changed at this moment. Try again.");
  }
}

/** A manifest, and the fields of the datasets whose rows it filters. */
export interface ManifestPlan {
  manifest: Manifest;
  fields: ReadonlyMap<string, FieldTypes>;
}

/** Existing resources of an application, without its row. */
export interface Standing {
  registered: EventName[];
  existing: ExistingDefault[];
  /** Of the tasks that defaults start, those that subscriptions of users start as well. */
  tasksOfUser: Set<string>;
}

/** The plan: a manifest compared with existing resources. */
export interface Declaration {
  standing: Standing;
  eventIds: Map<string, string>;
  dropped: EventName[];
  /** Watches on datasets that nothing asks for any more. */
  unwatch: Watch[];
  plan: DefaultsPlan;
}

/** Brings events and default subscriptions into line with a manifest. */
@Injectable()
export class ManifestDeclarations {
  constructor(
    private readonly database: Database,
    private readonly events: RegisteredEventsRepository,
    private readonly subscriptions: SubscriptionsRepository,
    private readonly remoteResources: RemoteResources,
  ) {}

  /** A schema that is stored already goes on when it is over the limits of new ones. */
  async check(ctx: Ctx, manifest: Manifest): Promise<void> {
    checkManifest(manifest);
    let stored: ReadonlySet<string> | undefined;
    for (const [index, { schema }] of manifest.events.entries()) {
      const compiled = await compileSchema(schema, 'payload');
      const path = `manifest.events[${index}].schema`;
      if ('problems' in compiled) refuseSchema(path, compiled.problems);
      if (compiled.refusals.length === 0) continue;
      stored ??= await this.database.transaction(ctx, (tx) =>
        this.events.schemasOf(tx, requireSpace(ctx), manifest.identifier),
      );
      if (!stored.has(fingerprint(schema))) refuseSchema(path, compiled.refusals);
    }
  }

  async read(tx: Tx, { spaceId, identifier }: Pick<Owner, 'spaceId' | 'identifier'>): Promise<Standing> {
    const registered = await this.events.ofApplication(tx, spaceId, identifier);
    const existing = await this.subscriptions.broughtBy(tx, spaceId, identifier);
    const tasks = existing.map(({ taskId }) => taskId);
    return { registered, existing, tasksOfUser: await this.subscriptions.tasksOfUser(tx, spaceId, tasks) };
  }

  /**
   * Makes a plan and executes it; retries if its basis has changed meanwhile. Without a manifest everything is removed.
   */
  async carryOut<T>(
    ctx: Ctx,
    { owner, manifest, standing }: { owner: Owner; manifest: Manifest | null; standing: Standing },
    work: (declaration: Declaration) => Promise<T>,
    takeBack?: () => Promise<void>,
  ): Promise<T> {
    let current = standing;
    for (let tries = 1; ; tries += 1) {
      const declaration = await this.plan(ctx, manifest, current);
      try {
        return await work(declaration);
      } catch (error) {
        if (!(error instanceof OutdatedPlan) || tries === TRIES) throw error;
      }
      await takeBack?.();
      current = await this.database.inSpace(owner.spaceId, (tx) => this.read(tx, owner));
    }
  }

  private async plan(ctx: Ctx, manifest: Manifest | null, standing: Standing): Promise<Declaration> {
    const { registered, existing, tasksOfUser } = standing;
    const ids = new Map(registered.map((event) => [event.name, event.id]));
    const eventIds = new Map((manifest?.events ?? []).map(({ name }) => [name, ids.get(name) ?? newId()]));
    const brought = await this.remoteResources.broughtTasks(
      ctx,
      existing.filter(({ bringsTask }) => bringsTask).map(({ taskId }) => taskId),
    );
    const declared = new Map((manifest?.events ?? []).map(({ name, emitOn }) => [name, emitOn?.dataset]));
    return {
      standing,
      eventIds,
      unwatch: registered.flatMap(({ id, name, active, emitOn }) =>
        active && emitOn && declared.get(name) !== emitOn.dataset ? [{ watcherId: id, datasetId: emitOn.dataset }] : [],
      ),
      dropped: registered.filter((event) => event.active && !eventIds.has(event.name)),
      plan: planDefaults({ declared: manifest?.subscriptions ?? [], existing, brought, tasksOfUser, newId }),
    };
  }

  /** Throws OutdatedPlan where the plan was made against something else than what is there now. */
  async apply(tx: Tx, owner: Owner, target: ManifestPlan | null, declaration: Declaration): Promise<void> {
    const { spaceId } = owner;
    const { eventIds, dropped, plan, standing } = declaration;
    if (!isDeepStrictEqual(await this.read(tx, owner), standing)) throw new OutdatedPlan();
    // A user may be editing a task at this moment, and keeps it with what starts it. The task service decides: when an
    // application goes, a subscription waits asleep for what becomes of its task.
    const asleep = new Set(target ? [] : plan.goWithTask.map(({ id }) => id));
    for (const id of plan.remove) if (!asleep.has(id)) await this.subscriptions.remove(tx, spaceId, id);
    for (const event of target?.manifest.events ?? []) {
      const types = event.emitOn && target?.fields.get(event.emitOn.dataset);
      await this.events.register(tx, spaceId, owner, { id: eventIds.get(event.name) ?? newId(), event, types });
    }
    await this.events.unregister(
      tx,
      spaceId,
      dropped.map((event) => event.id),
    );
    await this.subscriptions.giveToUser(tx, spaceId, { ids: plan.take });
    for (const { id, defaultKey } of plan.rename) await this.subscriptions.renameDefault(tx, spaceId, id, defaultKey);
    for (const change of plan.change) await this.subscriptions.changeDefault(tx, spaceId, change.id, change);
    for (const item of plan.create) {
      const eventId = eventIds.get(item.event);
      if (eventId) await this.subscriptions.addDefault(tx, spaceId, eventId, item);
    }
  }
}

const tasksOf = ({ spaceId, applicationId, revision, installedBy }: Owner): DefaultTasks => ({
  spaceId,
  applicationId,
  revision,
  ownerId: installedBy,
  ensure: [],
  remove: [],
  release: [],
});

/** Tasks to make or bring up to date, before anything subscribes to them. */
export const tasksToEnsure = (owner: Owner, plan: DefaultsPlan): DefaultTasks => ({
  ...tasksOf(owner),
  ensure: plan.ensureTasks,
});

/** Tasks to let go, once nothing subscribes to them. */
export const tasksToDrop = (owner: Owner, plan: DefaultsPlan): DefaultTasks => ({
  ...tasksOf(owner),
  remove: plan.removeTasks,
  release: plan.releaseTasks,
});

/**
 * All tasks of an application that goes, but for those that a user has changed or that a subscription of a user starts.
 */
export const tasksOfUninstalled = (owner: Owner, plan: DefaultsPlan, tasksOfUser: readonly string[]): DefaultTasks => ({
  ...tasksToDrop(owner, plan),
  release: [...new Set([...plan.releaseTasks, ...tasksOfUser])],
  keepOnly: [],
});

export const watchesOf = ({ events }: Manifest, eventIds: ReadonlyMap<string, string>): Watch[] =>
  events.flatMap(({ name, emitOn }) => {
    const watcherId = eventIds.get(name);
    return emitOn && watcherId ? [{ watcherId, datasetId: emitOn.dataset }] : [];
  });
