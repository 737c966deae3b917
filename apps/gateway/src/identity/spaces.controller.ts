import { Body, Controller, Get, Param, Patch, Post, Query } from '@nestjs/common';
import {
  CreateSpace,
  type Ctx,
  KeyCalls,
  Nothing,
  PageRequest,
  SecurityEventView,
  SpaceView,
  UpdateSpaceBody,
  WebhookSecret,
} from '@switchyard/contracts';
import { Bus } from '@switchyard/messaging';
import { type PageOfRows, ok, page, type Success } from '../endpoint/answers';
import { Caller } from '../endpoint/caller.decorator';
import { Endpoint } from '../endpoint/endpoint.decorator';
import { IdPipe } from '../endpoint/id.pipe';

@Controller('api/spaces')
export class SpacesController {
  constructor(private readonly bus: Bus) {}

  @Get()
  @Endpoint({ summary: 'List your Spaces', calls: KeyCalls.listSpaces })
  async list(@Caller() ctx: Ctx, @Query() query: PageRequest): Promise<Success<SpaceView[]> & { page: PageOfRows }> {
    return page('Your Spaces.', await this.bus.call(KeyCalls.listSpaces, ctx, query), query.limit);
  }

  @Post()
  @Endpoint({ summary: 'Create a Space; you become its OWNER', calls: KeyCalls.createSpace, status: 201 })
  async create(@Caller() ctx: Ctx, @Body() body: CreateSpace): Promise<Success<SpaceView>> {
    return ok('Space created.', await this.bus.call(KeyCalls.createSpace, ctx, body));
  }

  @Get(':spaceId')
  @Endpoint({
    summary: 'Read the Space of your credential',
    description: 'ADMIN and up also see `webhookSecret`, which signs the callbacks of jobs.',
    calls: KeyCalls.getSpace,
  })
  async get(@Caller() ctx: Ctx, @Param('spaceId', IdPipe) spaceId: string): Promise<Success<SpaceView>> {
    return ok('The Space.', await this.bus.call(KeyCalls.getSpace, ctx, { spaceId }));
  }

  @Patch(':spaceId')
  @Endpoint({
    summary: 'Rename the Space or change its settings',
    description: 'Settings merge: given ones are set, null takes one back to the default, the others stay.',
    calls: KeyCalls.updateSpace,
  })
  async update(
    @Caller() ctx: Ctx,
    @Param('spaceId', IdPipe) spaceId: string,
    @Body() body: UpdateSpaceBody,
  ): Promise<Success<SpaceView>> {
    const change = { spaceId, name: body.name, settings: body.settings };
    return ok('Space changed.', await this.bus.call(KeyCalls.updateSpace, ctx, change));
  }

  @Post(':spaceId/webhook-secret/rotate')
  @Endpoint({ summary: 'Replace the secret that signs callbacks', calls: KeyCalls.rotateWebhookSecret })
  async rotateSecret(
    @Caller() ctx: Ctx,
    @Param('spaceId', IdPipe) spaceId: string,
    @Body() _body: Nothing,
  ): Promise<Success<WebhookSecret>> {
    return ok('Webhook secret replaced.', await this.bus.call(KeyCalls.rotateWebhookSecret, ctx, { spaceId }));
  }

  @Get(':spaceId/security-events')
  @Endpoint({
    summary: 'Read the log of security events',
    description: 'Keys, members, roles and sign-ins of the Space. The log only grows.',
    calls: KeyCalls.listSecurityEvents,
  })
  async securityEvents(
    @Caller() ctx: Ctx,
    @Param('spaceId', IdPipe) spaceId: string,
    @Query() query: PageRequest,
  ): Promise<Success<SecurityEventView[]> & { page: PageOfRows }> {
    const request = { spaceId, limit: query.limit, cursor: query.cursor };
    return page('Security events.', await this.bus.call(KeyCalls.listSecurityEvents, ctx, request), query.limit);
  }
}
