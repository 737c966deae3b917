import { Controller } from '@nestjs/common';
import {
  type ById,
  type Ctx,
  type EnvelopeCause,
  EnvelopeCauseCalls,
  type EnvelopeDetails,
  type EnvelopeView,
  EventBusCalls,
  type EventStats,
  type EventStatsRequest,
  type ListEnvelopes,
  type Page,
  type RecordToFind,
  type ReplayEnvelope,
  type Replayed,
} from '@switchyard/contracts';
import { Handles } from '@switchyard/messaging';
import { EnvelopesService } from './envelopes.service';
import { ReplayService } from './replay.service';
import { EmissionStatsService } from './emission-stats.service';

@Controller()
export class EnvelopesController {
  constructor(
    private readonly envelopes: EnvelopesService,
    private readonly replays: ReplayService,
    private readonly statistics: EmissionStatsService,
  ) {}

  @Handles(EventBusCalls.listEnvelopes) list(data: ListEnvelopes, ctx: Ctx): Promise<Page<EnvelopeView>> {
    return this.envelopes.list(ctx, data);
  }

  @Handles(EnvelopeCauseCalls.find) causeOf(data: RecordToFind, ctx: Ctx): Promise<EnvelopeCause> {
    return this.envelopes.causeOf(ctx, data.id);
  }

  @Handles(EventBusCalls.getEnvelope) get(data: ById, ctx: Ctx): Promise<EnvelopeDetails> {
    return this.envelopes.get(ctx, data);
  }

  @Handles(EventBusCalls.replay) replay(data: ReplayEnvelope, ctx: Ctx): Promise<Replayed> {
    return this.replays.replay(ctx, data);
  }

  @Handles(EventBusCalls.stats) stats(data: EventStatsRequest, ctx: Ctx): Promise<EventStats> {
    return this.statistics.of(ctx, data);
  }
}
