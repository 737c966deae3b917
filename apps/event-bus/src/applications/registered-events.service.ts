import { Injectable } from '@nestjs/common';
import {
  type Ctx,
  type ListRegisteredEvents,
  type Page,
  type RegisteredEventView,
  requireSpace,
} from '@switchyard/contracts';
import { Database } from '@switchyard/database';
import { pageFrom, windowOf } from '../db/page';
import { RegisteredEventsRepository } from '../db/registered-events.repository';

@Injectable()
export class RegisteredEventsService {
  constructor(
    private readonly database: Database,
    private readonly events: RegisteredEventsRepository,
  ) {}

  async list(ctx: Ctx, data: ListRegisteredEvents): Promise<Page<RegisteredEventView>> {
    const window = windowOf('registered-events', data);
    const rows = await this.database.transaction(ctx, (tx) =>
      this.events.list(tx, requireSpace(ctx), data, window.after, window.limit + 1),
    );
    return pageFrom(rows, window);
  }
}
