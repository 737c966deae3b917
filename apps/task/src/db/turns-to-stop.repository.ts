import { Injectable } from '@nestjs/common';
import type { Read, Tx } from '@switchyard/database';
import type { ExecutionRow } from './executions.repository';

const IS_TO_STOP = 'waiting_turn is not null and finished_at is not null';

/** As much of an execution as stopping its turn needs: not what its Space has written. */
export type TurnToStop = Pick<ExecutionRow, 'spaceId' | 'id' | 'ownerId' | 'waitingTurn'>;

/** Executions that ended while their turn was running: by hand, by their timeout, or with their task. */
@Injectable()
export class TurnsToStopRepository {
  readonly anyToStop: Read = {
    name: 'any-turn-to-stop',
    params: [],
    sql: `select 1 from executions where ${IS_TO_STOP} limit 1`,
  };

  find(tx: Tx, limit: number): Promise<TurnToStop[]> {
    return tx.query(
      `select space_id, id, owner_id, waiting_turn from executions where ${IS_TO_STOP} order by finished_at limit $1`,
      [limit],
    );
  }

  async stopped(tx: Tx, { spaceId, id, waitingTurn }: TurnToStop): Promise<void> {
    await tx.run(
      'update executions set waiting_turn = null where space_id = $1 and id = $2 and waiting_turn = $3 and finished_at is not null',
      [spaceId, id, waitingTurn],
    );
  }
}
