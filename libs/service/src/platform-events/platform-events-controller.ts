import { Controller, Inject, type Type } from '@nestjs/common';
import type { Nothing, PlatformEventSource, WatchPlatformEvent } from '@switchyard/contracts';
import { Database } from '@switchyard/database';
import { Handles } from '@switchyard/messaging';

/** A watch that is newer belongs to a subscription that may not be there yet. */
const UNWATCH_AFTER = '60 seconds';

/** Handlers of a service that raises events of the platform. */
export function platformEventsController({ watch }: PlatformEventSource): Type {
  @Controller()
  class PlatformEventsController {
    constructor(@Inject(Database) private readonly database: Database) {}

    @Handles(watch)
    async watch({ spaceId, event, watched }: WatchPlatformEvent): Promise<Nothing> {
      await this.database.inSpace(spaceId, (tx) =>
        watched
          ? tx.run(
              `insert into platform_event_watches (space_id, event) values ($1, $2)
               on conflict (space_id, event) do update set watched_at = clock_timestamp()`,
              [spaceId, event],
            )
          : tx.run(
              `delete from platform_event_watches
                where space_id = $1 and event = $2 and watched_at < (select clock_timestamp()) - interval '${UNWATCH_AFTER}'`,
              [spaceId, event],
            ),
      );
      return {};
    }
  }
  return PlatformEventsController;
}
