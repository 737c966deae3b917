import { Injectable } from '@nestjs/common';
import {
  type Ctx,
  type ListRegisteredEvents,
  type Page,
  type RegisteredEventView,
  requireSpace,
} from '@switchyard/contracts';
import { Database, listById } from '@switchyard/database';
import { PlatformApplicationRepository } from '../db/platform-application.repository';
import { RegisteredEventsRepository } from '../db/registered-events.repository';

const LIST = listById('registered-events');

@Injectable()
export class RegisteredEventsService {
  constructor(
    private readonly database: Database,
    private readonly events: RegisteredEventsRepository,
    private readonly platform: PlatformApplicationRepository,
  ) {}

  async list(ctx: Ctx, data: ListRegisteredEvents): Promise<Page<RegisteredEventView>> {
    const window = LIST.windowOf(data);
    const spaceId = requireSpace(ctx);
    const { rows, found } = await this.database.transaction(ctx, async (tx) => {
      if (data.platform !== false) await this.platform.ensure(tx, spaceId);
      return this.events.list(tx, spaceId, data, window);
    });
    return LIST.pageOf(rows, window, (row) => row, found);
  }
}
