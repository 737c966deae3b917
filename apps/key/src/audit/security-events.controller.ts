import { Controller } from '@nestjs/common';
import {
  type Ctx,
  KeyCalls,
  type ListInSpace,
  type Nothing,
  type Page,
  type SecurityEvent,
  type SecurityEventView,
} from '@switchyard/contracts';
import { Handles } from '@switchyard/messaging';
import { SecurityEventsService } from './security-events.service';

@Controller()
export class SecurityEventsController {
  constructor(private readonly events: SecurityEventsService) {}

  @Handles(KeyCalls.listSecurityEvents)
  list(data: ListInSpace, ctx: Ctx): Promise<Page<SecurityEventView>> {
    return this.events.list(ctx, data);
  }

  @Handles(KeyCalls.recordSecurityEvent)
  async record(data: SecurityEvent, ctx: Ctx): Promise<Nothing> {
    await this.events.record(ctx, data);
    return {};
  }
}
