import { Injectable } from '@nestjs/common';
import type { Read, Tx } from '@switchyard/database';
import { EXECUTION_COLUMNS, type ExecutionRow } from './executions.repository';

const IS_LEFT = 'waiting_turn is not null and finished_at is not null';

/** Executions that ended while their turn was running: by hand, by their timeout, or with their task. */
@Injectable()
export class TurnsToStopRepository {
  readonly anyLeft: Read = {
    name: 'any-turn-to-stop',
    params: [],
    sql: `select 1 from executions where ${IS_LEFT} limit 1`,
  };

  find(tx: Tx, limit: number): Promise<ExecutionRow[]> {
    return tx.query(`select ${EXECUTION_COLUMNS} from executions where ${IS_LEFT} order by finished_at limit $1`, [
      limit,
    ]);
  }

  async stopped(tx: Tx, { spaceId, id, waitingTurn }: ExecutionRow): Promise<void> {
    await tx.run(
      'update executions set waiting_turn = null where space_id = $1 and id = $2 and waiting_turn = $3 and finished_at is not null',
      [spaceId, id, waitingTurn],
    );
  }
}
