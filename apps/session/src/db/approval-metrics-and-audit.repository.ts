import { Injectable } from '@nestjs/common';
import type { Read, Tx } from '@switchyard/database';
import { type AnsweredApproval, COLUMNS, type InteractionRow } from './interactions.repository';

export interface WaitingApprovals {
  count: number;
  oldestSeconds: number;
}

/** Approvals of all Spaces: what waits, and what is still to be told to the log of security events. */
@Injectable()
export class ApprovalsRepository {
  readonly anyUnrecorded: Read = {
    name: 'any-approval-unrecorded',
    params: [],
    sql: 'select 1 from interactions where unrecorded is not null limit 1',
  };

  /** Their names alone: the arguments of their calls may be long. */
  listUnrecorded(tx: Tx, limit: number): Promise<Pick<InteractionRow, 'spaceId' | 'id'>[]> {
    return tx.query(
      'select space_id, id from interactions where unrecorded is not null order by answered_at limit $1',
      [limit],
    );
  }

  findUnrecorded(tx: Tx, spaceId: string, id: string): Promise<AnsweredApproval | null> {
    return tx.one<AnsweredApproval>(
      `select ${COLUMNS}, unrecorded from interactions where space_id = $1 and id = $2 and unrecorded is not null`,
      [spaceId, id],
    );
  }

  async countUnrecorded(tx: Tx): Promise<number> {
    const row = await tx.one<{ count: number }>(
      'select count(*)::int as count from interactions where unrecorded is not null',
      [],
    );
    return row?.count ?? 0;
  }

  setRecorded(tx: Tx, spaceId: string, id: string): Promise<number> {
    return tx.count('update interactions set unrecorded = null where space_id = $1 and id = $2', [spaceId, id]);
  }

  async waiting(tx: Tx): Promise<WaitingApprovals> {
    const row = await tx.one<WaitingApprovals>(
      `select count(*)::int as count, coalesce(extract(epoch from clock_timestamp() - min(created_at)), 0)::float8 as oldest_seconds
         from interactions where status = 'PENDING' and purpose = 'approval'`,
      [],
    );
    return row ?? { count: 0, oldestSeconds: 0 };
  }
}
