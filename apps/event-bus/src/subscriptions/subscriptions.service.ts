import { Injectable } from '@nestjs/common';
import {
  type ById,
  type CreateSubscription,
  type Ctx,
  type Deleted,
  type Items,
  type ListSubscriptions,
  MAX_TESTED_EMISSIONS,
  PLATFORM_APPLICATIONS,
  type Page,
  type SubscriptionView,
  type TestFilter,
  type TestedEmission,
  type UpdateSubscription,
  requireReplaced,
  requireSpace,
  roleAtLeast,
  shownOversized,
} from '@switchyard/contracts';
import { Database, type Tx, earlierAnswer, listById } from '@switchyard/database';
import { AppError, invalid, matchesFilter, newId, parseFilter } from '@switchyard/kernel';
import { RemoteResources } from '../applications/remote-resources';
import { ApplicationsRepository } from '../db/applications.repository';
import { EndpointsRepository } from '../db/endpoints.repository';
import { EnvelopesRepository } from '../db/envelopes.repository';
import { PlatformApplicationRepository } from '../db/platform-application.repository';
import { type EventName, RegisteredEventsRepository } from '../db/registered-events.repository';
import { type SubscriptionRow, SubscriptionsRepository } from '../db/subscriptions.repository';
import { viewerOf } from '../domain/envelope-audience';
import { notInstalled } from '../domain/emission-admission';
import { isPlatformId } from '../domain/platform-ids';
import { PlatformEventWatcher, requireAdminOf } from '../platform/platform-event-watcher';

const notRegistered = (appIdentifier: string, event: string): AppError =>
  new AppError('EVENT_NOT_REGISTERED', `The application "${appIdentifier}" declares no event "${event}".`);

const notFound = (): AppError => new AppError('NOT_FOUND', 'Subscription not found.');

const LIST = listById('subscriptions');

type NewTarget = { taskId: string; endpointId: null } | { taskId: null; endpointId: string };

/** Exactly one of task and endpoint. */
function targetOf({ taskId, endpointId }: CreateSubscription): NewTarget {
  if (taskId === undefined) {
    if (endpointId === undefined) throw invalid('taskId', 'is required, or endpointId');
    return { taskId: null, endpointId };
  }
  if (endpointId !== undefined) throw invalid('endpointId', 'must not be given beside taskId');
  return { taskId, endpointId: null };
}

function requireInCharge(ctx: Ctx): void {
  if (!roleAtLeast(ctx.role, 'ADMIN'))
    throw new AppError('FORBIDDEN', 'You need the role ADMIN for subscriptions of endpoints.');
}
const isPlatformName = (identifier: string | undefined): boolean =>
  identifier !== undefined && PLATFORM_APPLICATIONS.includes(identifier);

/** As callers see it. */
const shownSubscription = (row: SubscriptionRow): SubscriptionView => ({
  id: row.id,
  eventId: row.eventId,
  appIdentifier: row.appIdentifier,
  event: row.event,
  taskId: row.taskId,
  endpointId: row.endpointId,
  filter: row.filter,
  active: row.active,
  origin: row.origin,
  createdAt: row.createdAt,
  ...shownOversized(row.oversized),
});

@Injectable()
export class SubscriptionsService {
  constructor(
    private readonly database: Database,
    private readonly subscriptions: SubscriptionsRepository,
    private readonly events: RegisteredEventsRepository,
    private readonly envelopes: EnvelopesRepository,
    private readonly applications: ApplicationsRepository,
    private readonly remoteResources: RemoteResources,
    private readonly endpoints: EndpointsRepository,
    private readonly platform: PlatformApplicationRepository,
    private readonly watcher: PlatformEventWatcher,
  ) {}

  async create(ctx: Ctx, data: CreateSubscription): Promise<SubscriptionView> {
    parseFilter(data.filter);
    const spaceId = requireSpace(ctx);
    const target = targetOf(data);
    if (target.endpointId !== null) requireInCharge(ctx);
    const { earlier, event } = await this.database.transaction(ctx, async (tx) => {
      const earlier = await earlierAnswer<SubscriptionView>(tx, ctx);
      return earlier ? { earlier: earlier.answer } : { event: await this.eventOf(tx, spaceId, data) };
    });
    if (!event) return earlier;
    if (target.taskId !== null) await this.remoteResources.checkTasks(ctx, [target.taskId], () => 'taskId');
    requireAdminOf(ctx, event.id);
    await this.watcher.watch(ctx, event);
    return this.database.once(ctx, async (tx) => {
      if (!(await this.events.holdActive(tx, spaceId, event.id))) throw notRegistered(event.appIdentifier, event.name);
      if (target.endpointId !== null && !(await this.endpoints.findLocked(tx, spaceId, target.endpointId)))
        throw new AppError('NOT_FOUND', `There is no endpoint ${target.endpointId}.`);
      const id = newId();
      const { filter = null, active = true } = data;
      await this.subscriptions.add(tx, spaceId, {
        id,
        eventId: event.id,
        ...target,
        filter,
        active,
        createdBy: ctx.userId,
      });
      return this.view(tx, spaceId, id);
    });
  }

