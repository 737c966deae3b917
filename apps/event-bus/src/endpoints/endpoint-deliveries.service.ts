import { Injectable } from '@nestjs/common';
import {
  type Ctx,
  type EndpointDeliveryView,
  type EndpointReplayed,
  type ListEndpointDeliveries,
  MAX_REPLAYED,
  type Page,
  type ReplayEndpoint,
  requireSpace,
} from '@switchyard/contracts';
import { Database, listById } from '@switchyard/database';
import { newId } from '@switchyard/kernel';
import { SecurityEventRecorder } from '../audit/security-event-recorder';
import { EndpointDeliveriesRepository } from '../db/endpoint-deliveries.repository';
import { EndpointBacklog } from './endpoint-backlog';
import { EndpointSender } from './endpoint-sender';
import { EndpointsService } from './endpoints.service';

const LIST = listById('endpoint-deliveries');

/** The deliveries to an endpoint, listed and sent again. */
@Injectable()
export class EndpointDeliveriesService {
  constructor(
    private readonly database: Database,
    private readonly endpoints: EndpointsService,
    private readonly deliveries: EndpointDeliveriesRepository,
    private readonly sender: EndpointSender,
    private readonly backlog: EndpointBacklog,
    private readonly securityEvents: SecurityEventRecorder,
  ) {}

  list(ctx: Ctx, data: ListEndpointDeliveries): Promise<Page<EndpointDeliveryView>> {
    const spaceId = requireSpace(ctx);
    const window = LIST.windowOf(data);
    return this.database.transaction(ctx, async (tx) => {
      await this.endpoints.need(tx, spaceId, data.id);
      return LIST.pageOf(await this.deliveries.list(tx, spaceId, data, window), window);
    });
  }

  async replay(ctx: Ctx, { id, from, to, status = 'FAILED' }: ReplayEndpoint): Promise<EndpointReplayed> {
    const spaceId = requireSpace(ctx);
    const endpoint = await this.database.transaction(ctx, (tx) => this.endpoints.need(tx, spaceId, id));
    const range = { from, to: to ?? null, status, limit: MAX_REPLAYED };
    const answer = await this.database.once(ctx, async (tx): Promise<EndpointReplayed> => {
      const matched = await this.deliveries.replay(tx, { spaceId, endpointId: id }, range);
      return { id: newId(), matched };
    });
    if (ctx.answer.replayed) return answer;
    this.backlog.noteReplayed({ spaceId, queueId: id });
    this.sender.wake([{ spaceId, queueId: id }]);
    const { name, url, natsAccountId } = endpoint;
    const receiver = url === null ? { natsAccountId } : { host: new URL(url).host };
    this.securityEvents.note(ctx, 'endpoint.replayed', id, { name, ...receiver, matched: answer.matched });
    return answer;
  }
}
