import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import {
  ChangeSubscription,
  CreateSubscription,
  type Ctx,
  Deleted,
  EventBusCalls,
  ListSubscriptions,
  SubscriptionView,
} from '@switchyard/contracts';
import { Bus } from '@switchyard/messaging';
import { type PageOfRows, type Success, ok, page } from '../endpoint/answers';
import { Caller } from '../endpoint/caller.decorator';
import { Endpoint } from '../endpoint/endpoint.decorator';
import { IdPipe } from '../endpoint/id.pipe';

@Controller('api/events/subscriptions')
export class SubscriptionsController {
  constructor(private readonly bus: Bus) {}

  @Post()
  @Endpoint({ summary: 'Subscribe a task to an event', calls: EventBusCalls.createSubscription, status: 201 })
  async create(@Caller() ctx: Ctx, @Body() body: CreateSubscription): Promise<Success<SubscriptionView>> {
    return ok('Subscription created.', await this.bus.call(EventBusCalls.createSubscription, ctx, body));
  }

  @Get()
  @Endpoint({ summary: 'List subscriptions', calls: EventBusCalls.listSubscriptions })
  async list(
    @Caller() ctx: Ctx,
    @Query() query: ListSubscriptions,
  ): Promise<Success<SubscriptionView[]> & { page: PageOfRows }> {
    return page('Subscriptions.', await this.bus.call(EventBusCalls.listSubscriptions, ctx, query), query.limit);
  }

  @Get(':subscriptionId')
  @Endpoint({ summary: 'Read a subscription', calls: EventBusCalls.getSubscription })
  async get(@Caller() ctx: Ctx, @Param('subscriptionId', IdPipe) id: string): Promise<Success<SubscriptionView>> {
    return ok('Subscription.', await this.bus.call(EventBusCalls.getSubscription, ctx, { id }));
  }

  @Patch(':subscriptionId')
  @Endpoint({
    summary: 'Switch a subscription on or off, or change its filter',
    description: "A default subscription that is changed is the Space's own from then on.",
    calls: EventBusCalls.updateSubscription,
  })
  async update(
    @Caller() ctx: Ctx,
    @Param('subscriptionId', IdPipe) id: string,
    @Body() body: ChangeSubscription,
  ): Promise<Success<SubscriptionView>> {
    const change = { id, active: body.active, filter: body.filter };
    return ok('Subscription changed.', await this.bus.call(EventBusCalls.updateSubscription, ctx, change));
  }

  @Delete(':subscriptionId')
  @Endpoint({ summary: 'Delete a subscription', calls: EventBusCalls.deleteSubscription })
  async remove(@Caller() ctx: Ctx, @Param('subscriptionId', IdPipe) id: string): Promise<Success<Deleted>> {
    return ok('Subscription deleted.', await this.bus.call(EventBusCalls.deleteSubscription, ctx, { id }));
  }
}
