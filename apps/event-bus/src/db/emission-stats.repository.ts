import { Injectable } from '@nestjs/common';
import type { Tx } from '@switchyard/database';
import { sqlStates } from '@switchyard/kernel';
import { isVisibleSql } from '../domain/envelope-audience';
import { WAITING } from '../domain/emission-state';
import type { StatsRow, StatsWindow } from '../domain/emission-stats';
import { idBound } from './envelopes.repository';

@Injectable()
export class EmissionStatsRepository {
  /** How many emissions of each event came to each status, by interval (UTC). */
  count(
    tx: Tx,
    { spaceId, viewer }: { spaceId: string; viewer: string | null },
    window: StatsWindow,
  ): Promise<StatsRow[]> {
    return tx.query<StatsRow>(
      `select date_trunc($2, emitted_at, 'UTC') as at, app_identifier, event, status, count(*)::int as count
         from emissions
        where space_id = $1 and emitted_at >= $3 and emitted_at < $4 and id >= $5::uuid and id < $6::uuid
          and ($7::text is null or app_identifier = $7) and ($8::text is null or event = $8) and ${isVisibleSql('$9')}
        group by 1, 2, 3, 4 order by 1, 2, 3`,
      [
        spaceId,
        window.interval,
        window.from,
        window.to,
        idBound(window.from, -60_000),
        idBound(window.to, 60_000),
        window.appIdentifier,
        window.event,
        viewer,
      ],
    );
  }

  async oldestPendingAt(tx: Tx, spaceId: string): Promise<string | null> {
    const row = await tx.one<{ at: string | null }>(
      `select min(emitted_at) as at from (select emitted_at from emissions where space_id = $1 and status in ${sqlStates(WAITING)} limit 10000) waiting`,
      [spaceId],
    );
    return row?.at ?? null;
  }
}
