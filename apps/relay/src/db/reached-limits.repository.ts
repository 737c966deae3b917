import { Injectable } from '@nestjs/common';
import type { Tx } from '@switchyard/database';
import type { ReachedLimit } from '@switchyard/kernel';

const RAISED_AFTER = `interval '1 hour'`;
/** Keys come and go: rows of old limits are deleted. */
const FORGOTTEN_AFTER = `interval '1 day'`;

/** Limits that have refused something. A trigger raises `limit.reached` for each row that is written. */
@Injectable()
export class ReachedLimitsRepository {
  /** Writes at most once an hour and limit, and only if a subscription wants it; says whether one does. */
  async note(tx: Tx, spaceId: string, { limit, value, until }: ReachedLimit): Promise<boolean> {
    const row = await tx.one<{ isWatched: boolean }>(
      `with watch as (select 1 from platform_event_watches where space_id = $1 and event = 'limit.reached'),
       forgotten as (
         delete from reached_limits where space_id = $1 and limit_name <> $2
           and reached_at < (select clock_timestamp()) - ${FORGOTTEN_AFTER}),
       noted as (
         insert into reached_limits (space_id, limit_name, value, until) select $1, $2, $3, $4 from watch
         on conflict (space_id, limit_name)
           do update set value = excluded.value, until = excluded.until, reached_at = clock_timestamp()
           where reached_limits.reached_at < (select clock_timestamp()) - ${RAISED_AFTER})
       select exists (select 1 from watch) as is_watched`,
      [spaceId, limit, value, until],
    );
    return row?.isWatched ?? false;
  }
}
