import { Injectable } from '@nestjs/common';
import {
  type Ctx,
  type EndpointDeliveryView,
  type ListEndpointDeliveries,
  type Page,
  requireSpace,
} from '@switchyard/contracts';
import { Database, listById } from '@switchyard/database';
import { EndpointDeliveriesRepository } from '../db/endpoint-deliveries.repository';
import { EndpointsService } from './endpoints.service';

const LIST = listById('endpoint-deliveries');

/** The deliveries to an endpoint. */
@Injectable()
export class EndpointDeliveriesService {
  constructor(
    private readonly database: Database,
    private readonly endpoints: EndpointsService,
    private readonly deliveries: EndpointDeliveriesRepository,
  ) {}

  list(ctx: Ctx, data: ListEndpointDeliveries): Promise<Page<EndpointDeliveryView>> {
    const spaceId = requireSpace(ctx);
    const window = LIST.windowOf(data);
    return this.database.transaction(ctx, async (tx) => {
      await this.endpoints.need(tx, spaceId, data.id);
      return LIST.pageOf(await this.deliveries.list(tx, spaceId, data, window), window);
    });
  }
}
