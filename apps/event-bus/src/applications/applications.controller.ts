import { Controller } from '@nestjs/common';
import {
  type ApplicationView,
  type ApplicationWithKey,
  type ById,
  type Ctx,
  type Deleted,
  EventBusCalls,
  type InstallApplication,
  type ListApplications,
  type ListRegisteredEvents,
  type Page,
  type RegisteredEventView,
  type UpgradeApplication,
} from '@switchyard/contracts';
import { Handles } from '@switchyard/messaging';
import { ApplicationsService } from './applications.service';
import { RegisteredEventsService } from './registered-events.service';

@Controller()
export class ApplicationsController {
  constructor(
    private readonly applications: ApplicationsService,
    private readonly events: RegisteredEventsService,
  ) {}

  @Handles(EventBusCalls.install) install(data: InstallApplication, ctx: Ctx): Promise<ApplicationWithKey> {
    return this.applications.install(ctx, data);
  }

  @Handles(EventBusCalls.listApplications) list(data: ListApplications, ctx: Ctx): Promise<Page<ApplicationView>> {
    return this.applications.list(ctx, data);
  }

  @Handles(EventBusCalls.getApplication) get(data: ById, ctx: Ctx): Promise<ApplicationView> {
    return this.applications.get(ctx, data);
  }

  @Handles(EventBusCalls.upgrade) upgrade(data: UpgradeApplication, ctx: Ctx): Promise<ApplicationView> {
    return this.applications.upgrade(ctx, data);
  }

  @Handles(EventBusCalls.uninstall) uninstall(data: ById, ctx: Ctx): Promise<Deleted> {
    return this.applications.uninstall(ctx, data);
  }

  @Handles(EventBusCalls.rotateKey) rotateKey(data: ById, ctx: Ctx): Promise<ApplicationWithKey> {
    return this.applications.rotateKey(ctx, data);
  }

  @Handles(EventBusCalls.listRegisteredEvents) listEvents(
    data: ListRegisteredEvents,
    ctx: Ctx,
  ): Promise<Page<RegisteredEventView>> {
    return this.events.list(ctx, data);
  }
}
