import { Controller } from '@nestjs/common';
import {
  type Ctx,
  KeyCalls,
  type ListEvents,
  type ListSecurityEvents,
  type Nothing,
  OperatorStreams,
  type Page,
  type PlatformEventView,
  type SecurityEvent,
  type SecurityEventView,
} from '@switchyard/contracts';
import { Handles } from '@switchyard/messaging';
import { SecurityEventsService } from './security-events.service';

@Controller()
export class SecurityEventsController {
  constructor(private readonly events: SecurityEventsService) {}

  @Handles(KeyCalls.listSecurityEvents)
  list(data: ListSecurityEvents, ctx: Ctx): Promise<Page<SecurityEventView>> {
    return this.events.list(ctx, data);
  }

  @Handles(KeyCalls.listEvents)
  listAll(data: ListEvents): Promise<Page<PlatformEventView>> {
    return this.events.listAll(data);
  }

  @Handles(OperatorStreams.events)
  lines(data: ListEvents, ctx: Ctx): AsyncIterable<string> {
    return this.events.lines(ctx, data);
  }

  @Handles(KeyCalls.recordSecurityEvent)
  async record(data: SecurityEvent, ctx: Ctx): Promise<Nothing> {
    await this.events.record(ctx, data);
    return {};
  }
}