  async list(ctx: Ctx, data: ListSubscriptions): Promise<Page<SubscriptionView>> {
    const window = LIST.windowOf(data);
    const rows = await this.database.transaction(ctx, (tx) =>
      this.subscriptions.list(tx, requireSpace(ctx), data, window),
    );
    return LIST.pageOf(rows, window, shownSubscription, rows[0]?.found);
  }

  /** Tests a filter against the latest emissions of an event, without triggering runs. */
  testFilter(ctx: Ctx, { id, filter }: TestFilter): Promise<Items<TestedEmission>> {
    const parsed = parseFilter(filter);
    const spaceId = requireSpace(ctx);
    return this.database.transaction(ctx, async (tx) => {
      const event = await this.events.findActive(tx, spaceId, { id });
      if (!event) throw new AppError('NOT_FOUND', `There is no registered event ${id}.`);
      const latest = await this.envelopes.latestOf(tx, spaceId, event, {
        limit: MAX_TESTED_EMISSIONS,
        viewer: viewerOf(ctx),
      });
      return {
        items: latest.map(({ id: envelopeId, emittedAt, payload }) => ({
          id: envelopeId,
          emittedAt,
          matches: matchesFilter(parsed, payload),
        })),
      };
    });
  }

  get(ctx: Ctx, { id }: ById): Promise<SubscriptionView> {
    return this.database.transaction(ctx, (tx) => this.view(tx, requireSpace(ctx), id));
  }

  async update(ctx: Ctx, { id, active, filter }: UpdateSubscription): Promise<SubscriptionView> {
    parseFilter(filter);
    const spaceId = requireSpace(ctx);
    const seen = await this.get(ctx, { id });
    requireAdminOf(ctx, seen.eventId);
    if (active === true) await this.watcher.watch(ctx, { id: seen.eventId, name: seen.event });
    return this.database.transaction(ctx, async (tx) => {
      if (active === undefined && filter === undefined) return this.view(tx, spaceId, id);
      const subscription = await this.subscriptions.findLocked(tx, spaceId, id);
      if (!subscription) throw notFound();
      if (subscription.endpointId !== null) requireInCharge(ctx);
      requireReplaced(subscription.oversized, { filter });
      await this.subscriptions.changeByUser(tx, spaceId, id, {
        active: active ?? subscription.active,
        filter: filter === undefined ? subscription.filter : filter,
      });
      return this.view(tx, spaceId, id);
    });
  }

  remove(ctx: Ctx, { id }: ById): Promise<Deleted> {
    const spaceId = requireSpace(ctx);
    return this.database.transaction(ctx, async (tx) => {
      const subscription = await this.subscriptions.findLocked(tx, spaceId, id);
      if (!subscription) throw notFound();
      if (subscription.endpointId !== null) requireInCharge(ctx);
      requireAdminOf(ctx, subscription.eventId);
      if (!(await this.subscriptions.remove(tx, spaceId, id))) throw notFound();
      return { id, deleted: true };
    });
  }

  /** A user has changed the task: what starts it by default is the user's as well. */
  giveToUser(tx: Tx, ctx: Ctx, taskId: string): Promise<void> {
    return this.subscriptions.giveToUser(tx, requireSpace(ctx), { taskId });
  }

  /** Subscriptions go with their task. */
  removeOfTask(tx: Tx, ctx: Ctx, taskId: string): Promise<void> {
    return this.subscriptions.removeOfTask(tx, requireSpace(ctx), taskId);
  }

  private async eventOf(
    tx: Tx,
    spaceId: string,
    { eventId, appIdentifier, event }: CreateSubscription,
  ): Promise<EventName> {
    if (eventId === undefined ? isPlatformName(appIdentifier) : isPlatformId(eventId))
      await this.platform.ensure(tx, spaceId);
    if (eventId !== undefined) {
      const found = await this.events.findActive(tx, spaceId, { id: eventId });
      if (!found) throw new AppError('NOT_FOUND', `There is no registered event ${eventId}.`);
      if ((appIdentifier ?? found.appIdentifier) !== found.appIdentifier)
        throw invalid('appIdentifier', `must be "${found.appIdentifier}" for this eventId, or left out`);
      if ((event ?? found.name) !== found.name)
        throw invalid('event', `must be "${found.name}" for this eventId, or left out`);
      return found;
    }
    if (appIdentifier === undefined || event === undefined) {
      throw invalid('eventId', 'is required, or appIdentifier and event together');
    }
    const found = await this.events.findActive(tx, spaceId, { appIdentifier, name: event });
    if (found) return found;
    if (!(await this.applications.isInstalled(tx, spaceId, appIdentifier))) throw notInstalled(appIdentifier);
    throw notRegistered(appIdentifier, event);
  }

  private async view(tx: Tx, spaceId: string, id: string): Promise<SubscriptionView> {
    const subscription = await this.subscriptions.find(tx, spaceId, id);
    if (!subscription) throw notFound();
    return shownSubscription(subscription);
  }
}
