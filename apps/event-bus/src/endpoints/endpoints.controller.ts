import { Controller } from '@nestjs/common';
import {
  type ById,
  type CreateEndpoint,
  type Ctx,
  type Deleted,
  EndpointCalls,
  type EndpointDeliveryView,
  type EndpointReplayed,
  type EndpointTested,
  type EndpointView,
  type EndpointWithSecret,
  type ListEndpointDeliveries,
  type Page,
  type PageRequest,
  type ReplayEndpoint,
  type RotateEndpointSecret,
  type SecretName,
  type SecretUsers,
  type TestEndpoint,
  type UpdateEndpoint,
} from '@switchyard/contracts';
import { Handles } from '@switchyard/messaging';
import { EndpointDeliveriesService } from './endpoint-deliveries.service';
import { EndpointReplays } from './endpoint-replays.service';
import { EndpointTests } from './endpoint-tests.service';
import { EndpointsService } from './endpoints.service';

@Controller()
export class EndpointsController {
  constructor(
    private readonly endpoints: EndpointsService,
    private readonly deliveries: EndpointDeliveriesService,
    private readonly replays: EndpointReplays,
    private readonly tests: EndpointTests,
  ) {}

  @Handles(EndpointCalls.create) create(data: CreateEndpoint, ctx: Ctx): Promise<EndpointWithSecret> {
    return this.endpoints.create(ctx, data);
  }

  @Handles(EndpointCalls.list) list(data: PageRequest, ctx: Ctx): Promise<Page<EndpointView>> {
    return this.endpoints.list(ctx, data);
  }

  @Handles(EndpointCalls.get) get(data: ById, ctx: Ctx): Promise<EndpointView> {
    return this.endpoints.get(ctx, data);
  }

  @Handles(EndpointCalls.update) update(data: UpdateEndpoint, ctx: Ctx): Promise<EndpointView> {
    return this.endpoints.update(ctx, data);
  }

  @Handles(EndpointCalls.remove) remove(data: ById, ctx: Ctx): Promise<Deleted> {
    return this.endpoints.remove(ctx, data);
  }

  @Handles(EndpointCalls.rotateSecret)
  rotateSecret(data: RotateEndpointSecret, ctx: Ctx): Promise<EndpointWithSecret> {
    return this.endpoints.rotateSecret(ctx, data);
  }

  @Handles(EndpointCalls.test) test(data: TestEndpoint, ctx: Ctx): Promise<EndpointTested> {
    return this.tests.test(ctx, data);
  }

  @Handles(EndpointCalls.resume) resume(data: ById, ctx: Ctx): Promise<EndpointView> {
    return this.endpoints.resume(ctx, data);
  }

  @Handles(EndpointCalls.replay) replay(data: ReplayEndpoint, ctx: Ctx): Promise<EndpointReplayed> {
    return this.replays.replay(ctx, data);
  }

  @Handles(EndpointCalls.listDeliveries)
  listDeliveries(data: ListEndpointDeliveries, ctx: Ctx): Promise<Page<EndpointDeliveryView>> {
    return this.deliveries.list(ctx, data);
  }

  @Handles(EndpointCalls.secretUsers) secretUsers({ name }: SecretName, ctx: Ctx): Promise<SecretUsers> {
    return this.endpoints.secretUsers(ctx, name);
  }
}
