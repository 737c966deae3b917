import { Injectable } from '@nestjs/common';
import type { Tx } from '@switchyard/database';

export interface ApplicationChange {
  spaceId: string;
  id: string;
  applicationId: string;
}

/** Longer than any change takes: its transaction would have been ended by then. */
const ABANDONED_AFTER = `interval '60 seconds'`;

/** Installations and upgrades that have begun, and not come to their commit yet. */
@Injectable()
export class ApplicationChangesRepository {
  async begin(tx: Tx, { spaceId, id, applicationId }: ApplicationChange): Promise<void> {
    await tx.run('insert into application_changes (space_id, id, application_id) values ($1, $2, $3)', [
      spaceId,
      id,
      applicationId,
    ]);
  }

  async end(tx: Tx, { spaceId, id }: ApplicationChange): Promise<void> {
    await tx.run('delete from application_changes where space_id = $1 and id = $2', [spaceId, id]);
  }

  /** One that came to no end, for this transaction alone. */
  takeAbandoned(tx: Tx): Promise<ApplicationChange | null> {
    return tx.one<ApplicationChange>(
      `select space_id, id, application_id from application_changes where started_at < clock_timestamp() - ${ABANDONED_AFTER}
        order by started_at limit 1 for update skip locked`,
      [],
    );
  }
}
