import { Body, Controller, Delete, Get, Param, Post, Put, Query } from '@nestjs/common';
import {
  ApplicationView,
  ApplicationWithKey,
  type Ctx,
  Deleted,
  EventBusCalls,
  InstallApplication,
  ListApplications,
  Nothing,
} from '@switchyard/contracts';
import { Bus } from '@switchyard/messaging';
import { type PageOfRows, type Success, ok, page } from '../endpoint/answers';
import { Caller } from '../endpoint/caller.decorator';
import { Endpoint } from '../endpoint/endpoint.decorator';
import { IdPipe } from '../endpoint/id.pipe';

@Controller('api/applications')
export class ApplicationsController {
  constructor(private readonly bus: Bus) {}

  @Post()
  @Endpoint({
    summary: 'Install an application',
    description:
      "Registers its events and makes its default tasks and subscriptions. The answer holds the application's key, this once.",
    calls: EventBusCalls.install,
    status: 201,
  })
  async install(@Caller() ctx: Ctx, @Body() body: InstallApplication): Promise<Success<ApplicationWithKey>> {
    return ok(
      'Application installed. Keep its key: it is not shown again.',
      await this.bus.call(EventBusCalls.install, ctx, body),
    );
  }

  @Get()
  @Endpoint({ summary: 'List installed applications', calls: EventBusCalls.listApplications })
  async list(
    @Caller() ctx: Ctx,
    @Query() query: ListApplications,
  ): Promise<Success<ApplicationView[]> & { page: PageOfRows }> {
    return page('Applications.', await this.bus.call(EventBusCalls.listApplications, ctx, query), query.limit);
  }

  @Get(':applicationId')
  @Endpoint({ summary: 'Read an application', calls: EventBusCalls.getApplication })
  async get(@Caller() ctx: Ctx, @Param('applicationId', IdPipe) id: string): Promise<Success<ApplicationView>> {
    return ok('Application.', await this.bus.call(EventBusCalls.getApplication, ctx, { id }));
  }

  @Put(':applicationId')
  @Endpoint({
    summary: 'Upgrade an application',
    description:
      'Events and default subscriptions follow the manifest; subscriptions of users stay. Changes of one application run one after the other: 409 `REQUEST_IN_PROGRESS` when another one takes longer than five seconds.',
    calls: EventBusCalls.upgrade,
  })
  async upgrade(
    @Caller() ctx: Ctx,
    @Param('applicationId', IdPipe) id: string,
    @Body() body: InstallApplication,
  ): Promise<Success<ApplicationView>> {
    return ok(
      'Application upgraded.',
      await this.bus.call(EventBusCalls.upgrade, ctx, { id, manifest: body.manifest }),
    );
  }

  @Delete(':applicationId')
  @Endpoint({
    summary: 'Uninstall an application',
    description:
      'Its events, its key and its defaults go. Subscriptions of users stay, and wake when it is installed again.',
    calls: EventBusCalls.uninstall,
  })
  async uninstall(@Caller() ctx: Ctx, @Param('applicationId', IdPipe) id: string): Promise<Success<Deleted>> {
    return ok('Application uninstalled.', await this.bus.call(EventBusCalls.uninstall, ctx, { id }));
  }

  @Post(':applicationId/rotate-key')
  @Endpoint({
    summary: 'Give an application a new key',
    description: 'The old one is dead at once. The new one is shown this once.',
    calls: EventBusCalls.rotateKey,
  })
  async rotateKey(
    @Caller() ctx: Ctx,
    @Param('applicationId', IdPipe) id: string,
    @Body() _body: Nothing,
  ): Promise<Success<ApplicationWithKey>> {
    return ok(
      'Key rotated. Keep it: it is not shown again.',
      await this.bus.call(EventBusCalls.rotateKey, ctx, { id }),
    );
  }
}
