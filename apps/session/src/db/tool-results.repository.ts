import { Injectable } from '@nestjs/common';
import type { ToolCallStatus } from '@switchyard/contracts';
import type { Tx } from '@switchyard/database';
import { newId } from '@switchyard/kernel';

export interface ToolResultRow {
  callId: string;
  name: string;
  status: ToolCallStatus;
  result: unknown;
  error: string | null;
  expiresAt: string;
}

const COLUMNS = `call_id, name, status, result, error, expires_at`;

@Injectable()
export class ToolResultsRepository {
  async await(
    tx: Tx,
    spaceId: string,
    turnKey: string,
    call: { callId: string; name: string; expiresAt: string },
  ): Promise<void> {
    await tx.query(
      `insert into tool_results (space_id, id, turn_key, call_id, name, status, expires_at)
       values ($1, $2, $3, $4, $5, 'PENDING', $6) on conflict do nothing`,
      [spaceId, newId(), turnKey, call.callId, call.name, call.expiresAt],
    );
  }

  find(tx: Tx, spaceId: string, turnKey: string, callId: string): Promise<ToolResultRow | null> {
    return tx.one<ToolResultRow>(
      `select ${COLUMNS} from tool_results where space_id = $1 and turn_key = $2 and call_id = $3`,
      [spaceId, turnKey, callId],
    );
  }

  list(tx: Tx, spaceId: string, turnKey: string): Promise<ToolResultRow[]> {
    return tx.query<ToolResultRow>(
      `select ${COLUMNS} from tool_results where space_id = $1 and turn_key = $2 order by id`,
      [spaceId, turnKey],
    );
  }

  /** The first answer counts; null when there is one already, or the wait is over. */
  answer(
    tx: Tx,
    spaceId: string,
    turnKey: string,
    callId: string,
    answer: { result: unknown; error: string | null },
  ): Promise<ToolResultRow | null> {
    return tx.one<ToolResultRow>(
      `update tool_results set status = 'ANSWERED', result = $4, error = $5
       where space_id = $1 and turn_key = $2 and call_id = $3 and status = 'PENDING' returning ${COLUMNS}`,
      [spaceId, turnKey, callId, answer.result === undefined ? null : JSON.stringify(answer.result), answer.error],
    );
  }

  async expire(tx: Tx, spaceId: string, turnKey: string, callId: string): Promise<void> {
    await tx.query(
      `update tool_results set status = 'EXPIRED' where space_id = $1 and turn_key = $2 and call_id = $3 and status = 'PENDING'`,
      [spaceId, turnKey, callId],
    );
  }
}
