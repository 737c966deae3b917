import { Injectable } from '@nestjs/common';
import {
  type ById,
  type Ctx,
  type EnvelopeCause,
  type EnvelopeDetails,
  type EnvelopeView,
  type ListEnvelopes,
  type Page,
  requireSpace,
} from '@switchyard/contracts';
import { Database, listById } from '@switchyard/database';
import { AppError, shortValue } from '@switchyard/kernel';
import { DeliveriesRepository } from '../db/deliveries.repository';
import { EndpointDeliveriesRepository } from '../db/endpoint-deliveries.repository';
import { EnvelopesRepository } from '../db/envelopes.repository';
import { viewerOf } from '../domain/envelope-audience';

export const noEnvelope = (): AppError => new AppError('NOT_FOUND', 'Envelope not found.');

const LIST = listById('envelopes');

@Injectable()
export class EnvelopesService {
  constructor(
    private readonly database: Database,
    private readonly envelopes: EnvelopesRepository,
    private readonly deliveries: DeliveriesRepository,
    private readonly endpointDeliveries: EndpointDeliveriesRepository,
  ) {}

  async list(ctx: Ctx, data: ListEnvelopes): Promise<Page<EnvelopeView>> {
    const window = LIST.windowOf(data);
    const rows = await this.database.transaction(ctx, (tx) =>
      this.envelopes.list(tx, { spaceId: requireSpace(ctx), viewer: viewerOf(ctx) }, data, window),
    );
    return LIST.pageOf(rows, window, shortEnvelope);
  }

  /** Of any envelope of the Space: a caller may have received one that it cannot list. */
  async causeOf(ctx: Ctx, id: string): Promise<EnvelopeCause> {
    const row = await this.database.transaction(ctx, (tx) => this.envelopes.cause(tx, requireSpace(ctx), id));
    return row ? { found: true, ...row } : { found: false, correlationId: null, depth: 0, root: null };
  }

  get(ctx: Ctx, { id }: ById): Promise<EnvelopeDetails> {
    const spaceId = requireSpace(ctx);
    return this.database.transaction(ctx, async (tx) => {
      const envelope = await this.envelopes.find(tx, spaceId, id, viewerOf(ctx));
      if (!envelope) throw noEnvelope();
      const ofTasks = await this.deliveries.of(tx, spaceId, id);
      const ofEndpoints = await this.endpointDeliveries.of(tx, spaceId, id);
      return { ...envelope, deliveries: [...ofTasks, ...ofEndpoints] };
    });
  }
}

const shortEnvelope = (row: EnvelopeView): EnvelopeView => ({
  ...row,
  payload: shortValue(row.payload) as EnvelopeView['payload'],
});
