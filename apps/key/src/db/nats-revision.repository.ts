import { Injectable } from '@nestjs/common';
import type { NatsRevisionView } from '@switchyard/contracts';
import type { Read, Tx } from '@switchyard/database';

/**
 * The number of the list of NATS users. The row stays locked until a change commits, so a reader that sees a revision
 * sees all changes up to it. Locked after the rows of accounts, never before them.
 */
@Injectable()
export class NatsRevisionRepository {
  /** Whether a rotation's grace has ended, for which there is a new revision. */
  readonly anyEndedGrace: Read = {
    name: 'any-nats-grace-ended',
    params: [],
    sql: 'select 1 from nats_accounts where previous_until <= now() limit 1',
  };

  readonly current: Read = {
    name: 'nats-revision',
    params: [],
    sql: 'select revision, loaded_revision from nats_revision',
  };

  /** For a change that a server has to load. */
  async next(tx: Tx): Promise<number> {
    const row = await tx.one<{ revision: number }>(
      'update nats_revision set revision = revision + 1 returning revision',
      [],
    );
    if (!row) throw new Error('the revision of NATS accounts is missing');
    return row.revision;
  }

  /** The highest revision stays. Null where the list has not reached this one. */
  async noteLoaded(tx: Tx, revision: number): Promise<{ before: number; view: NatsRevisionView } | null> {
    const row = await tx.one<NatsRevisionView & { before: number }>(
      `update nats_revision n set loaded_revision = greatest(n.loaded_revision, $1)
       from (select loaded_revision as before from nats_revision for update) old
       where n.revision >= $1 returning n.revision, n.loaded_revision, old.before`,
      [revision],
    );
    if (!row) return null;
    const { before, ...view } = row;
    return { before, view };
  }
}
