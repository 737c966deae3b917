import { Injectable } from '@nestjs/common';
import {
  type Ctx,
  type ListRegisteredEvents,
  type Page,
  type RegisteredEventView,
  requireSpace,
} from '@switchyard/contracts';
import { Database, listById } from '@switchyard/database';
import { RegisteredEventsRepository } from '../db/registered-events.repository';

const LIST = listById('registered-events');

@Injectable()
export class RegisteredEventsService {
  constructor(
    private readonly database: Database,
    private readonly events: RegisteredEventsRepository,
  ) {}

  async list(ctx: Ctx, data: ListRegisteredEvents): Promise<Page<RegisteredEventView>> {
    const window = LIST.windowOf(data);
    const { rows, found } = await this.database.transaction(ctx, (tx) =>
      this.events.list(tx, requireSpace(ctx), data, window),
    );
    return LIST.pageOf(rows, window, (row) => row, found);
  }
}
